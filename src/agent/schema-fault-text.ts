import type { ErrorObject } from 'ajv/dist/2020.js';
import { didYouMean } from '../model/suggestion.ts';
import { isVin, suggestVin } from '../model/vin.ts';

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

const FORMAT_TEXTS: Readonly<Record<string, string>> = {
  'date-time': 'must be a date and time with its offset, such as 2026-04-30T10:15:00Z',
  date: 'must be a calendar date, such as 2026-04-30',
  email: 'must be an e-mail address',
  uri: 'must be an absolute URL',
};

const VIN_LENGTH = 17;

/** What would be right at the place of the fault, in plain words. */
export function expectation(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  const limit = String(params.limit);
  switch (error.keyword) {
    case 'type':
      return `must be ${typeNames(params.type)}`;
    case 'required':
      return `must have "${String(params.missingProperty)}"`;
    case 'additionalProperties':
      return unknownKeyText(String(params.additionalProperty), error);
    case 'enum':
      return `must be ${oneOf(params.allowedValues as unknown[])}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'anyOf':
      return choice(error);
    case 'pattern':
      return patternText(error);
    case 'format':
      return FORMAT_TEXTS[String(params.format)] ?? `must be a ${String(params.format)}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'minLength':
    case 'minItems':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'maxItems':
      return `must have at most ${limit} ${limit === '1' ? 'entry' : 'entries'}`;
    case 'uniqueItems':
      return 'must not hold the same entry twice';
    default:
      return error.message ?? `breaks the rule "${error.keyword}"`;
  }
}

function typeNames(type: unknown): string {
  const names = Array.isArray(type) ? type : [type];
  return names.map((name) => TYPE_NAMES[String(name)] ?? String(name)).join(' or ');
}

function unknownKeyText(key: string, error: ErrorObject): string {
  const { properties } = error.parentSchema as { properties?: object };
  const known = Object.keys(properties ?? {});
  const suggestion = didYouMean(key, known);
  return `is not a known key here${suggestion === '' ? `; known are ${known.join(', ')}` : suggestion}`;
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? quoted(values) : `one of ${quoted(values)}`;
}

function quoted(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

/** The names of which one would do, when that is what the anyOf asks. */
export function alternatives(error: ErrorObject): string[] | undefined {
  const names = (error.schema as { required?: string[] }[]).map((branch) => branch.required?.[0]);
  return names.every((name) => name !== undefined) ? names : undefined;
}

function choice(error: ErrorObject): string {
  const names = alternatives(error);
  if (names !== undefined) return `must have at least one of ${quoted(names)}`;
  const shapes = (error.schema as { type: string; items?: { type: string } }[]).map(({ type, items }) =>
    items === undefined ? typeNames(type) : `${typeNames(type)} of ${items.type}s`,
  );
  return `must be ${shapes.join(' or ')}`;
}

function patternText(error: ErrorObject): string {
  const key = error.instancePath.split('/').at(-1);
  if (key === 'vin') return `must be 17 capital letters and digits without I, O and Q${vinMeant(error.data)}`;
  if (key === 'phone') return 'must be a number in E.164 form, such as +14155550100';
  return 'must not be blank';
}

function vinMeant(value: unknown): string {
  const corrected = String(value).trim().toUpperCase();
  if (isVin(corrected)) return `; write ${corrected}`;
  if (corrected.length !== VIN_LENGTH) return `; this one has ${corrected.length} characters`;
  const letters = [...new Set(corrected.match(/[IOQ]/g))];
  if (letters.length === 0) return '';
  const likely = suggestVin(corrected);
  return `; this one has ${letters.join(' and ')}${likely === undefined ? '' : `; did you mean ${likely}?`}`;
}
