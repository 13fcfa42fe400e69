import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { localTime, requestDate } from '../../src/adf/dates.ts';
import { renderAdf } from '../../src/adf/document.ts';
import { settleOptions } from '../../src/adf/options.ts';
import type { AdfOptions } from '../../src/adf/options.ts';
import { transmissionLetter } from '../../src/adf/transmission.ts';
import { compileSchema } from '../../src/documents/json-schema.ts';
import { readInstant } from '../../src/model/instant.ts';
import type { LeadDocument } from '../../src/model/lead.ts';
import { one, readAdf, select, texts } from './adf-reader.ts';
import type { ReadElement } from './adf-reader.ts';
import { CIVIC, LAKEVIEW, leadWith } from './documents.ts';

const read = (lead: LeadDocument, options: AdfOptions = {}): ReadElement =>
  one(readAdf(renderAdf(lead, options)), 'prospect');

const commentsOf = (lead: LeadDocument, options: AdfOptions = {}): string =>
  one(read(lead, options), 'customer/comments').text;

describe('dates', () => {
  const at = (text: string): number => readInstant(text)!;

  test.each([
    ['2026-07-01T00:00:00Z', 'America/Los_Angeles', '2026-06-30T17:00:00-07:00'],
    ['2026-01-01T00:00:00Z', 'America/Los_Angeles', '2025-12-31T16:00:00-08:00'],
    ['2026-11-01T08:59:59.999Z', 'America/Los_Angeles', '2026-11-01T01:59:59-07:00'],
    ['2026-11-01T09:00:00Z', 'America/Los_Angeles', '2026-11-01T01:00:00-08:00'],
    ['2026-07-01T12:00:00Z', 'Asia/Kolkata', '2026-07-01T17:30:00+05:30'],
    ['2026-07-01T12:00:00Z', 'America/St_Johns', '2026-07-01T09:30:00-02:30'],
    ['2026-07-01T12:00:00Z', 'UTC', '2026-07-01T12:00:00+00:00'],
    ['2026-07-01T12:00:00Z', 'Nowhere/Land', '2026-07-01T12:00:00+00:00'],
    ['1850-01-01T00:00:00Z', 'America/New_York', '1850-01-01T00:00:00+00:00'],
    ['9999-12-31T23:00:00Z', 'Asia/Tokyo', '9999-12-31T23:00:00+00:00'],
    ['0000-01-01T00:00:00Z', 'America/New_York', '0000-01-01T00:00:00+00:00'],
  ])('%s in %s is %s', (instant, zone, expected) => {
    expect(requestDate(at(instant), zone, 'offset')).toBe(expected);
  });

  test('without a zone, and with a Z', () => {
    expect(requestDate(at('2026-07-01T12:00:00-05:00'), undefined, 'offset')).toBe(
      '2026-07-01T17:00:00+00:00',
    );
    expect(requestDate(at('2026-07-01T12:00:00.9-05:00'), 'America/Chicago', 'z')).toBe(
      '2026-07-01T17:00:00Z',
    );
  });

  test.each([
    ['2026-07-01T04:05:00Z', 'America/New_York', 'Wednesday July 1 2026 at 12:05 AM EDT'],
    ['2026-07-01T16:00:00Z', 'America/New_York', 'Wednesday July 1 2026 at 12:00 PM EDT'],
    ['2026-12-01T19:30:00Z', 'America/Phoenix', 'Tuesday December 1 2026 at 12:30 PM MST'],
    ['2026-12-01T19:30:00Z', undefined, 'Tuesday December 1 2026 at 7:30 PM UTC'],
  ])('for people, %s in %s is %s', (instant, zone, expected) => {
    expect(localTime(at(instant), zone)).toBe(expected);
  });

  test.each([
    ['2026-04-30t10:15:00z', '2026-04-30T06:15:00-04:00'],
    ['2026-12-31T23:59:60Z', '2026-12-31T19:00:00-05:00'],
  ])('a request sent at %s says so, and not when it was received', (submitted_at, expected) => {
    expect(one(read(leadWith({ submitted_at })), 'requestdate').text).toBe(expected);
  });
});

test.each([
  ['automatic', 'A'],
  ['10-Speed Automatic', 'A'],
  ['CVT', 'A'],
  ['e-CVT', 'A'],
  ['Automated Manual', 'A'],
  ['semi-automatic', 'A'],
  ['7-speed dual-clutch', 'A'],
  ['Automatic with manual mode', 'A'],
  ['A', 'A'],
  ['m', 'M'],
  ['6-Speed Manual', 'M'],
  ['MANUAL', 'M'],
  ['with a Manual gearbox', 'M'],
  ['6-speed manual with auto rev match', 'M'],
  ['Manual transmission with automatic rev matching', 'M'],
  ['Manual, automatic downshift rev-matching', 'M'],
  ['6-Speed Manual w/Automatic Hill Hold', 'M'],
  ['8-Speed Automatic w/ manual override', 'A'],
  ['8-Speed with Manual Shift Mode', undefined],
  ['automatic w/o manual mode', 'A'],
  ['6MT', 'M'],
  ['10A', 'A'],
  ['8-speed AT', 'A'],
  ['5 spd M/T', 'M'],
  ['M/T', 'M'],
  ['A/T', 'A'],
  ['Continuously Variable', 'A'],
  ['A/T or M/T', undefined],
  ['without automatic', undefined],
  ['manual or automatic', undefined],
  ['non-automatic', undefined],
  ['automaton', undefined],
  ['manually shifted', undefined],
  ['single-speed', undefined],
  ['', undefined],
])('transmission %j is %j', (text, letter) => {
  expect(transmissionLetter(text)).toBe(letter);
});

describe('vehicle', () => {
  test('an unclear transmission keeps its words', () => {
    const lead = leadWith({ vehicle_of_interest: { make: 'Kia', transmission: 'manual or automatic' } });
    expect(texts(read(lead), 'vehicle/transmission')).toEqual(['manual or automatic']);
  });

  test('writes numbers in digits, however large', () => {
    const wanted = { make: 'Kia', mileage: 1e21, price: 4e22 };
    const vehicle = one(read(leadWith({ vehicle_of_interest: wanted })), 'vehicle');
    expect(texts(vehicle, 'odometer')).toEqual(['1000000000000000000000']);
    expect(texts(vehicle, 'price')).toEqual(['40000000000000000000000']);
  });

  test('0 miles is a value, a price of 0 is none', () => {
    const wanted = { make: 'Kia', mileage: 0, price: 0, list_price: 0, msrp: 0 };
    const vehicle = one(read(leadWith({ vehicle_of_interest: wanted })), 'vehicle');
    expect(texts(vehicle, 'odometer')).toEqual(['0']);
    expect([...select(vehicle, 'price'), ...select(vehicle, 'pricecomments')]).toEqual([]);
  });

  test('what the buyer stated wins over our listing', () => {
    const lead = leadWith(
      { vehicle_of_interest: { stock: 'T12345', model: 'Civic Sport', price: 25000, mileage: 0 } },
      { listing: CIVIC },
    );
    const vehicle = one(read(lead), 'vehicle');
    expect(texts(vehicle, 'model')).toEqual(['Civic Sport']);
    expect(texts(vehicle, 'odometer')).toEqual(['0']);
    expect(texts(vehicle, 'price')).toEqual(['25000']);
    // Our fees explain our price, not the buyer's.
    expect(one(vehicle, 'pricecomments').text).toBe('MSRP 26500; list price 24990');
    expect(texts(vehicle, 'vin')).toEqual([CIVIC.vin]);
  });

  test('a listing with another vin fills nothing', () => {
    const lead = leadWith({ vehicle_of_interest: { vin: '2T1BURHE0EC000001' } }, { listing: CIVIC });
    expect(texts(read(lead), 'vehicle/model')).toEqual(['']);
  });

  test('our sales text and free attributes are not passed off as the buyer’s words', () => {
    const listing = { ...CIVIC, notes: 'our note', other_attributes: { lot: 'B4' } };
    const xml = renderAdf(leadWith({ vehicle_of_interest: { vin: CIVIC.vin! } }, { listing }), {});
    expect(xml).not.toMatch(/One owner|Apple CarPlay|our note|B4/);
  });

  test('everything without an element is told in the one comments element', () => {
    const lead = leadWith({
      vehicle_of_interest: {
        vehicle_type: 'motorcycle',
        make: 'Acme Moto',
        condition: 'cpo',
        vehicle_id: 'veh_1',
        displacement_cc: 883,
        dc_fast_charge: false,
        charge_port: null,
        features: ['ABS', 'Heated grips'],
        notes: 'For my son.\nHe is tall.',
        other_attributes: { final_drive: 'belt', wheels: 2, sizes: [17, 18] },
        ...{ seats: 2, nested: { deep: true }, nothing: null },
      },
    });
    const told = one(read(lead), 'vehicle/comments').text;
    expect(told.replaceAll(';\n', '; ').split('; ')).toEqual([
      'certified pre-owned (CPO)',
      'For my son.\nHe is tall.',
      'vehicle type: motorcycle',
      '883 cc',
      'DC fast charge: no',
      'vehicle id: veh_1',
      'features: ABS, Heated grips',
      'final_drive: belt',
      'wheels: 2',
      'sizes: 17, 18',
      'seats: 2',
      'nested: {"deep":true}',
    ]);
  });

  test('a price named for a trade-in is no quote', () => {
    const lead = leadWith({ trade_in: { make: 'Kia', price: 5000, msrp: 20000 } });
    expect(texts(read(lead), 'vehicle/price')).toEqual([]);
    expect(texts(read(lead), 'vehicle/pricecomments')).toEqual(['price 5000 named by the buyer; MSRP 20000']);
  });

  test('an empty vehicle of interest does not stand before the trade-in', () => {
    const lead = leadWith({ vehicle_of_interest: {}, trade_in: { make: 'Kia' } });
    expect(select(read(lead), 'vehicle').map(({ attributes }) => attributes.interest)).toEqual(['trade-in']);
  });

  test('a test drive can be told as a comment', () => {
    const lead = leadWith({
      vehicle_of_interest: { make: 'Kia', condition: 'new' },
      appointment: { appointment_type: 'test_drive' },
    });
    const vehicle = one(read(lead, { test_drive: 'comment' }), 'vehicle');
    expect(vehicle.attributes).toEqual({ interest: 'buy', status: 'new' });
    expect(one(vehicle, 'comments').text).toBe('test drive requested');
  });
});

describe('customer', () => {
  test.each([
    ['', 'Lee', 'Lee'],
    ['Ann', ' ', 'Ann'],
    ['', '', ''],
  ])('%j and %j become one full name', (first_name, last_name, full) => {
    const lead = leadWith({ customer: { first_name, last_name, phone: '+12075550142' } });
    const [name, ...more] = select(read(lead), 'customer/contact/name');
    expect([name!.text, name!.attributes.part, more]).toEqual([full, 'full', []]);
  });

  test('a preferred channel that is not allowed is not marked', () => {
    const lead = leadWith({
      customer: { first_name: 'Ann', last_name: 'Lee', phone: '+12075550142', preferred_contact: 'phone' },
      consent: { ...leadWith().request.consent, allowed_channels: ['email'] },
    });
    expect(one(read(lead), 'customer/contact/phone').attributes).toEqual({ type: 'voice' });
  });

  test('a preference for text messages is told in words, if it is allowed', () => {
    const customer = {
      ...leadWith().request.customer,
      preferred_contact: 'sms' as const,
    };
    const consent = leadWith().request.consent;
    const allowed = leadWith({ customer, consent: { ...consent, allowed_channels: ['sms'] } });
    expect(commentsOf(allowed)).toContain('Preferred contact: text message (SMS)');
    expect(commentsOf(leadWith({ customer, consent }))).not.toContain('SMS');
  });

  test('a lone second address line is the street; country names we know become letters', () => {
    const address = { address_line_2: 'Box 7', country: 'usa', zip: '02134' };
    const lead = leadWith({ customer: { ...leadWith().request.customer, address } });
    const element = one(read(lead), 'customer/contact/address');
    expect(element.children.map(({ name, text }) => [name, text])).toEqual([
      ['street', 'Box 7'],
      ['postalcode', '02134'],
      ['country', 'US'],
    ]);
  });

  test.each([
    ['UK', 'GB'],
    ['Deutschland', 'DE'],
    ['the Netherlands', 'NL'],
    ['U.S.A.', 'US'],
    ['México', 'MX'],
    ['Puerto  Rico', 'PR'],
    ['de', 'DE'],
    ['CA', 'CA'],
    ['Ruritania', 'Ruritania'],
    ['Côte d’Or', 'Côte d’Or'],
    [undefined, 'US'],
    [' ', 'US'],
  ])('the country %j is %s', (country, letters) => {
    const address = { address_line_1: '1 Main St', ...(country !== undefined && { country }) };
    const lead = leadWith({ customer: { ...leadWith().request.customer, address } });
    expect(texts(read(lead), 'customer/contact/address/country')).toEqual([letters]);
  });

  test('an empty trade-in is a hint, and one with something in it or none at all is not', () => {
    const hint = 'Trade-in sent without details: ask whether there is one.';
    const { trade_in: _, ...request } = leadWith().request;
    const without = (trade_in: object) => commentsOf({ ...leadWith(), request: { ...request, trade_in } });
    for (const empty of [{}, { make: ' ', photos: [] }]) expect(without(empty)).toContain(hint);
    expect(without({ make: 'Kia' })).not.toContain(hint);
    expect(commentsOf({ ...leadWith(), request })).not.toContain(hint);
  });

  test('carriage returns and line feeds of the message read back', () => {
    const message = 'one\r\ntwo\rthree\n\n four ';
    expect(commentsOf(leadWith({ message }))).toContain(message);
  });
});

describe('appointment', () => {
  const asked = (answer: LeadDocument['appointment']): string =>
    commentsOf(
      leadWith(
        { appointment: { appointment_type: 'sales', appointment_at: '2026-05-04T18:00:00Z' } },
        answer === undefined ? {} : { appointment: answer },
      ),
    );

  test('tells what we answered', () => {
    expect(
      asked({ appointment_id: 'a', status: 'confirmed', confirmed_at: '2026-05-04T18:00:00Z' }),
    ).toContain('Our answer: confirmed for Monday May 4 2026 at 2:00 PM EDT');
    expect(
      asked({ appointment_id: 'a', status: 'proposed', proposed_times: ['2026-05-05T18:00:00Z'] }),
    ).toContain('Our answer: proposed other times\n- Tuesday May 5 2026 at 2:00 PM EDT');
    expect(asked({ appointment_id: 'a', status: 'requested' })).toContain('Our answer: requested');
    expect(asked({ appointment_id: 'a', status: 'rejected' })).toContain('Our answer: rejected');
    expect(asked(undefined)).not.toContain('Our answer');
  });
});

describe('comments limit', () => {
  const lead = leadWith({
    message: 'm'.repeat(4000),
    appointment: { appointment_type: 'service', notes: 'n'.repeat(2000) },
  });

  test('cuts the buyer’s words, says so, and keeps the facts', () => {
    const text = commentsOf(lead, { comments_limit: 1000 });
    expect(text.trim().length).toBeLessThanOrEqual(1000);
    const kept = /^\n?(m+)\n\[\.\.\. (\d+) characters cut, whole text kept with lead_0001\]\n/.exec(text)!;
    expect(kept[1]!.length + Number(kept[2])).toBe(4000);
    expect(text).toContain('Requested: service appointment');
    expect(text).toContain('consent record lead_0001');
    expect(text).toMatch(/Appointment notes:\nn+\n\[\.\.\. \d+ characters cut/);
  });

  test('never cuts the message to nothing, however many facts there are, and marks all that is missing', () => {
    const crowded = leadWith({
      message: `IMPORTANT: ${'m '.repeat(300)}`,
      appointment: { appointment_type: 'service', notes: 'n '.repeat(150) },
      customer: {
        first_name: 'Ann',
        last_name: 'Lee',
        email: 'ann@example.com',
        address: { country: 'US', zip: '04101' },
      },
      source_agent: { name: 'Agent', agent_card_url: `https://agent.example/${'c'.repeat(120)}/card.json` },
    });
    const text = commentsOf(crowded, { comments_limit: 500 }).trim();
    expect(text.length).toBeLessThanOrEqual(500);
    const marked = /^IMPORTANT: ([m\s]+?)\s\[\.\.\. (\d+)\scharacters cut,/.exec(text.replaceAll('\n', ' '))!;
    expect(marked[1]!.length + Number(marked[2])).toBeGreaterThanOrEqual(599);
    expect(text).toContain('Requested: service appointment');
    expect(text).toContain('The customer allows contact by:');
    expect(text.replaceAll('\n', ' ')).toMatch(
      /\[\.\.\. \d+ characters cut, whole text kept with lead_0001\]$/,
    );
  });

  test('never cuts a character in half', () => {
    for (const length of [0, 1]) {
      const message = 'x'.repeat(length) + '😀'.repeat(1000);
      const text = commentsOf(leadWith({ message }), { comments_limit: 600 });
      expect(text).toMatch(/^\n?x?(😀)+\n\[\.\.\. \d+ characters cut/u);
    }
  });

  test('leaves a text alone that fits', () => {
    const short = leadWith({ message: 'm'.repeat(200) });
    expect(commentsOf(short, { comments_limit: 500 })).toBe(commentsOf(short));
  });
});

describe('vendor and provider', () => {
  test('a code of another rooftop stays away', () => {
    const vendor_ids = [
      { source: 'CRM', value: 'ours', rooftop: 'LPO03' },
      { source: 'CRM', value: 'theirs', rooftop: 'HPM01' },
      { source: 'OEM', value: 'all' },
    ];
    expect(texts(read(leadWith(), { vendor_ids }), 'vendor/id')).toEqual(['ours', 'all']);
  });

  test('a dealership without mail and phone still gets what the DTD demands', () => {
    const rooftop = { ...LAKEVIEW, profile: { name: 'Bare Motors' } };
    const vendor = one(read(leadWith({}, { rooftop })), 'vendor');
    expect(one(vendor, 'contact').children.map(({ name, text }) => [name, text])).toEqual([
      ['name', 'Bare Motors'],
      ['phone', ''],
    ]);
  });

  test('service and network address come from the settings', () => {
    const direct = read(leadWith(), { provider: { service: 'AI agents' } });
    expect(texts(direct, 'provider/service')).toEqual(['AI agents']);
    const network = read(leadWith(), {
      provider: { form: 'network', name: 'Net', url: 'https://net.example' },
    });
    expect(texts(network, 'provider/url')).toEqual(['https://net.example']);
  });
});

describe('text form', () => {
  test.each([
    ['xml-utf8', '<?xml version="1.0" encoding="UTF-8"?>\n<?adf version="1.0"?>\n<adf>\n'],
    ['xml', '<?xml version="1.0"?>\n<?adf version="1.0"?>\n<adf>\n'],
    ['upper-case', '<?xml version="1.0"?>\n<?ADF VERSION="1.0"?>\n<adf>\n'],
    ['declaration', '<?xml version="1.0" encoding="UTF-8"?>\n<adf>\n'],
  ] as const)('prolog %s', (prolog, beginning) => {
    expect(renderAdf(leadWith(), { prolog }).startsWith(beginning)).toBe(true);
  });

  test('a tag that is too long is broken between attributes', () => {
    const lead = leadWith({}, { lead_id: `lead_${'0'.repeat(36)}` });
    expect(renderAdf(lead, {})).toContain(
      `<id sequence="1"\n    source="dealer-bridge">lead_${'0'.repeat(36)}</id>`,
    );
  });

  test('a message that fits a line of its own gets one', () => {
    expect(renderAdf(leadWith({ message: 'm'.repeat(75) }), {})).toContain(`<comments>\n${'m'.repeat(75)}\n`);
    expect(renderAdf(leadWith({ message: 'm'.repeat(76) }), {})).toContain(`<comments>${'m'.repeat(76)}\n`);
  });

  test('a long message is broken at blanks, one line end in place of one blank', () => {
    const message = 'I would like a car for “my” family,  and soon. '.repeat(80);
    const xml = renderAdf(leadWith({ message }), {});
    expect(xml.split('\n').filter((line) => line.length > 75)).toEqual([]);
    const told = one(readAdf(xml), 'prospect/customer/comments').text;
    expect(told.slice(0, message.length)).not.toBe(message);
    expect(told.slice(0, message.length).replaceAll('\n', ' ')).toBe(message);
  });

  test('a message of up to 75 characters is not broken, however long its escaped form is', () => {
    const message = `${'& " < > é '.repeat(7)}12345`;
    expect(commentsOf(leadWith({ message }))).toMatch(/^& " < > é & .* 12345\n/);
  });

  test('U+10FFFF and U+007F are written, what XML forbids is dropped', () => {
    const xml = renderAdf(leadWith({ message: 'a\u{10FFFF}b\u007Fc\u0000d\uFFFFe\uDFFFf\uD800' }), {});
    expect(xml).toContain('a&#1114111;b&#127;cdef\n');
  });
});

test('the options schema and the code agree on the defaults', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../schemas/adf-options.schema.json', import.meta.url), 'utf8'),
  ) as { $id: string };
  const options: AdfOptions = {};
  const checkOptions = compileSchema({ type: 'object', properties: { adf: { $ref: schema.$id } } });
  expect(checkOptions({ adf: options })).toEqual([]);
  expect({ ...options, comments_limit: Number.POSITIVE_INFINITY }).toEqual(settleOptions({}));
});
