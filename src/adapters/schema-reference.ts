import { sharedSchema } from '../documents/json-schema.ts';

export type Schema = Record<string, unknown>;

/** What a property says, with what its `$ref` points to; `root` is the schema that further references begin at. */
export function resolveReference(property: Schema, root: Schema): { property: Schema; root: Schema } {
  const { $ref, ...own } = property;
  if (typeof $ref !== 'string') return { property, root };
  const [address = '', pointer = ''] = $ref.split('#');
  const home = address === '' ? root : (sharedSchema(address) ?? {});
  let target: unknown = home;
  for (const key of pointer.split('/').slice(1)) target = asSchema(target)[key];
  return { property: { ...asSchema(target), ...own }, root: home };
}

export function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
