import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AnySchemaObject } from 'ajv/dist/2020.js';
import { addStrictFormats } from './schema-formats.ts';

const SCHEMA_ENDING = '.schema.json';
const SCHEMA_FOLDER = new URL('../../schemas/aap/v1.3/', import.meta.url);

/**
 * A validator that knows all AAP schemas by their file names (`vehicle.schema.json`). Formats are asserted, and
 * date-time needs its offset. Every fault is reported; `verbose` keeps the value and the schema with each fault.
 */
export function createSchemaValidator(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    ownProperties: true,
    strict: true,
    // A refined shape (`listing`) leaves the type to the schema that it refines.
    strictTypes: false,
    strictRequired: false,
    // A test looks whether they are schemas, which takes as long as compiling them.
    validateSchema: false,
  });
  addStrictFormats(ajv);
  for (const text of readSchemaTexts().values()) ajv.addSchema(JSON.parse(text) as AnySchemaObject);
  return ajv;
}

/** The AAP schemas as their files hold them, by file name. They refer to each other by these names. */
export function readSchemaTexts(): ReadonlyMap<string, string> {
  const names = readdirSync(SCHEMA_FOLDER).filter((name) => name.endsWith(SCHEMA_ENDING));
  return new Map(names.map((name) => [name, readFileSync(new URL(name, SCHEMA_FOLDER), 'utf8')]));
}
