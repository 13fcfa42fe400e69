type Schema = Record<string, unknown>;

/** What an options schema lacks for the person who writes the settings, place by place. */
export function optionsSchemaFaults(schema: Schema): string[] {
  const faults: string[] = [];
  visit(schema, '', faults, schema);
  return faults;
}

function visit(schema: Schema, path: string, faults: string[], root: Schema): void {
  const properties = members(schema.properties);
  if (
    properties.length > 0 &&
    schema.additionalProperties !== false &&
    schema.unevaluatedProperties !== false
  ) {
    faults.push(
      `${path === '' ? 'it' : path} takes unknown keys, so that a misspelt setting goes unnoticed; write "additionalProperties": false`,
    );
  }
  for (const [name, property] of properties) {
    const inner = path === '' ? name : `${path}.${name}`;
    if (!isDescribed(property, root)) faults.push(`${inner} has no description`);
    visit(property, inner, faults, root);
  }
  if (isSchema(schema.items)) visit(schema.items, `${path}[]`, faults, root);
}

function members(properties: unknown): [string, Schema][] {
  return isSchema(properties)
    ? Object.entries(properties).filter((entry): entry is [string, Schema] => isSchema(entry[1]))
    : [];
}

/** A reference to another file is a schema of ours, and described there. */
function isDescribed({ description, $ref }: Schema, root: Schema): boolean {
  if (typeof description === 'string' && description.trim() !== '') return true;
  if (typeof $ref !== 'string') return false;
  if (!$ref.startsWith('#/')) return true;
  let target: unknown = root;
  for (const key of $ref.slice(2).split('/')) target = isSchema(target) ? target[key] : undefined;
  return isSchema(target) && isDescribed(target, root);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
