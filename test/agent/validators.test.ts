import { describe, expect, it } from 'vitest';
import { refusalFor } from '../../src/agent/faults.ts';
import type { Fault } from '../../src/agent/faults.ts';
import { createRequestValidator } from '../../src/agent/validators.ts';
import type { SkillId } from '../../src/model/skill.ts';
import { changed, leadRequest, REMOVED, searchRequest, VIN } from './payloads.ts';

const validate = createRequestValidator();

function faultsOf(skill: SkillId, payload: unknown): [Fault, ...Fault[]] {
  const [first, ...more] = validate(skill, payload);
  if (first === undefined) throw new Error('no fault was found');
  return [first, ...more];
}

/** `location keyword` of each fault, sorted. */
const places = (faults: readonly Fault[]): string[] =>
  faults.map(({ instanceLocation, keyword }) => `${instanceLocation} ${keyword}`).sort();

const codeOf = (skill: SkillId, payload: unknown) => refusalFor(faultsOf(skill, payload)).code;

const lead = (changes: Record<string, unknown>): unknown => changed(leadRequest(), changes);

describe('validating a request', () => {
  it('tells of a test drive without a vehicle beside what else is wrong', () => {
    const drive = { vehicle_of_interest: REMOVED, 'appointment.appointment_type': 'test_drive' };
    expect(places(faultsOf('lead.submit', lead(drive)))).toEqual([' required']);
    expect(codeOf('lead.submit', lead(drive))).toBe('MISSING_REQUIRED_FIELD');
    const nameless = { ...drive, 'customer.first_name': REMOVED };
    expect(places(faultsOf('lead.submit', lead(nameless)))).toEqual([' required', '/customer required']);
    expect(codeOf('lead.submit', lead(nameless))).toBe('SCHEMA_VALIDATION_FAILED');
    const sales = { vehicle_of_interest: REMOVED, 'appointment.appointment_type': 'sales' };
    expect(validate('lead.submit', lead(sales))).toEqual([]);
  });

  it('finds nothing in right requests', () => {
    expect(validate('inventory.search', searchRequest())).toEqual([]);
    expect(validate('lead.submit', leadRequest())).toEqual([]);
    expect(validate('dealer.information', { type: 'dealer.information.request' })).toEqual([]);
  });

  it('reports every fault at once, at its place, in plain words', () => {
    const payload = {
      type: 'inventory.search.request',
      filters: { year_min: 'twenty-twenty', makes: ['Honda'], condition: ['used', 'good'], price_max: -1 },
      pagination: { limit: 0 },
      sort: { field: 'price' },
      page: 2,
    };
    const texts = new Map(
      faultsOf('inventory.search', payload).map((fault) => [fault.instanceLocation, fault.error]),
    );
    expect(places(faultsOf('inventory.search', payload))).toEqual([
      '/filters/condition/1 enum',
      '/filters/makes additionalProperties',
      '/filters/price_max minimum',
      '/filters/year_min type',
      '/page additionalProperties',
      '/pagination/limit minimum',
      '/sort required',
    ]);
    expect(texts.get('/filters/year_min')).toBe('must be an integer');
    expect(texts.get('/filters/makes')).toBe('is not a known key here; did you mean "make"?');
    expect(texts.get('/page')).toBe(
      'is not a known key here; known are type, filters, pagination, sort, privacy',
    );
    expect(texts.get('/filters/condition/1')).toBe('must be one of "new", "used", "cpo"');
    expect(texts.get('/filters/price_max')).toBe('must be at least 0');
    expect(texts.get('/sort')).toBe('must have "order"');
  });

  it('tells the example of the error page as that page does', () => {
    const refusal = refusalFor(
      faultsOf('inventory.search', {
        type: 'inventory.search.request',
        filters: { year_min: 'twenty-twenty' },
      }),
    );
    expect(refusal).toEqual({
      code: 'SCHEMA_VALIDATION_FAILED',
      message: 'filters.year_min must be an integer',
      details: {
        errors: [{ instanceLocation: '/filters/year_min', keyword: 'type', error: 'must be an integer' }],
        instancePath: '/filters/year_min',
        received: 'twenty-twenty',
      },
    });
  });

  it('says one thing where alternatives fail', () => {
    const faults = faultsOf('lead.submit', lead({ 'customer.email': REMOVED, 'customer.phone': REMOVED }));
    expect(faults.map(({ error }) => error)).toEqual(['must have at least one of "email", "phone"']);
    const attribute = lead({ 'trade_in.other_attributes': { box: { a: 1 } } });
    expect(
      faultsOf('lead.submit', attribute).map(({ instanceLocation, error }) => [instanceLocation, error]),
    ).toEqual([
      [
        '/trade_in/other_attributes/box',
        'must be a string or a number or true or false or an array of strings or an array of numbers',
      ],
    ]);
  });

  it('says one thing where a vehicle has a word of no vocabulary', () => {
    const faults = faultsOf('lead.submit', lead({ 'vehicle_of_interest.condition': 'mint' }));
    expect(faults.map(({ error }) => error)).toEqual(['must be one of "new", "used", "cpo"']);
  });

  it('names the VIN that was meant', () => {
    const [fault] = faultsOf('inventory.vehicle', {
      type: 'inventory.vehicle.request',
      vin: VIN.toLowerCase(),
    });
    expect(fault.error).toContain(`; write ${VIN}`);
  });

  it('escapes odd keys in pointers', () => {
    const [fault] = faultsOf('dealer.information', { type: 'dealer.information.request', 'a/b~c': 1 });
    expect(fault.instanceLocation).toBe('/a~1b~0c');
  });

  it('cuts long values and repeats no customer object', () => {
    const [fault] = faultsOf('inventory.search', {
      type: 'inventory.search.request',
      filters: { query: 'x'.repeat(5000) },
    });
    expect(fault.received).toBe('x'.repeat(200));
    const [split] = faultsOf('inventory.search', {
      type: 'inventory.search.request',
      filters: { query: `${'x'.repeat(199)}😀${'x'.repeat(10)}` },
    });
    expect(split.received).toBe(`${'x'.repeat(199)}\uFFFD`);
    const refusal = refusalFor(faultsOf('lead.submit', lead({ 'customer.last_name': REMOVED })));
    expect(JSON.stringify(refusal)).not.toContain('anna@example.com');
  });

  it('lists a hundred faults and counts the rest', () => {
    const filters = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`key${index}`, 1]));
    const { details, message } = refusalFor(
      faultsOf('inventory.search', { type: 'inventory.search.request', filters }),
    );
    expect(details?.errors).toHaveLength(100);
    expect(details?.errors_total).toBe(250);
    expect(message).toMatch(/; and 247 more$/);
  });
});

describe('what could exhaust the bridge', () => {
  const nested = (depth: number): unknown => {
    let value: unknown = 'core';
    for (let level = 0; level < depth; level += 1) value = { inner: value };
    return value;
  };

  it('is refused when too deep, wherever it hides', () => {
    for (const place of ['vehicle_of_interest', 'customer', 'unknown']) {
      const faults = faultsOf('lead.submit', lead({ [place]: nested(5000) }));
      expect(faults.map(({ keyword }) => keyword)).toEqual(['maxDepth']);
    }
    expect(validate('lead.submit', lead({ 'trade_in.extra': nested(20) }))).toEqual([]);
  });

  it('is refused when a list is too long', () => {
    const fees = Array.from({ length: 501 }, (_, amount) => ({ name: 'Fee', amount }));
    expect(places(faultsOf('lead.submit', lead({ 'vehicle_of_interest.fees': fees })))).toEqual([
      '/vehicle_of_interest/fees maxItems',
    ]);
  });

  it('is refused when an object has too many keys', () => {
    const box = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`key${index}`, 1]));
    expect(places(faultsOf('lead.submit', lead({ 'trade_in.other_attributes': box })))).toEqual([
      '/trade_in/other_attributes maxProperties',
    ]);
  });

  it('is refused when it reaches for the prototype', () => {
    const payload: unknown = JSON.parse(
      '{"type":"inventory.search.request","filters":{"__proto__":{"make":["Honda"]}}}',
    );
    expect(places(faultsOf('inventory.search', payload))).toEqual([
      '/filters/__proto__ additionalProperties',
    ]);
  });

  it.each(['valueOf', 'toString'])('is refused when a compared list would call its %s', (key) => {
    const fee = { name: 'Documentation fee', amount: 389, [key]: 'x' };
    expect(places(faultsOf('lead.submit', lead({ 'vehicle_of_interest.fees': [fee, fee] })))).toEqual([
      `/vehicle_of_interest/fees/1/${key} additionalProperties`,
    ]);
  });

  it('is measured by own properties only', () => {
    const payload: unknown = JSON.parse(
      '{"type":"inventory.vehicle.request","constructor":1,"hasOwnProperty":2}',
    );
    expect(places(faultsOf('inventory.vehicle', payload))).toEqual([
      ' anyOf',
      '/constructor additionalProperties',
      '/hasOwnProperty additionalProperties',
    ]);
  });
});

describe('the code of a refusal', () => {
  it('is MISSING_REQUIRED_FIELD when one thing is absent and nothing else is wrong', () => {
    expect(codeOf('lead.submit', lead({ source_agent: REMOVED }))).toBe('MISSING_REQUIRED_FIELD');
    expect(codeOf('inventory.vehicle', { type: 'inventory.vehicle.request' })).toBe('MISSING_REQUIRED_FIELD');
    const twoMissing = lead({ source_agent: REMOVED, customer: REMOVED });
    expect(codeOf('lead.submit', twoMissing)).toBe('SCHEMA_VALIDATION_FAILED');
  });

  it('is CONTACT_CONSENT_REQUIRED without consent, whatever else is wrong', () => {
    expect(codeOf('lead.submit', lead({ consent: REMOVED }))).toBe('CONTACT_CONSENT_REQUIRED');
    const alsoPhone = lead({ consent: REMOVED, 'customer.phone': '555' });
    const refusal = refusalFor(faultsOf('lead.submit', alsoPhone));
    expect(refusal.code).toBe('CONTACT_CONSENT_REQUIRED');
    expect(refusal.message).toBe(
      'The buyer has to agree to being contacted first: the request must have "consent"',
    );
    expect(refusal.details?.errors).toHaveLength(2);
  });

  it.each<[string, Record<string, unknown>]>([
    ['another scope', { 'consent.scope': ['marketing'] }],
    ['no text', { 'consent.consent_text': '' }],
    ['no time', { 'consent.granted_at': REMOVED }],
    ['no channel', { 'consent.allowed_channels': [] }],
    ['an unknown key', { 'consent.note': 'x' }],
    ['null', { consent: null }],
  ])('is INVALID_CONSENT for a consent with %s', (_what, changes) => {
    expect(codeOf('lead.submit', lead(changes))).toBe('INVALID_CONSENT');
  });

  it('comes with a text about the consent when that is what is wrong', () => {
    const [fault] = faultsOf('lead.submit', lead({ 'consent.scope': ['marketing'] }));
    expect(refusalFor([fault]).message).toBe(
      'The record of the buyer\'s consent is not valid: consent.scope[0] must be "lead_submission"',
    );
  });

  it('is INVALID_CONDITION when every fault is a condition of the wrong vocabulary', () => {
    const swapped = lead({ 'vehicle_of_interest.condition': 'good', 'trade_in.condition': 'new' });
    expect(codeOf('lead.submit', swapped)).toBe('INVALID_CONDITION');
    expect(
      codeOf('inventory.search', { type: 'inventory.search.request', filters: { condition: ['excellent'] } }),
    ).toBe('INVALID_CONDITION');
    expect(codeOf('lead.submit', lead({ 'trade_in.condition': 5 }))).toBe('SCHEMA_VALIDATION_FAILED');
  });

  it('is SCHEMA_VALIDATION_FAILED for everything else', () => {
    const mixed = lead({ 'consent.scope': ['marketing'], 'customer.phone': '555' });
    expect(codeOf('lead.submit', mixed)).toBe('SCHEMA_VALIDATION_FAILED');
  });
});
