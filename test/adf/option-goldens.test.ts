import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderAdf } from '../../src/adf/document.ts';
import { settleOptions } from '../../src/adf/options.ts';
import { one, readAdf } from './adf-reader.ts';
import { leadWith } from './documents.ts';
import { OPTION_CASES } from './option-cases.ts';
import { xmllintFaults } from './xmllint.ts';

const GOLDENS = new URL('option-goldens/', import.meta.url);

const golden = (name: string): string => readFileSync(new URL(`${name}.xml`, GOLDENS), 'utf8');

/** Lines of the one that the other has not, as often as it has them more. */
function linesMissing(text: string, from: string): string[] {
  const others = from.split('\n');
  return text.split('\n').filter((line) => {
    const at = others.indexOf(line);
    if (at !== -1) others.splice(at, 1);
    return at === -1;
  });
}

test('every option has its golden file', () => {
  const names = OPTION_CASES.map(({ name }) => `${name}.xml`);
  expect(readdirSync(GOLDENS).sort()).toEqual(names.sort());
  const tested = new Set(OPTION_CASES.flatMap(({ options }) => Object.keys(options)));
  expect([...tested].sort()).toEqual(Object.keys(settleOptions({})).sort());
});

test('the golden files are valid by our DTD', () => {
  expect(xmllintFaults(OPTION_CASES.map(({ name }) => golden(name)))).toBe('');
});

describe.each(OPTION_CASES.filter(({ name }) => name !== 'comments-limit'))(
  'option $name',
  ({ name, options, lead, goes, comes }) => {
    test('gives the golden file byte for byte', () => {
      expect(renderAdf(lead, options)).toBe(golden(name));
    });

    test('changes nothing else', () => {
      const before = renderAdf(lead, {});
      expect(linesMissing(before, golden(name))).toEqual(goes);
      expect(linesMissing(golden(name), before)).toEqual(comes);
    });
  },
);

test('option comments-limit cuts the message and says so', () => {
  const { lead, options, name } = OPTION_CASES.find((candidate) => candidate.name === 'comments-limit')!;
  expect(renderAdf(lead, options)).toBe(golden(name));
  const comments = one(readAdf(golden(name)), 'prospect/customer/comments').text;
  expect(comments.length).toBeLessThanOrEqual(500);
  const [, kept = '', missing] = /^([\s\S]*) \[\.\.\. (\d+)\s+characters\s+cut/.exec(comments)!;
  expect(kept.length + Number(missing)).toBe(lead.request.message!.length);
  expect(comments.replaceAll('\n', ' ')).toContain('whole text kept with lead_0001]');
  expect(comments).toContain('consent record lead_0001');
});

test('a fee list that is too long is cut too', () => {
  const fees = Array.from({ length: 60 }, (_, index) => ({ name: `Fee number ${index}`, amount: index + 1 }));
  const lead = leadWith({ vehicle_of_interest: { make: 'Kia', price: 20000, fees } });
  const { text } = one(readAdf(renderAdf(lead, { comments_limit: 500 })), 'prospect/vehicle/pricecomments');
  expect(text.length).toBeLessThanOrEqual(502);
  expect(text.replaceAll('\n', ' ').trim()).toMatch(
    /^price includes Fee number 0 1; .* characters cut, whole text kept/,
  );
});

test('only North American numbers change their form', () => {
  for (const phone of ['+4930901820', '+11155550142', '+1207555014', '+120755501422']) {
    const lead = leadWith({ customer: { first_name: 'Ann', last_name: 'Lee', phone } });
    for (const phone_form of ['ten_digits', 'dashed'] as const) {
      const prospect = one(readAdf(renderAdf(lead, { phone_form })), 'prospect');
      expect(one(prospect, 'customer/contact/phone').text).toBe(phone);
    }
  }
});
