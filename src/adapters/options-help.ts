import { asSchema, resolveReference, type Schema } from './schema-reference.ts';

/** One setting of an adapter, for a person. */
export interface OptionHelp {
  /** As in the settings: `smtp.port`, `to[].address`. */
  path: string;
  /** `text`, `whole number from 1 to 600`, `one of a, b`. */
  type: string;
  isRequired: boolean;
  isSecret: boolean;
  /** As JSON. */
  default?: string;
  description: string;
}

const DEEPEST = 6;

/** Every setting of an options schema, in the order in which it stands there. */
export function optionsHelp(schema: Schema): OptionHelp[] {
  return [...settingsOf(schema, schema, '', 0)];
}

function* settingsOf(schema: Schema, root: Schema, path: string, depth: number): Generator<OptionHelp> {
  if (depth > DEEPEST) return;
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]) : [];
  for (const [name, written] of Object.entries(asSchema(schema.properties))) {
    const { property, root: home } = resolveReference(asSchema(written), root);
    const inner = path === '' ? name : `${path}.${name}`;
    yield {
      path: inner,
      type: typeOf(property),
      isRequired: required.includes(name),
      isSecret: property.writeOnly === true,
      ...(isPlainDefault(property.default) && { default: JSON.stringify(property.default) }),
      description: typeof property.description === 'string' ? property.description : '',
    };
    yield* settingsOf(property, home, inner, depth + 1);
    const items = resolveReference(asSchema(property.items), home);
    yield* settingsOf(items.property, items.root, `${inner}[]`, depth + 1);
  }
}

/** A default of an empty object only says that its members have defaults. */
function isPlainDefault(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value) !== '{}';
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'group',
};

function typeOf({ type, enum: choices, minimum, maximum }: Schema): string {
  if (Array.isArray(choices)) return `one of ${choices.map(String).join(', ')}`;
  const types = (Array.isArray(type) ? type : [type]).map((name) => TYPE_NAMES[String(name)] ?? String(name));
  const name = type === undefined ? 'any value' : types.join(' or ');
  if (typeof minimum === 'number' && typeof maximum === 'number')
    return `${name} from ${minimum} to ${maximum}`;
  if (typeof minimum === 'number') return `${name} from ${minimum}`;
  return typeof maximum === 'number' ? `${name} up to ${maximum}` : name;
}

/** The settings that must be written, with values to be replaced; `examples` of the schema if it has some. */
export function exampleOptions(schema: Schema): Schema {
  return exampleOf(schema, schema);
}

function exampleOf(schema: Schema, root: Schema): Schema {
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const properties = asSchema(schema.properties);
  return Object.fromEntries(
    required.map((name) => [name, exampleValue(asSchema(properties[name]), root, name)]),
  );
}

function exampleValue(written: Schema, root: Schema, name: string): unknown {
  const { property, root: home } = resolveReference(written, root);
  const { type, examples, enum: choices, minimum } = property;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as unknown;
  if ('default' in property) return property.default;
  if (Array.isArray(choices)) return choices[0] as unknown;
  if (type === 'object') return exampleOf(property, home);
  if (type === 'array') return [exampleValue(asSchema(property.items), home, name)];
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 1;
  if (type === 'boolean') return true;
  return property.writeOnly === true ? `\${env:${name.toUpperCase()}}` : `<${name}>`;
}
