import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Pair } from 'yaml';
import { joinPointer, splitPointer } from './json-schema.ts';
import type { Problem, ProblemPlace } from '../model/problem.ts';
import { documentProblem } from './problems.ts';

/** Aliases count every time they are followed, so that a small file can not become a large tree. */
const MAX_NODES = 50_000;
const MAX_DEPTH = 50;

/** Keys that would reach into the prototype of JavaScript objects. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

interface Entry {
  /** Of the key; in a list, of the value. */
  offset: number;
  /** Such as `feeds[1].profile`. */
  path: string;
}

/** Turns nodes into plain values and remembers where each stood. */
export class YamlCollector {
  readonly problems: Problem[] = [];
  isTooComplex = false;
  readonly #document: Document.Parsed;
  readonly #placeAt: (offset: number) => ProblemPlace;
  readonly #entries = new Map<string, Entry>();
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
    this.#entries.set(pointer, { offset, path });
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

  /** The entry at a pointer, or where its nearest written ancestor stands, with the path that was asked for. */
  nearestEntry(pointer: string): Entry {
    const segments = splitPointer(pointer);
    for (let length = segments.length; length > 0; length--) {
      const entry = this.#entries.get(joinPointer('', ...segments.slice(0, length)));
      if (entry === undefined) continue;
      return { offset: entry.offset, path: segments.slice(length).reduce(extendPath, entry.path) };
    }
    return { offset: this.#entries.get('')?.offset ?? 0, path: segments.reduce(extendPath, '') };
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
        this.problems.push(documentProblem(code, { ...this.#placeAt(keyOffset), path: keyPath }, { key }));
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
    this.problems.push(documentProblem('CONFIG_TOO_COMPLEX', this.#placeAt(offset)));
  }
}

function extendPath(path: string, key: string): string {
  if (/^[0-9]+$/.test(key)) return `${path}[${key}]`;
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
