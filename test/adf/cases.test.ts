import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderAdf } from '../../src/adf/document.ts';
import type { AdfOptions } from '../../src/adf/options.ts';
import type { LeadDocument, LeadSubmitRequest } from '../../src/model/lead.ts';
import { childNames, everyElement, one, readAdf, select, texts } from './adf-reader.ts';
import type { ReadElement } from './adf-reader.ts';
import { CIVIC } from './documents.ts';
import { orderFaults } from './order-checker.ts';
import { xmllintFaults } from './xmllint.ts';

interface AdfCase {
  name: string;
  context: {
    dealer: { name: string; timezone: string; email: string; phone: string };
    lead_id: string;
    received_at: string;
  };
  lead: LeadSubmitRequest;
}

const CASES = JSON.parse(
  readFileSync(new URL('../cases/adf-cases.json', import.meta.url), 'utf8'),
) as AdfCase[];

function documentOf(name: string, changes: Partial<LeadDocument> = {}): LeadDocument {
  const { context, lead } = CASES.find((candidate) => candidate.name === name)!;
  const { dealer } = context;
  return {
    lead_id: context.lead_id,
    received_at: context.received_at,
    resend: false,
    request: lead,
    rooftop: {
      id: 'demo',
      feed_ids: [],
      profile: {
        name: dealer.name,
        timezone: dealer.timezone,
        emails: [{ value: dealer.email }],
        phones: [{ value: dealer.phone }],
      },
    },
    ...changes,
  };
}

function write(name: string, options: AdfOptions = {}, changes: Partial<LeadDocument> = {}): string {
  return renderAdf(documentOf(name, changes), options);
}

function read(name: string, options: AdfOptions = {}, changes: Partial<LeadDocument> = {}): ReadElement {
  return one(readAdf(write(name, options, changes)), 'prospect');
}

const comments = (prospect: ReadElement): string => one(prospect, 'customer/comments').text;

test('every case is tested here', () => {
  expect(CASES.map(({ name }) => name).sort()).toEqual(
    [
      'customer-only-inquiry',
      'mail-header-injection',
      'names-not-resplit',
      'no-submitted-at-and-retry',
      'requestdate-and-dst',
      'service-appointment',
      'three-in-one-order',
      'trade-in-only',
      'vendor-and-provider-roles',
      'vin-only-vehicle',
      'xml-metacharacters-everywhere',
      'zip-only-address',
    ].sort(),
  );
});

describe.each(CASES.map(({ name }) => name))('case %s', (name) => {
  test('is a valid document of plain ASCII', () => {
    const xml = write(name);
    expect(orderFaults(readAdf(xml))).toEqual([]);
    expect(xmllintFaults([xml])).toBe('');
    expect(xml).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<\?adf version="1\.0"\?>\n<adf>\n[\n\x20-\x7e]*\n$/,
    );
    expect(xml).not.toMatch(/undefined|null|NaN|\[object/);
  });
});

describe('three-in-one-order', () => {
  const prospect = read('three-in-one-order');
  const [wanted, tradeIn] = select(prospect, 'vehicle') as [ReadElement, ReadElement];

  test('prospect and vehicles have their children in order', () => {
    expect(childNames(prospect)).toEqual([
      'id',
      'requestdate',
      'vehicle',
      'vehicle',
      'customer',
      'vendor',
      'provider',
    ]);
    expect(childNames(wanted)).toEqual(
      'year make model vin stock trim bodystyle transmission odometer price pricecomments'.split(' '),
    );
    expect(childNames(tradeIn)).toEqual(
      'year make model trim bodystyle transmission odometer condition'.split(' '),
    );
  });

  test('interest and status are written for both', () => {
    expect(wanted.attributes).toEqual({ interest: 'test-drive', status: 'used' });
    expect(tradeIn.attributes).toEqual({ interest: 'trade-in', status: 'used' });
  });

  test('odometer, transmission and condition speak the words of ADF', () => {
    expect(
      select(prospect, 'vehicle/odometer').map(({ text, attributes }) => [text, attributes.units]),
    ).toEqual([
      ['14820', 'mi'],
      ['62000', 'mi'],
    ]);
    expect(texts(prospect, 'vehicle/transmission')).toEqual(['A', 'A']);
    expect(texts(tradeIn, 'condition')).toEqual(['good']);
  });

  test('one price, the other amounts in words', () => {
    const price = one(wanted, 'price');
    expect([price.text, price.attributes]).toEqual(['32995', { type: 'quote', currency: 'USD' }]);
    expect(one(wanted, 'pricecomments').text).toBe('MSRP 35450; list price 31495');
    const elsewhere = everyElement(wanted).filter(({ name }) => name !== 'pricecomments');
    expect(elsewhere.filter(({ text }) => /35450|31495/.test(text))).toEqual([]);
  });

  test('the address in order, US by default', () => {
    const address = one(prospect, 'customer/contact/address');
    expect(address.children.map(({ name, attributes, text }) => [name, attributes, text])).toEqual([
      ['street', { line: '1' }, '320 Brannan Street'],
      ['street', { line: '2' }, 'Apt 412'],
      ['city', {}, 'San Francisco'],
      ['regioncode', {}, 'CA'],
      ['postalcode', {}, '94107'],
      ['country', {}, 'US'],
    ]);
  });

  test('the one comments element tells the appointment in local time', () => {
    expect(childNames(one(prospect, 'customer'))).toEqual(['contact', 'comments']);
    expect(comments(prospect)).toContain('Sunday May 3 2026 at 11:00 AM PDT, 60 minutes');
    expect(comments(prospect)).toContain(
      "I'd like to test the CR-V and have my Passat appraised in the same visit.",
    );
  });

  test('only the preferred channel is marked', () => {
    expect(one(prospect, 'customer/contact/phone').attributes.preferredcontact).toBe('1');
    const marked = everyElement(prospect).filter(({ attributes }) => 'preferredcontact' in attributes);
    expect(marked.map(({ name }) => name)).toEqual(['phone']);
  });
});

describe('xml-metacharacters-everywhere', () => {
  const name = 'xml-metacharacters-everywhere';
  const prospect = read(name);

  test('every text reads back as it was written', () => {
    expect(texts(prospect, 'vehicle/model')).toEqual(['Town & Country']);
    expect(texts(prospect, 'vehicle/trim')).toEqual(['"Limited" <Platinum>']);
    expect(texts(prospect, 'vehicle/stock')).toEqual(['A&B<1>']);
    expect(texts(prospect, 'customer/contact/email')).toEqual(["o'brien+cars&trucks@example.com"]);
    expect(comments(prospect)).toContain('I <3 this van & "want" it. AT&T &amp; friends; &nbsp; ]]> end.');
    expect(texts(prospect, 'vendor/vendorname')).toEqual(['Smith & Sons "Big Deal" Ford']);
    expect(texts(prospect, 'provider/name')).toEqual(['shop & drive']);
    expect(texts(prospect, 'provider/url')).toEqual(['https://agent.example/?a=1&b=2']);
  });

  test('nothing is escaped twice, and no entity is used that XML does not have', () => {
    const xml = write(name);
    expect(xml.match(/&amp;amp;/g)).toHaveLength(1);
    const entities = [...xml.matchAll(/&([^;]*);/g)].map(([, entity]) => entity!);
    expect(entities.filter((entity) => !/^(amp|lt|gt|quot|apos|#\d+)$/.test(entity))).toEqual([]);
    expect(xml).not.toContain('CDATA');
  });
});

test('mail-header-injection: fields of one line hold no line break, one document one prospect', () => {
  const prospect = read('mail-header-injection');
  expect(texts(prospect, 'customer/contact/name')).toEqual([
    'Eve Bcc: victim@example.com',
    'Łukasz X-Evil: 1',
  ]);
  expect(texts(prospect, 'vehicle/model')).toEqual(['Civic <html>']);
  expect(select(readAdf(write('mail-header-injection')), 'prospect')).toHaveLength(1);
});

test('requestdate-and-dst: offsets of their own days', () => {
  const prospect = read('requestdate-and-dst');
  expect(one(prospect, 'requestdate').text).toBe('2026-10-30T16:30:00-07:00');
  expect(comments(prospect)).toContain('Sunday November 1 2026 at 10:00 AM PST');
  expect(comments(prospect)).not.toContain('11:00 AM');
  expect(one(prospect, 'vehicle').attributes.interest).toBe('test-drive');
});

describe('no-submitted-at-and-retry', () => {
  const first = read('no-submitted-at-and-retry');
  const again = read('no-submitted-at-and-retry', {}, { resend: true });

  test('the time of receipt stands in', () => {
    expect(one(first, 'requestdate').text).toBe('2026-04-30T04:05:10-07:00');
    expect(new Date(one(first, 'requestdate').text).toISOString()).toBe('2026-04-30T11:05:10.000Z');
  });

  test('a retry is the same lead, and says so', () => {
    expect(one(first, 'id')).toMatchObject({
      text: 'lead_0001',
      attributes: { source: 'dealer-bridge', sequence: '1' },
    });
    expect(first.attributes).toEqual({ status: 'new' });
    expect(again.attributes).toEqual({ status: 'resend' });
    expect(again.children).toEqual(first.children);
  });
});

test('trade-in-only: one used vehicle, its wear after the odometer, no price', () => {
  const prospect = read('trade-in-only');
  const vehicle = one(prospect, 'vehicle');
  expect(vehicle.attributes).toEqual({ interest: 'trade-in', status: 'used' });
  expect(childNames(vehicle)).toEqual([
    'year',
    'make',
    'model',
    'vin',
    'odometer',
    'condition',
    'colorcombination',
    'comments',
  ]);
  expect(one(vehicle, 'condition').text).toBe('poor');
  expect(one(vehicle, 'colorcombination').children.map(({ name, text }) => [name, text])).toEqual([
    ['exteriorcolor', 'Barcelona Red'],
    ['preference', '1'],
  ]);
  expect(one(vehicle, 'comments').text).toBe('Rear bumper damage.');
  expect(comments(prospect)).toContain('in-person appraisal');
  expect(comments(prospect)).toContain('Monday May 4 2026 at 9:15 AM PDT');
});

describe('customer-only-inquiry', () => {
  const prospect = read('customer-only-inquiry');

  test('one vehicle without invented facts', () => {
    const vehicle = one(prospect, 'vehicle');
    expect(childNames(vehicle)).toEqual(['year', 'make', 'model', 'comments']);
    expect(['year', 'make', 'model'].flatMap((name) => texts(vehicle, name))).toEqual(['', '', '']);
    expect(one(vehicle, 'comments').text).toContain('general inquiry');
  });

  test('or with the configured words', () => {
    const placeholder = { year: '0000', make: 'Unknown', model: 'Unknown' };
    const vehicle = one(read('customer-only-inquiry', { placeholder }), 'vehicle');
    expect(['year', 'make', 'model'].flatMap((name) => texts(vehicle, name))).toEqual([
      '0000',
      'Unknown',
      'Unknown',
    ]);
  });

  test('e-mail is preferred and the only allowed channel', () => {
    expect(one(prospect, 'customer/contact/email').attributes.preferredcontact).toBe('1');
    expect(one(prospect, 'customer/contact/phone').attributes.preferredcontact).toBeUndefined();
    expect(comments(prospect)).toContain('The customer allows contact by: e-mail only');
    expect(comments(prospect)).toContain('What APR are you offering this month for buyers with 740+ credit?');
    expect(comments(prospect)).toContain('consent record lead_0001');
  });
});

describe('vin-only-vehicle', () => {
  test('unknown car: empty three elements before the vin, not claimed to be new', () => {
    const vehicle = one(read('vin-only-vehicle'), 'vehicle');
    expect(childNames(vehicle)).toEqual(['year', 'make', 'model', 'vin', 'comments']);
    expect(one(vehicle, 'vin').text).toBe('1HGCY2F57RA000001');
    expect(one(vehicle, 'year').text + one(vehicle, 'make').text + one(vehicle, 'model').text).toBe('');
    expect(vehicle.attributes.status).toBe('used');
    expect(one(vehicle, 'comments').text).toBe('condition not stated');
  });

  test('our own car: its facts are filled in', () => {
    const vehicle = one(read('vin-only-vehicle', {}, { listing: CIVIC }), 'vehicle');
    const filled = ['year', 'make', 'model', 'vin', 'stock', 'trim', 'odometer', 'price'];
    expect(filled.flatMap((name) => texts(vehicle, name))).toEqual([
      '2022',
      'Honda',
      'Civic',
      '1HGCY2F57RA000001',
      'T12345',
      'EX',
      '22150',
      '26780',
    ]);
    expect(one(vehicle, 'comments').text).toContain('certified pre-owned');
    expect(one(vehicle, 'comments').text).not.toContain('not stated');
  });
});

test('service-appointment: told in words, no channel preferred', () => {
  const prospect = read('service-appointment');
  expect(select(prospect, 'vehicle').map(({ attributes }) => attributes.interest)).toEqual(['buy']);
  expect(comments(prospect)).toContain('Requested: service appointment\nWhen: no time was given, 90 minutes');
  expect(comments(prospect)).toContain('Brakes squeak.');
  expect(everyElement(prospect).some(({ attributes }) => 'preferredcontact' in attributes)).toBe(false);
});

describe('zip-only-address', () => {
  test('without a street the address goes to the comments', () => {
    const prospect = read('zip-only-address');
    expect(select(prospect, 'customer/contact/address')).toEqual([]);
    expect(comments(prospect)).toContain('Address without street: 94107');
  });

  test('or into an address with an empty street', () => {
    const prospect = read('zip-only-address', { street_missing: 'empty_street' });
    const address = one(prospect, 'customer/contact/address');
    expect(address.children.map(({ name, text }) => [name, text])).toEqual([
      ['street', ''],
      ['postalcode', '94107'],
      ['country', 'US'],
    ]);
    expect(comments(prospect)).not.toContain('94107');
  });
});

describe('names-not-resplit', () => {
  const names = (prospect: ReadElement) =>
    select(prospect, 'customer/contact/name').map(({ text, attributes }) => [text, attributes]);

  test('split: two parts as they came, before the e-mail', () => {
    const prospect = read('names-not-resplit');
    expect(names(prospect)).toEqual([
      ['María José', { part: 'first', type: 'individual' }],
      ['van der Berg-O’Neill Jr.', { part: 'last', type: 'individual' }],
    ]);
    expect(childNames(one(prospect, 'customer/contact'))).toEqual(['name', 'name', 'email']);
  });

  test('full: one name, a single blank between', () => {
    expect(names(read('names-not-resplit', { names: 'full' }))).toEqual([
      ['María José van der Berg-O’Neill Jr.', { part: 'full', type: 'individual' }],
    ]);
  });

  test('every name of the document has a part of ADF', () => {
    const all = everyElement(read('names-not-resplit')).filter(({ name }) => name === 'name');
    expect(all.map(({ attributes }) => attributes.part)).toEqual(['first', 'last', 'full', 'full']);
    expect(all.every(({ attributes }) => (attributes.type ?? 'individual') === 'individual')).toBe(true);
  });
});

describe('vendor-and-provider-roles', () => {
  const name = 'vendor-and-provider-roles';

  test('the vendor is the dealership', () => {
    const prospect = read(name, { vendor_ids: [{ source: 'CRM', value: '4711' }] });
    const vendor = one(prospect, 'vendor');
    expect(childNames(vendor)).toEqual(['id', 'vendorname', 'contact']);
    expect(one(vendor, 'id')).toMatchObject({ text: '4711', attributes: { source: 'CRM' } });
    expect(one(vendor, 'vendorname').text).toBe('Demo Toyota');
    expect(one(vendor, 'contact').children.map(({ name: child, text }) => [child, text])).toEqual([
      ['name', 'Demo Toyota'],
      ['email', 'leads@demotoyota.example'],
      ['phone', '+14155550100'],
    ]);
  });

  test('direct: the agent is the provider', () => {
    const prospect = read(name);
    expect(childNames(prospect).at(-1)).toBe('provider');
    expect(one(prospect, 'provider').children.map(({ name: child, text }) => [child, text])).toEqual([
      ['name', 'gemini-assistant'],
      ['url', 'https://gemini.example.com'],
    ]);
  });

  test('network: the brand is the provider, the agent its service', () => {
    const provider = one(read(name, { provider: { form: 'network', name: 'Auto Network' } }), 'provider');
    expect(provider.children.map(({ name: child, text }) => [child, text])).toEqual([
      ['name', 'Auto Network'],
      ['service', 'gemini-assistant'],
    ]);
  });

  test('the customer is in neither', () => {
    const prospect = read(name);
    const all = [one(prospect, 'vendor'), one(prospect, 'provider')].flatMap(everyElement);
    expect(all.filter(({ text }) => /piotr\.nowak@example\.com|\+14155555678|Nowak/.test(text))).toEqual([]);
  });
});
