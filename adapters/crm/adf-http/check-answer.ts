import type { Problem } from '../../../src/adapters/index.ts';
import { fault } from './fault.ts';
import type { AnswerPlace, Options } from './options.ts';

/** A repeated group with a repetition inside may take longer than anyone waits. */
const NESTED_REPETITION = /\([^)]*[+*}][^)]*\)[+*{]/;
const BACK_REFERENCE = /\\[1-9]|\\k</;

export function checkAnswer({ answer }: Options): Problem[] {
  const problems = answer.rules.flatMap((rule, index) => checkPlace(`answer.rules[${index}]`, rule));
  if (answer.reference !== undefined) problems.push(...checkPlace('answer.reference', answer.reference));
  return problems;
}

function checkPlace(path: string, { json, xml, pattern }: AnswerPlace): Problem[] {
  if ([json, xml, pattern].filter((place) => place !== undefined).length !== 1) {
    return [fault(path, 'must say one of json, xml and pattern')];
  }
  if (json !== undefined && json !== '' && !json.startsWith('/')) {
    return [fault(`${path}.json`, `${JSON.stringify(json)} is no JSON Pointer`, 'It begins with a slash.')];
  }
  return pattern === undefined ? [] : checkPattern(`${path}.pattern`, pattern);
}

function checkPattern(path: string, pattern: string): Problem[] {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    return [fault(path, error instanceof Error ? error.message : 'is no regular expression')];
  }
  if (NESTED_REPETITION.test(pattern) || BACK_REFERENCE.test(pattern)) {
    return [
      fault(path, 'may take forever on a long answer', 'Repeat no group that repeats something itself.'),
    ];
  }
  return [];
}
