import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRequestValidator } from '../../src/agent/validators.ts';
import { renderAdf } from '../../src/adf/document.ts';
import { readAdf } from './adf-reader.ts';
import { SAMPLE_NAMES, sampleLead } from './documents.ts';
import { orderFaults } from './order-checker.ts';
import { hasXmllint, xmllintFaults } from './xmllint.ts';

const golden = (name: string): Buffer =>
  readFileSync(new URL(`../../samples/adf/${name}.xml`, import.meta.url));

const validateRequest = createRequestValidator();

describe.each(SAMPLE_NAMES)('sample %s', (name) => {
  test('is a lead that the schema accepts', () => {
    expect(validateRequest('lead.submit', sampleLead(name).request)).toEqual([]);
  });

  test('becomes the golden file byte for byte', () => {
    expect(renderAdf(sampleLead(name), {})).toBe(golden(name).toString('utf8'));
    expect(Buffer.from(renderAdf(sampleLead(name), {})).equals(golden(name))).toBe(true);
  });

  test('keeps the element order', () => {
    expect(orderFaults(readAdf(golden(name).toString('utf8')))).toEqual([]);
  });
});

const documents = SAMPLE_NAMES.map((name) => golden(name).toString('utf8'));

test.skipIf(!hasXmllint)('the golden files are valid by our DTD', () => {
  expect(xmllintFaults(documents)).toBe('');
});

test.skipIf(!hasXmllint)('xmllint finds a fault when there is one', () => {
  const broken = documents[0]!.replace(/( +<vendor>.*<\/vendor>\n)( +<provider>.*<\/provider>\n)/s, '$2$1');
  expect(broken).not.toBe(documents[0]);
  expect(xmllintFaults([broken])).toContain('prospect');
});

test('the order checker finds wrong order, unknown elements and wrong values', () => {
  const fault = (from: RegExp | string, to: string) => orderFaults(readAdf(documents[3]!.replace(from, to)));
  expect(fault(/( +<make>.*\n)( +<model>.*\n)/, '$2$1')).toHaveLength(1);
  expect(fault(/<stock>(.*)<\/stock>/, '<lot>$1</lot>')).toHaveLength(2);
  expect(fault('units="mi"', 'units="miles"')).toEqual(['odometer has units="miles"']);
  expect(fault(/ +<vendorname>.*\n/, '')).toHaveLength(1);
});
