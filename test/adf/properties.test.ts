import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRequestValidator } from '../../src/agent/validators.ts';
import { renderAdf } from '../../src/adf/document.ts';
import type { AdfOptions } from '../../src/adf/options.ts';
import type { LeadDocument, LeadSubmitRequest } from '../../src/model/lead.ts';
import { one, readAdf, select, texts } from './adf-reader.ts';
import { CIVIC, LAKEVIEW } from './documents.ts';
import { orderFaults } from './order-checker.ts';
import { xmllintFaults } from './xmllint.ts';

/** Any UTF-16, lone surrogates and controls included, with the dangerous ones made common. */
const shortText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '<',
          '>',
          '&',
          '"',
          "'",
          ']]>',
          '&amp;',
          '&#13;',
          '<!--',
          '-->',
          '<?x',
          '\0',
          '\v',
          '\uFFFE',
          '\uD800',
        ],
        ...[
          '\uDC00',
          '\r\n',
          '\r',
          '\n',
          '\t',
          '\u0085',
          '\u2028',
          '\uFEFF',
          '😀',
          'é',
          ' ',
          '  ',
          'null',
          'word',
        ],
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join('')),
  fc.constant('\u202Eabc\u202C שלום عليكم'),
);

/** The same, and very long, with and without a blank to break at. */
const anyText = fc.oneof(
  { weight: 9, arbitrary: shortText },
  {
    weight: 1,
    arbitrary: fc.constantFrom('x'.repeat(5000), 'long words 漢字 '.repeat(300), '\u0000'.repeat(2000)),
  },
);

const instant = fc
  .date({ min: new Date('1950-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const url = fc.webUrl({ withQueryParameters: true });
const count = fc.nat({ max: 1_000_000 });
const partly = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }, requiredKeys: (keyof T)[] = []) =>
  fc.record(model, { requiredKeys });

const vehicle = (condition: fc.Arbitrary<string>) =>
  partly({
    vehicle_type: fc.constantFrom('car', 'motorcycle', 'trailer', 'rv', 'other'),
    vin: fc.stringMatching(/^[A-HJ-NPR-Z0-9]{17}$/),
    stock: anyText,
    vehicle_id: anyText,
    dealer_id: anyText,
    year: fc.integer({ min: 1900, max: 2100 }),
    make: anyText,
    model: anyText,
    trim: anyText,
    body: anyText,
    condition,
    rooftop: fc.option(anyText),
    msrp: count,
    list_price: count,
    price: count,
    fees: fc.uniqueArray(fc.record({ name: shortText.filter((text) => /\S/.test(text)), amount: count }), {
      maxLength: 3,
      selector: ({ name }) => name,
    }),
    mileage: count,
    transmission: anyText,
    engine: anyText,
    displacement_cc: count,
    battery_kwh: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    dc_fast_charge: fc.boolean(),
    charge_port: fc.option(anyText),
    exterior_color: anyText,
    interior_color: anyText,
    features: fc.array(anyText, { maxLength: 3 }),
    photos: fc.array(url, { maxLength: 2 }),
    description: anyText,
    notes: anyText,
    other_attributes: fc.dictionary(anyText, fc.oneof(anyText, count, fc.boolean(), fc.array(anyText)), {
      maxKeys: 3,
    }),
    unheard_of: fc.jsonValue({ maxDepth: 3 }),
  });

const channels = fc.uniqueArray(fc.constantFrom('email', 'phone', 'sms'), { minLength: 1 });

const request = fc
  .record(
    {
      type: fc.constant('lead.submit.request'),
      customer: partly(
        {
          first_name: anyText,
          last_name: anyText,
          email: fc.emailAddress(),
          phone: fc.stringMatching(/^\+[1-9][0-9]{7,14}$/),
          preferred_contact: fc.constantFrom('email', 'phone', 'sms', 'any'),
          address: partly({
            country: anyText,
            state: anyText,
            city: anyText,
            address_line_1: anyText,
            address_line_2: anyText,
            zip: anyText,
          }),
        },
        ['first_name', 'last_name', 'phone'],
      ),
      consent: fc.record({
        granted_at: instant,
        allowed_channels: channels,
        consent_text: fc.constant('You may contact me.'),
        scope: fc.constant(['lead_submission']),
      }),
      source_agent: partly({ name: anyText.filter((text) => text !== ''), url, agent_card_url: url }, [
        'name',
      ]),
      vehicle_of_interest: vehicle(fc.constantFrom('new', 'used', 'cpo')),
      trade_in: vehicle(fc.constantFrom('excellent', 'good', 'fair', 'poor')),
      appointment: partly(
        {
          appointment_type: fc.constantFrom('sales', 'service', 'test_drive', 'trade_in'),
          appointment_at: instant,
          duration_minutes: fc.integer({ min: 15, max: 600 }),
          notes: shortText,
        },
        ['appointment_type'],
      ),
      message: fc.oneof(
        shortText,
        fc.string({ unit: 'binary', minLength: 500, maxLength: 1900 }),
        fc.constant('a line that is far too long to stay in one piece, '.repeat(79)),
      ),
      submitted_at: instant,
      idempotency_key: fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
    },
    { requiredKeys: ['type', 'customer', 'consent', 'source_agent'] },
  )
  // As it comes over the wire.
  .map((value) => JSON.stringify(value))
  // The agent refuses a key of these names wherever it stands.
  .filter((text) => !/"(?:__proto__|valueOf|toString)":/.test(text))
  .map((text) => JSON.parse(text) as LeadSubmitRequest);

const options: fc.Arbitrary<AdfOptions> = partly({
  prolog: fc.constantFrom('xml-utf8', 'xml', 'upper-case', 'declaration'),
  names: fc.constantFrom('split', 'split_only', 'full'),
  phone_type: fc.constantFrom('voice', 'cellphone'),
  phone_form: fc.constantFrom('e164', 'ten_digits', 'dashed'),
  trade_in: fc.constantFrom('vehicle', 'vehicle_and_comment'),
  placeholder: partly({ year: anyText, make: anyText, model: anyText }),
  requestdate: fc.constantFrom('offset', 'z'),
  test_drive: fc.constantFrom('interest', 'comment'),
  street_missing: fc.constantFrom('comments', 'empty_street'),
  vendor_ids: fc.array(fc.record({ source: anyText, value: anyText }), { maxLength: 2 }),
  provider: partly({
    form: fc.constantFrom('direct', 'network'),
    name: anyText,
    service: anyText,
    url: anyText,
    ids: fc.array(fc.record({ source: anyText, value: anyText }), { maxLength: 2 }),
    email: anyText,
  }),
  comments_limit: fc.integer({ min: 500, max: 3000 }),
});

function documentOf(lead: LeadSubmitRequest, resend = false): LeadDocument {
  return {
    lead_id: 'lead_0001',
    received_at: '2026-04-30T11:05:10Z',
    resend,
    request: lead,
    listing: CIVIC,
    rooftop: LAKEVIEW,
  };
}

/** What XML can carry of a text, stated apart from the code under test. */
function carried(text: string): string {
  return Array.from(text)
    .filter((character) => {
      const code = character.codePointAt(0)!;
      const isControl = code < 0x20 && ![0x9, 0xa, 0xd].includes(code);
      return !isControl && code !== 0xfffe && code !== 0xffff && !(code >= 0xd800 && code <= 0xdfff);
    })
    .join('');
}

/** The same, in a field of one line: breaks and tabs are blanks, and blanks around them do not count. */
const oneLine = (text: string): string =>
  carried(text)
    .split(/[\t\r\n\u0085\u2028\u2029]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');

/** Each line is told whole or, when it has more than 500 characters, as its beginning with what is missing. */
function expectTold(told: readonly string[], lines: readonly string[]): void {
  expect(told).toHaveLength(lines.length);
  for (const [index, line] of lines.entries()) {
    const text = told[index] ?? '';
    if (line.length <= 500) {
      expect(text).toBe(line);
      continue;
    }
    expect(text.length).toBeLessThanOrEqual(500);
    const [, kept = '', missing] =
      /^(.*) \[\.\.\. (\d+) characters cut, whole text kept with lead_0001\]$/su.exec(text) ?? [];
    expect(kept.length).toBeGreaterThan(400);
    expect(line.startsWith(kept)).toBe(true);
    expect(Number(missing)).toBe(line.length - kept.length);
  }
}

describe('any request that the schema accepts', () => {
  const validateRequest = createRequestValidator();

  test('is one the schema accepts', () => {
    fc.assert(
      fc.property(request, (lead) => {
        // A rule beside the schema, which such a request breaks.
        fc.pre(lead.appointment?.appointment_type !== 'test_drive' || lead.vehicle_of_interest !== undefined);
        expect(validateRequest('lead.submit', lead)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('gives a valid document of plain ASCII, whatever the options', () => {
    fc.assert(
      fc.property(request, options, fc.boolean(), (lead, chosen, resend) => {
        const xml = renderAdf(documentOf(lead, resend), chosen);
        expect(xml).toMatch(/^<\?xml [\n\t\x20-\x7e]*<\/adf>\n$/);
        expect(orderFaults(readAdf(xml))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('is valid for xmllint too', () => {
    const sample = fc.sample(fc.tuple(request, options), { numRuns: 150, seed: 20260430 });
    expect(xmllintFaults(sample.map(([lead, chosen]) => renderAdf(documentOf(lead), chosen)))).toBe('');
  });

  test('gives the same bytes again', () => {
    fc.assert(
      fc.property(request, options, (lead, chosen) => {
        const document = documentOf(lead);
        const before = structuredClone(document);
        expect(renderAdf(document, chosen)).toBe(renderAdf(document, chosen));
        expect(document).toEqual(before);
      }),
      { numRuns: 50 },
    );
  });

  test('reads back to the same values', () => {
    fc.assert(
      fc.property(request, (lead) => {
        const prospect = one(readAdf(renderAdf(documentOf(lead), {})), 'prospect');
        const { first_name, last_name, email, phone } = lead.customer;
        const names = [first_name, last_name].map(oneLine).filter((name) => name !== '');
        expectTold(texts(prospect, 'customer/contact/name'), names.length === 0 ? [''] : names);
        expect(texts(prospect, 'customer/contact/email')).toEqual(email === undefined ? [] : [email]);
        expect(texts(prospect, 'customer/contact/phone')).toEqual([phone]);
        expectTold(texts(prospect, 'provider/name'), [oneLine(lead.source_agent.name)]);
        const { address_line_1, address_line_2, city, state, zip } = lead.customer.address ?? {};
        const streets = [address_line_1, address_line_2].map((line) => oneLine(line ?? ''));
        const told = streets.filter((line) => line !== '');
        expectTold(texts(prospect, 'customer/contact/address/street'), told);
        const place = 'customer/contact/address';
        const postal = Object.entries({ city, regioncode: state, postalcode: zip });
        for (const [element, value] of told.length === 0 ? [] : postal) {
          expectTold([texts(prospect, `${place}/${element}`).join('')], [oneLine(value ?? '')]);
        }
        // A line that is too long is broken at blanks.
        const comments = one(prospect, 'customer/comments').text.replaceAll('\n', ' ');
        expect(comments).toContain(carried(lead.message ?? '').replaceAll('\n', ' '));
        const notes = carried(lead.appointment?.notes ?? '').replaceAll('\n', ' ');
        expect(comments).toContain(notes.trim());
        const tradeIn = select(prospect, 'vehicle').find(
          ({ attributes }) => attributes.interest === 'trade-in',
        );
        if (tradeIn === undefined) return;
        const stated = lead.trade_in!;
        expectTold(texts(tradeIn, 'make'), [oneLine(stated.make ?? '')]);
        expect(texts(tradeIn, 'year')).toEqual([String(stated.year ?? '')]);
        expect(texts(tradeIn, 'odometer')).toEqual(
          stated.mileage === undefined ? [] : [String(stated.mileage)],
        );
        for (const [element, value] of Object.entries({
          trim: stated.trim,
          stock: stated.stock,
          vin: stated.vin,
          bodystyle: stated.body,
          model: stated.model,
        })) {
          expectTold([texts(tradeIn, element).join('')], [oneLine(value ?? '')]);
        }
        expect(texts(tradeIn, 'condition')).toEqual(stated.condition === undefined ? [] : [stated.condition]);
      }),
      { numRuns: 200 },
    );
  });

  test('keeps every line short that the buyer lets be short', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 8 }), fc.lorem({ maxCount: 8 }), (message, name) => {
        const lead = documentOf({
          type: 'lead.submit.request',
          customer: { first_name: 'Ann', last_name: name.slice(0, 40), phone: '+12075550142' },
          consent: {
            granted_at: '2026-04-30T11:05:00Z',
            allowed_channels: ['phone'],
            consent_text: 'x',
            scope: ['lead_submission'],
          },
          source_agent: { name: 'shopping-assistant' },
          message: message.slice(0, 75),
        });
        const lines = renderAdf(lead, {}).split('\n');
        expect(lines.filter((line) => line.length > 75)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('keeps its comments within the limit', () => {
    fc.assert(
      fc.property(request, fc.integer({ min: 500, max: 1500 }), (lead, limit) => {
        const root = readAdf(renderAdf(documentOf(lead), { comments_limit: limit }));
        const comments = [
          ...texts(root, 'prospect/customer/comments'),
          ...texts(root, 'prospect/vehicle/comments'),
        ];
        // A line break that the writer puts before or after the text is none of the text.
        expect(comments.filter((text) => text.length > limit + 2)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
