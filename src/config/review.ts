import { join, resolve } from 'node:path';
import { splitPointer } from '../documents/json-schema.ts';
import type { Problem, ProblemPlace } from '../model/problem.ts';
import type { ProblemFacts } from '../model/problem-text.ts';
import type { BridgeFile, Sound } from './bridge-file.ts';
import { configProblem, quote, type ConfigProblemCode } from './problems.ts';
import type { SecretSource } from './secrets.ts';

/** What the cross checks look at, and how they tell what they find. */
export interface Review {
  file: Sound<BridgeFile>;
  folders: Folders;
  secretSource: SecretSource;
  /** Ids of all rooftops that are written and where: also unsound ones, whose own fault is already told. */
  rooftopIds: ReadonlyMap<string, number>;
  /** Pointers of texts whose secret is missing. */
  unresolved: ReadonlySet<string>;
  secrets: Map<string, string>;
  place: (pointer: string) => ProblemPlace;
  /** The text as it is written there, in quotes: a reference instead of the secret. */
  written: (pointer: string) => string;
  isWritten: (pointer: string) => boolean;
  tell: (code: ConfigProblemCode, pointer: string, facts?: ProblemFacts) => Problem;
}

/** Absolute. */
export interface Folders {
  program: string;
  data: string;
  /** Where bridge.yaml stands: relative paths in it count from here. */
  config: string;
}

/** How a review quotes and tells, for a document (`written` = its values before secrets came in). */
export function tellingOf(
  written: unknown,
  place: (pointer: string) => ProblemPlace,
): Pick<Review, 'place' | 'written' | 'isWritten' | 'tell'> {
  return {
    place,
    written: (pointer) => {
      const found = valueAt(written, pointer);
      return quote(typeof found === 'string' || typeof found === 'number' ? String(found) : '');
    },
    isWritten: (pointer) => valueAt(written, pointer) !== undefined,
    tell: (code, pointer, facts = {}) => configProblem(code, place(pointer), facts),
  };
}

function valueAt(value: unknown, pointer: string): unknown {
  return splitPointer(pointer).reduce<unknown>(
    (parent, segment) =>
      typeof parent === 'object' && parent !== null
        ? (parent as Record<string, unknown>)[segment]
        : undefined,
    value,
  );
}

/** The folders that hold adapters: the program's own, then the dealer's. */
export function adapterRoots(folders: Folders): string[] {
  return [join(folders.program, 'adapters'), join(folders.data, 'adapters')];
}

/** Absolute folder in which a feed's files are dropped. */
export function feedFolder(feed: { id: string; folder?: string | undefined }, folders: Folders): string {
  return feed.folder === undefined
    ? join(folders.data, 'inbox', feed.id)
    : resolve(folders.config, feed.folder);
}
