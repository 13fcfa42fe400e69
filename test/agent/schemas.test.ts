import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSchemaValidator } from '../../src/agent/schemas.ts';
import { changed, REMOVED, validPayloads, VIN } from './payloads.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The published AAP schemas, where somebody has put them next to the repository. */
const PUBLISHED = join(ROOT, '../shared/spec/aap-v1.3-schemas');

const ajv = createSchemaValidator();
const accepts = (schema: string, payload: unknown): boolean => ours(schema)(payload);

function ours(schema: string): ValidateFunction {
  const validate = ajv.getSchema(`${schema}.schema.json`);
  if (validate === undefined) throw new Error(`no schema ${schema}`);
  return validate;
}

type Case = [schema: string, what: string, changes: Record<string, unknown>];

const REFUSED: Case[] = [
  ['dealer-information-request', 'a key beside type', { filters: {} }],
  ['dealer-information-request', 'another type', { type: 'dealer.information.response' }],
  ['inventory-search-request', 'an unknown filter', { 'filters.makes': ['Honda'] }],
  ['inventory-search-request', 'a word for a year', { 'filters.year_min': 'twenty-twenty' }],
  ['inventory-search-request', 'half a year', { 'filters.year_min': 2020.5 }],
  ['inventory-search-request', 'the year 1899', { 'filters.year_min': 1899 }],
  ['inventory-search-request', 'a negative price', { 'filters.price_max': -1 }],
  ['inventory-search-request', 'a single text for a list', { 'filters.make': 'Honda' }],
  ['inventory-search-request', 'a condition of wear', { 'filters.condition': ['good'] }],
  ['inventory-search-request', 'a VIN in lower case', { 'filters.vin': VIN.toLowerCase() }],
  ['inventory-search-request', 'a query of 201 characters', { 'filters.query': 'x'.repeat(201) }],
  ['inventory-search-request', 'limit 0', { 'pagination.limit': 0 }],
  ['inventory-search-request', 'limit 1001', { 'pagination.limit': 1001 }],
  ['inventory-search-request', 'a negative skip', { 'pagination.skip': -1 }],
  ['inventory-search-request', 'a sort without order', { 'sort.order': REMOVED }],
  ['inventory-search-request', 'an unknown sort field', { 'sort.field': 'color' }],
  ['inventory-search-request', 'null filters', { filters: null }],
  ['inventory-facets-request', 'an unknown filter', { 'filters.colour': [] }],
  ['vehicle-detail-request', 'no identifier', { vin: REMOVED, stock: REMOVED, vehicle_id: REMOVED }],
  ['vehicle-detail-request', 'a VIN with an O', { vin: '1HGCY2F57RAO00001' }],
  ['lead-submit-request', 'no consent', { consent: REMOVED }],
  ['lead-submit-request', 'no source agent', { source_agent: REMOVED }],
  [
    'lead-submit-request',
    'neither email nor phone',
    { 'customer.email': REMOVED, 'customer.phone': REMOVED },
  ],
  ['lead-submit-request', 'a phone with blanks', { 'customer.phone': '+1 415 555 0123' }],
  ['lead-submit-request', 'a consent without offset', { 'consent.granted_at': '2026-04-30T10:16:00' }],
  ['lead-submit-request', 'a leap second at noon', { submitted_at: '2026-04-30T12:00:60Z' }],
  ['lead-submit-request', 'an empty consent text', { 'consent.consent_text': '' }],
  ['lead-submit-request', 'two scopes', { 'consent.scope': ['lead_submission', 'lead_submission'] }],
  ['lead-submit-request', 'another scope', { 'consent.scope': ['marketing'] }],
  ['lead-submit-request', 'a channel twice', { 'consent.allowed_channels': ['sms', 'sms'] }],
  ['lead-submit-request', 'a worn vehicle of interest', { 'vehicle_of_interest.condition': 'good' }],
  ['lead-submit-request', 'a new trade-in', { 'trade_in.condition': 'new' }],
  ['lead-submit-request', 'a visit of 14 minutes', { 'appointment.duration_minutes': 14 }],
  ['lead-submit-request', 'a message of 4001 characters', { message: 'x'.repeat(4001) }],
  ['lead-submit-request', 'an empty idempotency key', { idempotency_key: '' }],
  ['lead-submit-request', 'a key of 129 characters', { idempotency_key: 'k'.repeat(129) }],
  ['lead-submit-request', 'a relative URL', { 'source_agent.url': '/home' }],
  ['vehicle', 'a price with cents', { price: 26780.5 }],
  ['vehicle', 'a fee twice', { 'fees.1': { name: 'Documentation fee', amount: 500 } }],
  ['vehicle', 'a fee without a name', { 'fees.0.name': ' ' }],
  ['vehicle', 'a sold status', { status: 'sold' }],
  ['vehicle', 'an instant as inventory date', { inventory_date: '2026-04-12T00:00:00Z' }],
  ['vehicle', 'an object as attribute', { 'other_attributes.box': {} }],
  ['vehicle', 'a mixed list as attribute', { 'other_attributes.box': ['a', 1] }],
  ['vehicle-detail-response', 'a listing without status', { 'data.status': REMOVED }],
  ['vehicle-detail-response', 'a listing of wear', { 'data.condition': 'fair' }],
  ['inventory-search-response', 'a listing of wear', { 'data.vehicles.0.condition': 'poor' }],
  ['inventory-search-response', 'no total', { 'data.total': REMOVED }],
  ['dealer-information', 'no rooftop', { rooftops: [] }],
  ['dealer-information', 'an hour of 24:00', { 'rooftops.0.schedules.0.value.monday.close': '24:00' }],
  ['error', 'an unknown code', { code: 'NO_IDEA' }],
  ['event', 'a status of the other kind', { status: 'confirmed' }],
  ['agent-card', 'no AAP extension', { 'capabilities.extensions.0.uri': 'https://example.com/x' }],
  ['agent-card', 'no JSON-RPC', { 'supportedInterfaces.0.protocolBinding': 'HTTP+JSON' }],
  ['agent-card', 'a skill without tags', { 'skills.0.tags': [] }],
];

/** RFC 3339 knows no such times, though checkers of formats commonly take them. */
const LOOSE_TIMES: Case[] = [
  ['lead-submit-request', 'an offset of hours alone', { 'consent.granted_at': '2026-04-30T10:16:00-08' }],
  ['lead-submit-request', 'an offset without a colon', { 'consent.expires_at': '2027-04-30T10:16:00+0530' }],
  ['lead-submit-request', 'a blank for the T', { 'appointment.appointment_at': '2026-12-03 10:00:00Z' }],
  ['lead-submit-response', 'a blank for the T', { 'data.appointment.confirmed_at': '2026-12-03 10:00:00Z' }],
  ['vehicle', 'an offset of hours alone', { updated_at: '2026-04-30T10:16:00-08' }],
];

const ACCEPTED: Case[] = [
  [
    'inventory-search-request',
    'nothing but its type',
    { filters: REMOVED, pagination: REMOVED, sort: REMOVED, privacy: REMOVED },
  ],
  [
    'inventory-search-request',
    'numbers written as 20.0',
    { pagination: JSON.parse('{"limit":20.0,"skip":0.0}') },
  ],
  ['inventory-search-request', 'an empty list', { 'filters.make': [] }],
  ['vehicle-detail-request', 'one identifier', { vin: REMOVED, stock: REMOVED }],
  ['lead-submit-request', 'a time in small letters', { submitted_at: '2026-04-30t10:16:00.5z' }],
  ['lead-submit-request', 'a leap second', { 'appointment.appointment_at': '2026-12-31T23:59:60Z' }],
  ['lead-submit-request', 'only a phone', { 'customer.email': REMOVED }],
  ['lead-submit-request', 'an empty trade-in', { trade_in: {} }],
  [
    'lead-submit-request',
    'no vehicle, trade-in or visit',
    { vehicle_of_interest: REMOVED, trade_in: REMOVED, appointment: REMOVED },
  ],
  [
    'lead-submit-request',
    'an unknown vehicle field',
    { 'vehicle_of_interest.carfax_url': 'https://x.example' },
  ],
  ['vehicle', 'a condition of wear', { condition: 'fair' }],
  ['vehicle', 'no rooftop known', { rooftop: null }],
];

describe('the AAP schemas', () => {
  it.each(Object.keys(validPayloads()))('%s accepts a full payload', (schema) => {
    expect(accepts(schema, validPayloads()[schema])).toBe(true);
  });
  it.each(ACCEPTED)('%s accepts %s', (schema, _what, changes) => {
    expect(accepts(schema, changed(validPayloads()[schema], changes))).toBe(true);
  });
  it.each([...REFUSED, ...LOOSE_TIMES])('%s refuses %s', (schema, _what, changes) => {
    expect(accepts(schema, changed(validPayloads()[schema], changes))).toBe(false);
  });

  it('name every schema that the card points to', () => {
    for (const stem of [
      'dealer-information',
      'inventory-facets',
      'inventory-search',
      'vehicle-detail',
      'lead-submit',
    ]) {
      expect(ours(`${stem}-request`)).toBeTypeOf('function');
      expect(ours(`${stem}-response`)).toBeTypeOf('function');
    }
  });

  it('describe what they are in every file', () => {
    const folder = join(ROOT, 'schemas/aap/v1.3');
    for (const name of readdirSync(folder)) {
      const schema = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
      expect(schema.$id, name).toBe(name);
      expect(schema.description, name).toBeTypeOf('string');
    }
  });
});

const JUNK: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e6,
  '',
  ' ',
  'x',
  '1',
  'new',
  'good',
  VIN,
  [],
  ['x'],
  [1],
  [null],
  {},
  { a: 1 },
];

/** Every payload that differs from the given one at one place: a value replaced, a key removed or added. */
function* variants(payload: unknown): Generator {
  yield* JUNK;
  if (Array.isArray(payload)) {
    for (const [index, item] of payload.entries()) {
      for (const variant of variants(item)) yield payload.with(index, variant);
    }
    yield payload.concat(payload);
    return;
  }
  if (typeof payload !== 'object' || payload === null) return;
  const entries = Object.entries(payload);
  yield { ...payload, unknown_key: 1 };
  for (const [key, value] of entries) {
    yield Object.fromEntries(entries.filter(([other]) => other !== key));
    for (const variant of variants(value)) yield { ...payload, [key]: variant };
  }
}

if (!existsSync(PUBLISHED)) {
  process.stderr.write(
    'no published AAP schemas beside the repository: ours are checked by our own corpus only\n',
  );
}

describe.skipIf(!existsSync(PUBLISHED))('beside the published AAP schemas', () => {
  const published = new Ajv2020({ strict: false, allErrors: false });
  formats.default(published);
  const PRIMITIVES = new Set(['address', 'dealer-fee']);
  const schemaNames = Object.keys(validPayloads());

  beforeAll(() => {
    for (const folder of [PUBLISHED, join(PUBLISHED, '_primitives')]) {
      for (const name of readdirSync(folder).filter((file) => file.endsWith('.schema.json'))) {
        published.addSchema(JSON.parse(readFileSync(join(folder, name), 'utf8')) as AnySchemaObject);
      }
    }
  });

  function theirs(schema: string): ValidateFunction {
    const path = PRIMITIVES.has(schema) ? `_primitives/${schema}` : schema;
    const validate = published.getSchema(`https://autoagentprotocol.org/v1.3/schemas/${path}.schema.json`);
    if (validate === undefined) throw new Error(`no published schema ${schema}`);
    return validate;
  }

  it.each(schemaNames)('%s says the same about every payload that differs at one place', (schema) => {
    const [validateOurs, validateTheirs] = [ours(schema), theirs(schema)];
    const differing: string[] = [];
    for (const variant of variants(validPayloads()[schema])) {
      if (validateOurs(variant) !== validateTheirs(variant)) differing.push(JSON.stringify(variant));
    }
    expect(differing).toEqual([]);
  });

  it.each([...ACCEPTED, ...REFUSED])('%s says the same about %s', (schema, _what, changes) => {
    const payload = changed(validPayloads()[schema], changes);
    expect(accepts(schema, payload)).toBe(theirs(schema)(payload));
  });

  it('accepts the published examples', () => {
    const folder = join(PUBLISHED, 'examples');
    for (const name of readdirSync(folder)) {
      const schema = name.split('.')[0] ?? '';
      const payload: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      expect(accepts(schema, payload), name).toBe(true);
    }
  });

  it('has a counterpart for every published message', () => {
    const names = readdirSync(PUBLISHED).filter((name) => name.endsWith('.schema.json'));
    expect(names.filter((name) => ajv.getSchema(name) === undefined)).toEqual([]);
  });
});
