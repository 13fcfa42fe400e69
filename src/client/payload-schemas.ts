import type { Ajv2020 } from 'ajv/dist/2020.js';
import { createSchemaValidator } from '../documents/aap-schemas.ts';
import { schemaFaultsOf, type SchemaFault } from '../documents/json-schema.ts';

/** A page of broken vehicles is told by its first faults. */
const FAULTS_TOLD = 10;

let validator: Ajv2020 | undefined;

/** What the AAP schema of that name (`vehicle-detail-response`) has against a value. */
export function schemaFaults(schema: string, value: unknown): SchemaFault[] {
  validator ??= createSchemaValidator();
  const validate = validator.getSchema(`${schema}.schema.json`);
  if (validate === undefined) throw new Error(`no schema ${schema}`);
  return validate(value) ? [] : schemaFaultsOf(validate.errors ?? []);
}

/** One line a fault, the first few of many. */
export function describeFaults(faults: readonly SchemaFault[]): string[] {
  const told = faults
    .slice(0, FAULTS_TOLD)
    .map(({ pointer, message }) => `${pointer === '' ? 'the whole' : pointer} ${message}`);
  const untold = faults.length - told.length;
  return untold === 0 ? told : [...told, `and ${untold} more faults`];
}
