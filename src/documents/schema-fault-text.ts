import type { ErrorObject } from 'ajv';
import { didYouMean } from '../model/suggestion.ts';

/** More known keys than this would drown the message. */
const KEYS_SHOWN = 15;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'a group of keys',
  array: 'a list',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  uri: 'an absolute web address',
  'date-time': 'a date and time with offset, such as 2026-04-30T10:15:00Z',
  date: 'a date such as 2026-04-30',
  hostname: 'a host name',
};

/** The fault in plain words. `alternatives` are the faults of the branches when the keyword is anyOf or oneOf. */
export function describeFault(error: ErrorObject, alternatives: readonly ErrorObject[]): string {
  const schema = (error.parentSchema ?? {}) as Record<string, unknown>;
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'type':
      return describeType(params.type, error.data);
    case 'required':
      return `"${String(params.missingProperty)}" is missing`;
    case 'dependentRequired':
      return `"${String(params.missingProperty)}" is missing; "${String(params.property)}" needs it`;
    case 'additionalProperties':
      return describeUnknownKey(String(params.additionalProperty), schema);
    case 'unevaluatedProperties':
      return describeUnknownKey(String(params.unevaluatedProperty), schema);
    case 'enum':
      return describeChoice(error.data, params.allowedValues);
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'pattern':
      return `must be ${hintOf(schema) ?? `text that matches ${String(params.pattern)}`}`;
    case 'format':
      return `must be ${hintOf(schema) ?? FORMAT_NAMES[String(params.format)] ?? `a valid ${String(params.format)}`}`;
    case 'minLength':
      return params.limit === 1
        ? 'must not be empty'
        : `must have at least ${String(params.limit)} characters`;
    case 'maxLength':
      return `must have at most ${String(params.limit)} characters`;
    case 'minItems':
      return params.limit === 1
        ? 'needs at least one entry'
        : `needs at least ${String(params.limit)} entries`;
    case 'maxItems':
      return `takes at most ${String(params.limit)} entries`;
    case 'uniqueItems':
      return 'is listed twice';
    case 'minimum':
      return `must be at least ${String(params.limit)}`;
    case 'maximum':
      return `must be at most ${String(params.limit)}`;
    case 'propertyNames':
      return `the key "${String(params.propertyName)}" is not allowed here`;
    case 'anyOf':
    case 'oneOf':
      return describeAlternatives(alternatives, error.message);
    case 'false schema':
      return 'is not allowed here';
    default:
      return error.message ?? `does not satisfy "${error.keyword}"`;
  }
}

function describeType(expected: unknown, value: unknown): string {
  const types = (Array.isArray(expected) ? expected : [expected]).map(String);
  const wanted = types.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
  if (value === null) return `must be ${wanted}, but nothing is written here`;
  if (typeof value === 'number' && types.includes('integer')) return `must be ${wanted}, without decimals`;
  const isBare = typeof value === 'number' || typeof value === 'boolean';
  const quotes = types.includes('string') && isBare ? '; put it in quotes' : '';
  return `must be ${wanted}, not ${nameOf(value)}${quotes}`;
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return 'a number';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'string' ? 'text' : 'a group of keys';
}

function describeUnknownKey(key: string, schema: Record<string, unknown>): string {
  const known = Object.keys(schema.properties ?? {});
  const suggestion = didYouMean(key, known);
  if (suggestion !== '') return `unknown key "${key}"${suggestion}`;
  if (known.length === 0) return `unknown key "${key}"`;
  const more = known.length > KEYS_SHOWN ? ', ...' : '';
  return `unknown key "${key}"; known are ${known.slice(0, KEYS_SHOWN).join(', ')}${more}`;
}

function describeChoice(value: unknown, allowed: unknown): string {
  const choices = (Array.isArray(allowed) ? allowed : []).map(String);
  const suggestion = typeof value === 'string' ? didYouMean(value, choices) : '';
  return `must be one of ${choices.join(', ')}${suggestion}`;
}

function describeAlternatives(alternatives: readonly ErrorObject[], fallback: string | undefined): string {
  const missing = alternatives.filter((alternative) => alternative.keyword === 'required');
  if (missing.length > 0 && missing.length === alternatives.length) {
    const names = missing.map(({ params }) => String((params as Record<string, unknown>).missingProperty));
    return `needs one of ${[...new Set(names)].join(', ')}`;
  }
  const reasons = new Set(alternatives.map((alternative) => describeFault(alternative, [])));
  return reasons.size === 0
    ? (fallback ?? 'fits none of the allowed forms')
    : `fits none of the allowed forms (${[...reasons].join('; ')})`;
}

function hintOf(schema: Record<string, unknown>): string | undefined {
  const hint = schema['x-hint'];
  return typeof hint === 'string' ? hint : undefined;
}
