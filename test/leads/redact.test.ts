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
