import { expect, test } from 'vitest';
import {
  addRow,
  collectRows,
  countRows,
  fillAll,
  hasRow,
  keepCommonRows,
  rowSetWords,
} from '../../../src/inventory/lot/row-set.ts';

function setOf(rowCount: number, rows: readonly number[]): Uint32Array {
  const set = new Uint32Array(rowSetWords(rowCount));
  for (const row of rows) addRow(set, row);
  return set;
}

function rowsOf(set: Uint32Array, rowCount: number, inverted = false): number[] {
  const rows = new Uint32Array(rowCount);
  return [...rows.subarray(0, collectRows(set, rows, rowCount, inverted))];
}

test.each([0, 1, 31, 32, 33, 64, 65])('a full set of %i rows has exactly these rows', (rowCount) => {
  const set = setOf(rowCount, []);
  fillAll(set, rowCount);
  expect(countRows(set)).toBe(rowCount);
  expect(rowsOf(set, rowCount)).toEqual(Array.from({ length: rowCount }, (_, row) => row));
  expect(rowsOf(set, rowCount, true)).toEqual([]);
});

test('rows at the edges of words are kept apart', () => {
  const set = setOf(70, [0, 31, 32, 63, 69]);
  expect([0, 30, 31, 32, 33, 63, 64, 69].filter((row) => hasRow(set, row))).toEqual([0, 31, 32, 63, 69]);
  expect(rowsOf(set, 70)).toEqual([0, 31, 32, 63, 69]);
  expect(rowsOf(set, 70, true)).toHaveLength(65);
  const other = setOf(70, [31, 63, 68]);

  keepCommonRows(set, other);
  expect(rowsOf(set, 70)).toEqual([31, 63]);
});
