import { isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import type { Problem, ProblemPlace } from '../model/problem.ts';
import { documentProblem } from './problems.ts';
import { describeSyntax, onePerPlace } from './yaml-syntax.ts';
import { YamlCollector } from './yaml-collector.ts';

/** A YAML text as plain values, with the position of every one of them. */
export interface YamlDocument {
  value: unknown;
  /** Where the value stands, by JSON Pointer; of what is not written there, where its parent stands. */
  readonly place: (pointer: string) => ProblemPlace;
}

export interface ParsedYaml {
  /** Undefined when the text is too broken to look any further. */
  document: YamlDocument | undefined;
  problems: Problem[];
}

const MAX_SYNTAX_PROBLEMS = 20;

/** Reads YAML 1.2 with text keys only. Aliases are followed within bounds; tags of other languages are refused. */
export function parseYaml(text: string, file: string): ParsedYaml {
  const lines = new LineCounter();
  const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
  let parsed: Document.Parsed;
  try {
    parsed = parseDocument(withoutMark, {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
      resolveKnownTags: false,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { document: undefined, problems: [documentProblem('CONFIG_TOO_COMPLEX', { file })] };
  }

  const placeAt = (offset: number): ProblemPlace => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  if (parsed.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) {
    return { document: undefined, problems: [documentProblem('CONFIG_TOO_COMPLEX', { file })] };
  }
  const problems = onePerPlace([...parsed.errors, ...parsed.warnings])
    .slice(0, MAX_SYNTAX_PROBLEMS)
    .map((error) => describeSyntax(error, withoutMark, placeAt(error.pos[0])));
  const isReadable = parsed.errors.every(({ code }) => code === 'DUPLICATE_KEY');
  if (!isReadable) return { document: undefined, problems };
  if (parsed.contents === null || (isScalar(parsed.contents) && parsed.contents.value === null)) {
    return { document: undefined, problems: [...problems, documentProblem('CONFIG_FILE_EMPTY', { file })] };
  }

  const collector = new YamlCollector(parsed, placeAt);
  const value = collector.collect(parsed.contents, '', '', 0, undefined);
  problems.push(...collector.problems);
  if (collector.isTooComplex) return { document: undefined, problems };
  const place = (pointer: string): ProblemPlace => {
    const { offset, path } = collector.nearestEntry(pointer);
    return { ...placeAt(offset), ...(path === '' ? {} : { path }) };
  };
  return { document: { value, place }, problems };
}
