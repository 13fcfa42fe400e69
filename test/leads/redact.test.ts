import { expect, it } from 'vitest';
import { redact } from '../../src/leads/redact.ts';

const customer = {
  first_name: 'Ana-María',
  last_name: 'de (la) Cruz',
  email: 'ana@example.com',
  phone: '+14155550123',
  address: { address_line_1: '1 Main Street' },
};

it.each([
  ['550 5.1.1 <someone@crm.example>: no such user', '550 5.1.1 <[address]>: no such user'],
  ['bad lead of ANA-MARÍA DE (LA) CRUZ', 'bad lead of [customer] [customer]'],
  ['cannot call +14155550123 or (415) 555-0199', 'cannot call [customer] or [number]'],
  ['lives at 1 main street', 'lives at [customer]'],
  ['connect ECONNREFUSED 127.0.0.1:2525', 'connect ECONNREFUSED 127.0.0.1:2525'],
  ['535 5.7.139 authentication is off', '535 5.7.139 authentication is off'],
  ['550 5.1.1 415-555-0123', '550 5.1.1 [number]'],
  ['call 020 7946 0958, 555-0123 or 4155550123', 'call [number], [number] or [number]'],
  ['closed until 2026-11-30T12:00:00Z', 'closed until 2026-11-30T12:00:00Z'],
  ['Anatole is another word', 'Anatole is another word'],
  [
    '250 queued lead_01a22d48-8633-7456-8888-b665c03bb613 for 415-555-0123',
    '250 queued lead_01a22d48-8633-7456-8888-b665c03bb613 for [number]',
  ],
  [
    'CRM-test_lead_01a22d50-f977-7504-8888-8bd21004ca56',
    'CRM-test_lead_01a22d50-f977-7504-8888-8bd21004ca56',
  ],
  ['two\r\nlines', 'two lines'],
])('%j becomes %j', (text, expected) => {
  expect(redact(text, customer)).toBe(expected);
});

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

it.each([
  ['percent', 'bad form last=de%20%28la%29%20Cruz&city=x', 'bad form last=[customer]&city=x'],
  ['percent, small letters', 'mail=ana%40example.com%2c', 'mail=[customer],'],
  ['percent of another address', '<some.one%40crm.example>', '<[address]>'],
  ['percent twice', 'q=ana%2540example.com', 'q=[customer]'],
  ['percent in Latin 1', 'first=ANA-MAR%CDA', 'first=[customer]'],
  ['every letter in percent', '%61%6e%61%40%65xample.com', '[customer]'],
  ['a form', 'street=1+Main+Street&x=1', 'street=[customer]&x=1'],
  ['a formatted number in a form', 'phone=%28415%29+555-0123', 'phone=[number]'],
  ['entities by number', 'no such user ana&#64;example.com', 'no such user [customer]'],
  ['entities in hexadecimal', 'Ana-Mar&#xED;a is missing', '[customer] is missing'],
  ['entities by name', 'ANA-MAR&Iacute;A &amp; co', '[customer] & co'],
  ['entities in a web address', 'u=ana%26%2364%3Bexample.com', 'u=[customer]'],
  ['quoted-printable', 'From: Ana-Mar=C3=ADa <x>', 'From: [customer] <x>'],
  ['quoted-printable over a line break', '1 Main Str=\r\neet is odd', '[customer] is odd'],
  ['a header of a mail', 'Subject: =?utf-8?Q?Ana-Mar=C3=ADa?=', 'Subject: =?utf-8?Q?[customer]?='],
  ['escapes of JSON', '{"first":"Ana-Mar\\u00eda"}', '{"first":"[customer]"}'],
  ['letters with marks of their own', 'bad name ANA-MARI\u0301A', 'bad name [customer]'],
  ['base64', `got ${base64('<email>ana@example.com</email>')} from you`, 'got [customer] from you'],
  ['base64 of one word', `=?utf-8?B?${base64('Ana-María')}?=`, '=?utf-8?B?[customer]?='],
  ['base64 that was cut', `got ${base64('<x>Ana-María</x> and more of it').slice(3)}`, 'got [customer]'],
  [
    'base64 on lines',
    base64(`${'x '.repeat(26)}ana@example.com and so on`).replace(/.{76}/g, '$&\r\n'),
    '[customer]',
  ],
])('takes the customer out of %s', (_form, text, expected) => {
  expect(redact(text, customer)).toBe(expected);
});

it('leaves the id of a test lead whole, whose customer is called TEST', () => {
  const id = 'test_lead_019b7d1c-5a3e-7c4d-8e9f-0123456789ab';
  expect(redact(`took ${id} of TEST`, { ...customer, first_name: 'TEST' })).toBe(`took ${id} of [customer]`);
});

it.each([
  'GET /leads?state=100%25 gave 5xx',
  'dGhpcyBpcyBub2JvZHk= is no name',
  'AT&amp;T answered 250 2.0.0 Ok: queued as 4F7A9B2C1D',
  'quota=20 used=3D',
])('leaves %j as it is', (text) => {
  expect(redact(text, customer)).toBe(text);
});

it('stays short, and fast on hostile text', () => {
  expect(redact('x'.repeat(1_000_000), customer)).toHaveLength(300);
  expect(redact('1-'.repeat(1_000_000), customer).length).toBeLessThanOrEqual(300);
});

it('takes out words that are too long for a pattern, also when they are quoted cut or on one line', () => {
  const long = {
    ...customer,
    first_name: 'N'.repeat(100_000),
    last_name: `${'('.repeat(99)}😀${'x'.repeat(50)}`,
  };
  expect(redact(`bad name ${'N'.repeat(250)}`, long)).toBe('bad name [customer]');
  expect(redact(`bad name ${long.last_name}`, long)).toBe('bad name [customer]');
  expect(redact('a NN is fine', long)).toBe('a NN is fine');
  const broken = { ...customer, first_name: 'Eve\r\nBcc: x' };
  expect(redact('who is Eve\r\nBcc: x?', broken)).toBe('who is [customer]?');
});
