const SECRET_NAME = /(pass(word|phrase)|secret|token|private_?key|api_?key)$/i;
/** Shorter ones would be found by chance. */
const SHORTEST_SECRET = 6;

/** The texts among the options that must never be shown: by the setting's name, or `writeOnly` in the schema. */
export function secretsOf(options: unknown, schema: unknown): string[] {
  return [...texts(options, schema, false)].filter((text) => text.length >= SHORTEST_SECRET);
}

function* texts(value: unknown, schema: unknown, isSecret: boolean): Generator<string> {
  if (typeof value === 'string') {
    if (isSecret) yield value;
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { properties, items } = asRecord(schema);
  for (const [key, member] of Object.entries(value)) {
    const inner = Array.isArray(value) ? items : asRecord(properties)[key];
    const secret = SECRET_NAME.test(key) || asRecord(inner).writeOnly === true;
    yield* texts(member, inner, secret);
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
