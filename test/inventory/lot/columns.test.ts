import { expect, test } from 'vitest';
import { orderNumbers, orderTexts } from '../../../src/inventory/lot/order.ts';
import { findPrefix, findString, packStrings } from '../../../src/inventory/lot/packed-strings.ts';
import {
  addRowsOf,
  bitsetOf,
  buildPostings,
  mergePostings,
  type Postings,
} from '../../../src/inventory/lot/postings.ts';
import { collectRows, rowSetWords } from '../../../src/inventory/lot/row-set.ts';
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
  expect(rowsOf(postings, 0)).toHaveLength(96);
  expect(rowsOf(postings, 1)).toEqual([0, 33, 66, 99]);
  expect(rowsOf(postings, 2)).toEqual([]);
});

test('merged postings have the rows of all their parts once, few as lists and many as bitsets', () => {
  const rowCount = 200;
  const everyThird = postingsOf(rowCount, [range(0, 200, 3), [5], []]);
  const others = postingsOf(rowCount, [[1, 7], [0, 7], range(1, 200, 2)]);
  // The values of the second source are counted on: 3, 4 and 5.
  const parts = [[1], [3, 4], [0], [0, 5], [2], [], [1, 3, 4, 1]];
  const start = Uint32Array.from([0, 1, 3, 4, 6, 7, 7, 11]);
  const merged = mergePostings(rowCount, [everyThird, others], {
    start,
    values: Uint32Array.from(parts.flat()),
  });
  const thirdOrOdd = range(0, 200, 1).filter((row) => row % 3 === 0 || row % 2 === 1);
  expect(parts.map((_, value) => rowsOf(merged, value))).toEqual([
    [5],
    [0, 1, 7],
    range(0, 200, 3),
    thirdOrOdd,
    [],
    [],
    [0, 1, 5, 7],
  ]);
  expect(parts.map((_, value) => bitsetOf(merged, value) !== undefined)).toEqual([
    false,
    false,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('parts that share most of their rows merge into a list, however many they are', () => {
  const same = postingsOf(100, [
    [3, 50],
    [3, 50],
    [50, 99],
  ]);
  const merged = mergePostings(100, [same], {
    start: Uint32Array.of(0, 3),
    values: Uint32Array.of(2, 0, 1),
  });
  expect(bitsetOf(merged, 0)).toBeUndefined();
  expect(rowsOf(merged, 0)).toEqual([3, 50, 99]);
});

function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);
}

function postingsOf(rowCount: number, rowsOfValues: readonly (readonly number[])[]): Postings {
  return buildPostings(rowCount, rowsOfValues.length, (visit) => {
    for (const [value, rows] of rowsOfValues.entries()) for (const row of rows) visit(value, row);
  });
}

function rowsOf(postings: Postings, value: number): number[] {
  const set = new Uint32Array(rowSetWords(postings.rowCount));
  addRowsOf(postings, value, set);
  const rows = new Uint32Array(postings.rowCount);
  return [...rows.subarray(0, collectRows(set, rows, postings.rowCount, false))];
}

test('an order has rows without value last in both directions, and equal ones in row order', () => {
  const order = orderNumbers(Float64Array.of(3, Number.NaN, 1, 3, 2));
  expect([...order.ascending]).toEqual([2, 4, 0, 3, 1]);
  expect([...order.descending]).toEqual([0, 3, 4, 2, 1]);
  expect([...orderNumbers(Float64Array.of(3, Number.NaN, 1, 3, 2)).ranks]).toEqual([2, 3, 0, 2, 1]);
  const texts = new Spellings();
  for (const text of ['b', ' ', 'A']) texts.add(text);
  expect([...orderTexts(texts).descending]).toEqual([0, 2, 1]);
});

test('numbers are ordered alike, whether they are whole and close together or neither', () => {
  const close = [3, Number.NaN, -1, 3, 0, 70_000, -70];
  for (const factor of [1, 0.5, 1e6, -1]) {
    const values = Float64Array.from(close, (value) => value * factor);
    const rows = close.map((_, row) => row).filter((row) => row !== 1);
    const sorted = rows.toSorted((one, other) => values[one]! - values[other]! || one - other);
    const { ascending, descending, ranks, distinct } = orderNumbers(values);
    expect([...ascending]).toEqual([...sorted, 1]);
    const back = rows.toSorted((one, other) => values[other]! - values[one]! || one - other);
    expect([...descending]).toEqual([...back, 1]);
    expect([ranks[0], ranks[1], ranks[3], distinct]).toEqual([factor < 0 ? 1 : 3, 5, factor < 0 ? 1 : 3, 5]);
  }
  expect([...orderNumbers(Float64Array.of(Number.NaN, Number.NaN)).descending]).toEqual([0, 1]);
  expect([...orderNumbers(new Float64Array(0)).ascending]).toEqual([]);
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
