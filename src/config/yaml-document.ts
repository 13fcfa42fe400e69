import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type Pair,
  type YAMLError,
} from 'yaml';
import { joinPointer, splitPointer } from '../adapters/json-schema.ts';
import type { Problem, ProblemPlace } from '../model/problem.ts';
import { configProblem } from './problems.ts';

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

const MAX_NODES = 50_000;
const MAX_DEPTH = 50;
const MAX_SYNTAX_PROBLEMS = 20;

/** Keys that would reach into the prototype of JavaScript objects. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

interface Entry {
  offset: number;
  /** Such as `feeds[1].profile`. */
  path: string;
}

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
    return { document: undefined, problems: [configProblem('CONFIG_TOO_COMPLEX', { file })] };
  }

  const placeAt = (offset: number): ProblemPlace => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  if (parsed.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) {
    return { document: undefined, problems: [configProblem('CONFIG_TOO_COMPLEX', { file })] };
  }
  const problems = onePerPlace([...parsed.errors, ...parsed.warnings])
    .slice(0, MAX_SYNTAX_PROBLEMS)
    .map((error) => describeSyntax(error, withoutMark, placeAt(error.pos[0])));
  const isReadable = parsed.errors.every(({ code }) => code === 'DUPLICATE_KEY');
  if (!isReadable) return { document: undefined, problems };
  if (parsed.contents === null || (isScalar(parsed.contents) && parsed.contents.value === null)) {
    return { document: undefined, problems: [...problems, configProblem('CONFIG_FILE_EMPTY', { file })] };
  }

  const collector = new Collector(parsed, placeAt);
  const value = collector.collect(parsed.contents, '', '', 0, undefined);
  problems.push(...collector.problems);
  if (collector.isTooComplex) return { document: undefined, problems };
  const place = (pointer: string): ProblemPlace => {
    const { offset, path } = nearestEntry(collector.entries, pointer);
    return { ...placeAt(offset), ...(path === '' ? {} : { path }) };
  };
  return { document: { value, place }, problems };
}

/** One slip often breaks several rules of YAML at once. */
function onePerPlace(errors: readonly YAMLError[]): YAMLError[] {
  const offsets = new Set<number>();
  return errors.filter(({ pos }) => !offsets.has(pos[0]) && offsets.add(pos[0]));
}

/** What a person should look at who does not know YAML's own words. */
const SYNTAX_HINTS: Readonly<Record<string, string>> = {
  BAD_INDENT: 'check the indentation',
  BLOCK_AS_IMPLICIT_KEY: 'check the indentation, and put texts with a colon in quotes',
  MULTILINE_IMPLICIT_KEY: 'check the indentation and the colons',
  BAD_SCALAR_START: 'put the text in quotes',
  TAB_AS_INDENT: 'use blanks, not tabs',
  MISSING_CHAR: 'check quotes, brackets and colons before this place',
};

function describeSyntax(error: YAMLError, text: string, place: ProblemPlace): Problem {
  if (error.code === 'DUPLICATE_KEY') {
    const key = /^[^\s:]*/.exec(text.slice(error.pos[0], error.pos[0] + 100))?.[0] ?? '';
    return configProblem('CONFIG_KEY_TWICE', place, { key });
  }
  const message = error.message.split('\n')[0] ?? '';
  const hint = SYNTAX_HINTS[error.code];
  const reason = hint === undefined ? message : `${message}: ${hint}`;
  return configProblem('CONFIG_YAML_INVALID', place, { reason });
}

/** Turns nodes into plain values and remembers where each stood. */
class Collector {
  readonly entries = new Map<string, Entry>();
  readonly problems: Problem[] = [];
  isTooComplex = false;
  readonly #document: Document.Parsed;
  readonly #placeAt: (offset: number) => ProblemPlace;
  #nodes = 0;

  constructor(document: Document.Parsed, placeAt: (offset: number) => ProblemPlace) {
    this.#document = document;
    this.#placeAt = placeAt;
  }

  collect(
    node: Node | null,
    pointer: string,
    path: string,
    depth: number,
    keyOffset: number | undefined,
  ): unknown {
    const offset = keyOffset ?? node?.range?.[0] ?? 0;
    this.entries.set(pointer, { offset, path });
    this.#nodes += 1;
    if (depth > MAX_DEPTH || this.#nodes > MAX_NODES) {
      this.#refuseComplexity(offset);
      return undefined;
    }
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      return this.collect(target ?? null, pointer, path, depth + 1, offset);
    }
    if (isMap(node)) return this.#collectMap(node.items, pointer, path, depth);
    if (isSeq(node)) {
      return node.items.map((item, index) =>
        this.collect(item as Node, joinPointer(pointer, index), `${path}[${index}]`, depth + 1, undefined),
      );
    }
    return isScalar(node) ? node.value : null;
  }

  #collectMap(pairs: readonly Pair[], pointer: string, path: string, depth: number): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const pair of pairs) {
      const keyNode = pair.key as Node;
      const key = isScalar(keyNode) ? String(keyNode.value) : '';
      const keyOffset = keyNode.range?.[0] ?? 0;
      const keyPath = extendPath(path, key);
      if (key === '<<' || FORBIDDEN_KEYS.has(key)) {
        const code = key === '<<' ? 'CONFIG_MERGE_KEY' : 'CONFIG_KEY_FORBIDDEN';
        this.problems.push(configProblem(code, { ...this.#placeAt(keyOffset), path: keyPath }, { key }));
        continue;
      }
      values[key] = this.collect(
        pair.value as Node | null,
        joinPointer(pointer, key),
        keyPath,
        depth + 1,
        keyOffset,
      );
    }
    return values;
  }

  #refuseComplexity(offset: number): void {
    if (this.isTooComplex) return;
    this.isTooComplex = true;
    this.problems.push(configProblem('CONFIG_TOO_COMPLEX', this.#placeAt(offset)));
  }
}

function nearestEntry(entries: ReadonlyMap<string, Entry>, pointer: string): Entry {
  const segments = splitPointer(pointer);
  for (let length = segments.length; length > 0; length--) {
    const entry = entries.get(joinPointer('', ...segments.slice(0, length)));
    if (entry === undefined) continue;
    return { offset: entry.offset, path: segments.slice(length).reduce(extendPath, entry.path) };
  }
  return { offset: entries.get('')?.offset ?? 0, path: segments.reduce(extendPath, '') };
}

function extendPath(path: string, key: string): string {
  if (/^[0-9]+$/.test(key)) return `${path}[${key}]`;
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
