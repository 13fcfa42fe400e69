import { describe, expect, it } from 'vitest';
import { parseNumber } from '../../src/feeds/mapping/fields/numbers.ts';
import { compileDecimalComma, withDecimalPoint } from '../../src/feeds/mapping/mappers/decimal-comma.ts';

it('of three digits is no number, because others write thousands in this way', () => {
  expect(parseNumber(withDecimalPoint('125,000'))).toBeUndefined();
  expect(parseNumber(withDecimalPoint('125.000'))).toBe(125_000);
  expect(parseNumber(withDecimalPoint('125.000,000'))).toBe(125_000);
});

describe('a number with a comma before its decimals', () => {
  it.each([
    ['21.995,50', '21995.50'],
    ['21.995', '21995'],
    ['21 995,5', '21995.5'],
    ['21\u202f995,50 $', '21995.50 $'],
    ["1'234'567", '1234567'],
    ['$ 812,00', '$ 812.00'],
    ['45.210 km', '45210 km'],
    ['1,5 L', '1.5 L'],
    ['31995', '31995'],
  ])('%s is %s', (text, number) => {
    expect(withDecimalPoint(text)).toBe(number);
  });

  it.each(['21,995.50', '1.99', '12.34.56', 'Call for price', '', '1.5.2026', `${'1'.repeat(80)},00`])(
    '%s is left as it is',
    (text) => {
      expect(withDecimalPoint(text)).toBe(text);
    },
  );
});

it('is looked for in the columns of numbers only', () => {
  const cells = new Map([
    ['price', ['21.995,00']],
    ['fee', ['1.234,00']],
    ['km', ['45.210']],
    ['stock', ['1.234']],
    ['model', ['1.234,00']],
  ]);
  const view = compileDecimalComma({
    list_price: 'Price',
    mileage: { column: 'km', unit: { constant: 'km' } },
    fees: [{ name: 'Doc', column: 'Fee' }],
    stock: 'Stock',
    model: 'Model',
  })(cells);
  expect([...view.keys()].map((key) => [key, view.get(key)])).toEqual([
    ['price', ['21995.00']],
    ['fee', ['1234.00']],
    ['km', ['45210']],
    ['stock', ['1.234']],
    ['model', ['1.234,00']],
  ]);
});
