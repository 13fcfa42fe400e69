import { asSchema, resolveReference, type Schema } from '../schema-reference.ts';

const SECRET_NAME = /(pass(word|phrase)|secret|token|private_?key|api_?key)$/i;
/** Shorter ones would be found by chance. */
const SHORTEST_SECRET = 6;

/** The texts among the options that must never be shown: by the setting's name, or `writeOnly` in the schema. */
export function secretsOf(options: unknown, schema: unknown): string[] {
  const root = asSchema(schema);
  return [...texts(options, root, root, false)].filter((text) => text.length >= SHORTEST_SECRET);
}

function* texts(value: unknown, schema: Schema, root: Schema, isSecret: boolean): Generator<string> {
  if (typeof value === 'string') {
    if (isSecret) yield value;
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { properties, items } = schema;
  for (const [key, member] of Object.entries(value)) {
    const written = asSchema(Array.isArray(value) ? items : asSchema(properties)[key]);
    const { property, root: home } = resolveReference(written, root);
    const secret = SECRET_NAME.test(key) || property.writeOnly === true;
    yield* texts(member, property, home, secret);
  }
}
