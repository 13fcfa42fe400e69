import { splitPointer, type SchemaFault } from '../documents/json-schema.ts';

/**
 * A copy of the value without the parts that do not fit their schema, list positions kept. A group of keys that
 * lacks one or has one too many stays: the rest of it is still worth checking.
 */
export function withoutFaultyParts(value: unknown, faults: readonly SchemaFault[]): unknown {
  const copy = structuredClone({ root: value });
  for (const fault of faults) {
    if (fault.key !== undefined) continue;
    const segments = ['root', ...splitPointer(fault.pointer)];
    const last = segments.pop() ?? 'root';
    let parent: unknown = copy;
    for (const segment of segments) parent = memberOf(parent, segment);
    if (typeof parent !== 'object' || parent === null) continue;
    const part = memberOf(parent, last);
    const isScalar = typeof part !== 'object' || part === null;
    if (isScalar || fault.keyword === 'type') (parent as Record<string, unknown>)[last] = undefined;
  }
  return copy.root;
}

function memberOf(parent: unknown, segment: string): unknown {
  return typeof parent === 'object' && parent !== null
    ? (parent as Record<string, unknown>)[segment]
    : undefined;
}
