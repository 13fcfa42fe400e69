import { expect, test } from 'vitest';
import { orderNumbers, orderTexts } from '../../../src/inventory/lot/order.ts';
import { findPrefix, findString, packStrings } from '../../../src/inventory/lot/packed-strings.ts';
import { addRowsOf, bitsetOf, buildPostings, countRowsOf } from '../../../src/inventory/lot/postings.ts';
import { collectRows, fillAll, rowSetWords } from '../../../src/inventory/lot/row-set.ts';
import { Spellings } from '../../../src/inventory/lot/spellings.ts';
import { TermColumnBuilder } from '../../../src/inventory/lot/term-column.ts';

test('packed strings are found whole and by prefix, in code unit order', () => {
  const sorted = ['', 'a', 'ab', 'abc', 'b', 'é', '￰', '🚗'].sort();
  const packed = packStrings(sorted);
  for (const [index, text] of sorted.entries()) expect(findString(packed, text)).toBe(index);
  expect(findString(packed, 'abcd')).toBe(-1);
  expect(findString(packed, 'aa')).toBe(-1);
  expect(findString(packed, 'zz')).toBe(-1);
  const prefixed = (prefix: string): string[] => {
    const { first, end } = findPrefix(packed, prefix);
    return sorted.slice(first, end);
  };
  expect(prefixed('a')).toEqual(['a', 'ab', 'abc']);
  expect(prefixed('abc')).toEqual(['abc']);
  expect(prefixed('x')).toEqual([]);
  expect(prefixed('')).toEqual(sorted);
});

test('postings keep frequent values as bitsets and rare ones as lists, and answer alike', () => {
  const rowCount = 100;
  const values = Array.from({ length: rowCount }, (_, row) => (row % 33 === 0 ? 1 : 0));
  const postings = buildPostings(rowCount, 3, (visit) => {
    for (const [row, value] of values.entries()) visit(value, row);
  });
  expect(bitsetOf(postings, 0)).toBeDefined();
  expect(bitsetOf(postings, 1)).toBeUndefined();
  const all = new Uint32Array(rowSetWords(rowCount));
  fillAll(all, rowCount);
  expect([0, 1, 2].map((value) => countRowsOf(postings, value, all))).toEqual([96, 4, 0]);
  const rare = new Uint32Array(rowSetWords(rowCount));
  addRowsOf(postings, 1, rare);
  const rows = new Uint32Array(rowCount);
  expect([...rows.subarray(0, collectRows(rare, rows, rowCount, false))]).toEqual([0, 33, 66, 99]);
  expect(countRowsOf(postings, 0, rare)).toBe(0);
});

test('an order has rows without value last in both directions, and equal ones in row order', () => {
  const order = orderNumbers(Float64Array.of(3, Number.NaN, 1, 3, 2));
  expect([...order.ascending]).toEqual([2, 4, 0, 3, 1]);
  expect([...order.descending]).toEqual([0, 3, 4, 2, 1]);
  const texts = new Spellings();
  for (const text of ['b', ' ', 'A']) texts.add(text);
  expect([...orderTexts(texts).descending]).toEqual([0, 2, 1]);
});

test('a term column shows the commonest spelling of a value, the first of equal ones', () => {
  const builder = new TermColumnBuilder();
  for (const text of ['ford', 'FORD ', ' ford', undefined, 'Coupé', 'Coupe', '  ', null]) builder.add(text);
  const column = builder.finish();
  expect(column.values).toEqual(['Coupe', 'ford']);
  expect(column.keys).toEqual(['coupe', 'ford']);
  expect([...column.codes]).toEqual([2, 2, 2, 0, 1, 1, 0, 0]);
  expect([...column.totals]).toEqual([3, 2, 3]);
});

test('codes take as many bytes as there are values for', () => {
  const wide = new TermColumnBuilder();
  for (let value = 0; value < 300; value++) wide.add(`value ${value}`);
  const { codes, values } = wide.finish();
  expect(codes).toBeInstanceOf(Uint16Array);
  expect(values[(codes[299] ?? 0) - 1]).toBe('value 299');
});
