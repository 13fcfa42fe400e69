import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { addStrictFormats } from './schema-formats.ts';
import { describeFault } from './schema-fault-text.ts';

/** One place where a value does not fit its schema, told for a person who does not know JSON Schema. */
export interface SchemaFault {
  /** JSON Pointer of the value (RFC 6901). A missing key is a fault of the object that lacks it. */
  pointer: string;
  /** Set when the fault is the key itself (an unknown one): the fault stands at this key of `pointer`. */
  key?: string;
  /** Set when the fault is a key that `pointer` lacks. */
  missingKey?: string;
  keyword: string;
  /** Never quotes the value, which may be a secret. */
  message: string;
}

/** Tells every fault at once, and fills the schema's defaults into `value` itself. */
export type SchemaCheck = (value: unknown) => SchemaFault[];

/** What every schema may refer to by its `$id`: settings that several adapters or files share. */
const SHARED_SCHEMAS = ['adf-options.schema.json', 'tokens.schema.json'].map(readShippedSchema);

/**
 * Compiles a JSON Schema (draft 2020-12). The annotation `x-hint` says in plain words what a text must look like
 * and takes the place of a pattern in messages. Throws when the schema itself is wrong.
 */
export function compileSchema(schema: object): SchemaCheck {
  return compile(schema, { isSound: false });
}

/** Looking at whether a schema is one takes as long as compiling it, so nobody does that for those of the program. */
function compile(schema: object, { isSound }: { isSound: boolean }): SchemaCheck {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    useDefaults: true,
    allowUnionTypes: true,
    ownProperties: true,
    strictSchema: true,
    strictNumbers: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    logger: false,
    validateSchema: !isSound,
    // These schemas judge a few documents, so what counts is how long compiling takes: half as long without the two.
    inlineRefs: false,
    code: { optimize: false },
  });
  ajv.addKeyword('x-hint');
  addStrictFormats(ajv);
  for (const shared of SHARED_SCHEMAS) ajv.addSchema(shared, undefined, undefined, false);
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : schemaFaultsOf(validate.errors ?? []));
}

/**
 * As `compileSchema`, at the first use: few of the program's own schemas are used by one command, and compiling them
 * all takes longer than the rest of its start. They are sound, so nothing is missed by that.
 */
export function compileWhenUsed(schema: () => object): SchemaCheck {
  let check: SchemaCheck | undefined;
  return (value) => (check ??= compile(schema(), { isSound: true }))(value);
}

/** A schema of the program (schemas/), by its file name. */
export function readShippedSchema(name: string): Record<string, unknown> {
  const text = readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8');
  return JSON.parse(text) as Record<string, unknown>;
}

/** A schema that others may refer to, by its `$id`. */
export function sharedSchema(id: string): Record<string, unknown> | undefined {
  return SHARED_SCHEMAS.find(({ $id }) => $id === id);
}

export function joinPointer(pointer: string, ...segments: readonly (string | number)[]): string {
  let joined = pointer;
  for (const segment of segments) joined += `/${escapeSegment(String(segment))}`;
  return joined;
}

function escapeSegment(segment: string): string {
  // Nearly no key has either, and looking is cheaper than replacing.
  if (!segment.includes('~') && !segment.includes('/')) return segment;
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function splitPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What Ajv found, for a person. The validator must be `verbose`. */
export function schemaFaultsOf(errors: readonly ErrorObject[]): SchemaFault[] {
  return errors
    .filter((error) => error.keyword !== 'if' && !belongsToAlternative(error, errors))
    .map((error) => toFault(error, errors));
}

function toFault(error: ErrorObject, errors: readonly ErrorObject[]): SchemaFault {
  const message = describeFault(error, alternativesOf(error, errors));
  const fault: SchemaFault = { pointer: error.instancePath, keyword: error.keyword, message };
  const params = error.params as Record<string, unknown>;
  const key = params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  if (typeof key === 'string') fault.key = key;
  if (error.keyword === 'required') fault.missingKey = String(params.missingProperty);
  if (error.keyword === 'uniqueItems') {
    fault.pointer = joinPointer(error.instancePath, Math.max(Number(params.i), Number(params.j)));
  }
  return fault;
}

/** A fault inside one branch of anyOf, oneOf or propertyNames is told by that keyword's own fault. */
function belongsToAlternative(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  return errors.some((other) => other !== error && isInside(error, other));
}

function alternativesOf(error: ErrorObject, errors: readonly ErrorObject[]): ErrorObject[] {
  return errors.filter((other) => other !== error && isInside(other, error));
}

function isInside(inner: ErrorObject, outer: ErrorObject): boolean {
  return (
    ['anyOf', 'oneOf', 'propertyNames'].includes(outer.keyword) &&
    inner.schemaPath.startsWith(`${outer.schemaPath}/`) &&
    inner.instancePath.startsWith(outer.instancePath)
  );
}
