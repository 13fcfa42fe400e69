import type { YAMLError } from 'yaml';
import type { Problem, ProblemPlace } from '../model/problem.ts';
import { documentProblem } from './problems.ts';

/** One slip often breaks several rules of YAML at once. */
export function onePerPlace(errors: readonly YAMLError[]): YAMLError[] {
  const offsets = new Set<number>();
  return errors.filter(({ pos }) => !offsets.has(pos[0]) && offsets.add(pos[0]));
}

/** What a person should look at who does not know YAML's own words. */
const SYNTAX_HINTS: Readonly<Record<string, string>> = {
  BAD_INDENT: 'check the indentation',
  BLOCK_AS_IMPLICIT_KEY: 'check the indentation, and put texts with a colon in quotes',
  MULTILINE_IMPLICIT_KEY: 'check the indentation and the colons',
  BAD_SCALAR_START: 'put the text in quotes',
  BLOCK_IN_FLOW: 'check the commas and brackets of this line',
  TAB_AS_INDENT: 'use blanks, not tabs',
  BAD_DQ_ESCAPE: 'put a Windows path in single quotes, or write it without quotes',
  MISSING_CHAR: 'check quotes, brackets and colons before this place',
};

/** A fault of YAML's own rules, told for a person. `text` is the whole file. */
export function describeSyntax(error: YAMLError, text: string, place: ProblemPlace): Problem {
  if (error.code === 'DUPLICATE_KEY') {
    const key = /^[^\s:]*/.exec(text.slice(error.pos[0], error.pos[0] + 100))?.[0] ?? '';
    return documentProblem('CONFIG_KEY_TWICE', place, { key });
  }
  if (error.code === 'MULTIPLE_DOCS') {
    return documentProblem('CONFIG_YAML_INVALID', place, {
      reason: 'a line "---" begins a second document; remove it',
    });
  }
  const message = error.message.split('\n')[0] ?? '';
  const hint = SYNTAX_HINTS[error.code];
  const reason = hint === undefined ? message : `${message}: ${hint}`;
  return documentProblem('CONFIG_YAML_INVALID', place, { reason });
}
