import type { ErrorObject } from 'ajv/dist/2020.js';
import { joinPointer } from '../documents/json-schema.ts';
import type { Fault } from './faults.ts';
import { shorten } from './shorten.ts';
import { alternatives, expectation } from './schema-fault-text.ts';

const MAX_RECEIVED_CHARACTERS = 200;

/** Keywords that can be broken several times at one place, each time about another key. */
const ABOUT_KEYS = new Set(['required', 'additionalProperties', 'anyOf']);

/** Of several faults of one value, the one that explains the others: a wrong type fails its enum as well. */
const MOST_TELLING_FIRST = ['type', 'const', 'enum', 'pattern', 'format'];

/** What Ajv found, without its noise: one fault for each thing that a person would have to change. */
export function faultsFrom(errors: readonly ErrorObject[]): Fault[] {
  const keyFaults: ErrorObject[] = [];
  const valueFaults = new Map<string, ErrorObject>();
  for (const error of withoutBranches(errors)) {
    if (ABOUT_KEYS.has(error.keyword)) {
      keyFaults.push(error);
      continue;
    }
    const known = valueFaults.get(error.instancePath);
    if (known === undefined || isMoreTelling(error, known)) valueFaults.set(error.instancePath, error);
  }
  return [...keyFaults, ...valueFaults.values()].map(toFault);
}

/** The alternatives of an anyOf fail one by one beside it; only the anyOf itself says what is wanted. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors.filter((error) => error.keyword === 'anyOf');
  if (choices.length === 0) return [...errors];
  const branches = [...new Set(choices.map((choice) => `${choice.schemaPath}/`))];
  return errors.filter((error) => !branches.some((branch) => error.schemaPath.startsWith(branch)));
}

function isMoreTelling(error: ErrorObject, known: ErrorObject): boolean {
  const difference = rank(error) - rank(known);
  if (difference !== 0) return difference < 0;
  // Two vocabularies refuse the word: the narrower one is meant at this place.
  return error.keyword === 'enum' && allowedCount(error) < allowedCount(known);
}

function rank(error: ErrorObject): number {
  const position = MOST_TELLING_FIRST.indexOf(error.keyword);
  return position === -1 ? MOST_TELLING_FIRST.length : position;
}

function allowedCount(error: ErrorObject): number {
  return Array.isArray(error.schema) ? error.schema.length : 0;
}

function toFault(error: ErrorObject): Fault {
  const params = error.params as Record<string, unknown>;
  const missing = missingName(error, params);
  const unknownKey = params.additionalProperty;
  const data: unknown = error.data;
  const isUnknownKey = typeof unknownKey === 'string';
  const value = isUnknownKey ? (data as Record<string, unknown>)[unknownKey] : data;
  const received = plainValue(value);
  return {
    instanceLocation: isUnknownKey ? joinPointer(error.instancePath, unknownKey) : error.instancePath,
    keyword: error.keyword,
    error: expectation(error),
    ...(missing === undefined ? {} : { missing }),
    ...(received === undefined ? {} : { received }),
  };
}

function missingName(error: ErrorObject, params: Record<string, unknown>): string | undefined {
  if (error.keyword === 'required') return String(params.missingProperty);
  if (error.keyword !== 'anyOf') return undefined;
  return alternatives(error)?.join(' or ');
}

/** Lists and objects are not repeated to the caller: they may be long, and they hold the customer. */
function plainValue(value: unknown): Fault['received'] {
  if (typeof value === 'string') return shorten(value, MAX_RECEIVED_CHARACTERS);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return undefined;
}
