import { joinPointer } from '../documents/json-schema.ts';
import type { Fault } from './faults.ts';

/** Far above what an honest request needs, far below what exhausts the stack. */
const MAX_DEPTH = 64;
/** Of one list or object: comparing entries for uniqueness takes their number squared, and each may be a fault. */
const MAX_ENTRIES = 500;

/**
 * Names that JavaScript's own machinery looks up on any object: comparing two entries of a list calls what stands
 * there. No field of the protocol has such a name.
 */
const RESERVED_KEYS = ['__proto__', 'valueOf', 'toString'];

interface Node {
  value: unknown;
  pointer: string;
  depth: number;
}

/**
 * The first place where parsed JSON is too deep, a list or object too long, or a key is a reserved one. Walks with a
 * list of its own instead of the call stack, since depth is what it guards against; whatever passes may be walked
 * freely. What stands at a pointer that `isElsewhere` names is left to another look.
 */
export function findExcess(
  root: unknown,
  rootPointer: string,
  isElsewhere: (pointer: string) => boolean = () => false,
): Fault | undefined {
  if (isModest(root, 0)) return undefined;
  const pending: Node[] = [{ value: root, pointer: rootPointer, depth: 0 }];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { value, pointer, depth } = node;
    if (typeof value !== 'object' || value === null || isElsewhere(pointer)) continue;
    if (depth >= MAX_DEPTH) {
      return fault(pointer.split('/', 8).join('/'), 'maxDepth', `is nested deeper than ${MAX_DEPTH} levels`);
    }
    const keys = Object.keys(value);
    if (keys.length > MAX_ENTRIES) {
      const keyword = Array.isArray(value) ? 'maxItems' : 'maxProperties';
      return fault(pointer, keyword, `must have at most ${MAX_ENTRIES} entries`);
    }
    for (const reserved of RESERVED_KEYS) {
      if (!Object.hasOwn(value, reserved)) continue;
      return fault(joinPointer(pointer, reserved), 'additionalProperties', 'is not a known key');
    }
    for (const key of keys) {
      const item = (value as Record<string, unknown>)[key];
      if (typeof item !== 'object' || item === null) continue;
      pending.push({ value: item, pointer: joinPointer(pointer, key), depth: depth + 1 });
    }
  }
  return undefined;
}

/** The common case, without a word about where: every call passes here. Ends at a depth that the stack bears. */
function isModest(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    return value.length <= MAX_ENTRIES && value.every((item) => isModest(item, depth + 1));
  }
  let entries = 0;
  // Parsed JSON inherits nothing that could be walked over.
  for (const key in value) {
    entries += 1;
    if (entries > MAX_ENTRIES || RESERVED_KEYS.includes(key)) return false;
    if (!isModest((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

function fault(instanceLocation: string, keyword: string, error: string): Fault {
  return { instanceLocation, keyword, error };
}
