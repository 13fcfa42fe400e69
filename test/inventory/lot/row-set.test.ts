import { expect, test } from 'vitest';
import {
  addRow,
  addRows,
  collectRows,
  countRows,
  dropRows,
  hasAnyRow,
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

const every = (rowCount: number): number[] => Array.from({ length: rowCount }, (_, row) => row);

test.each([0, 1, 31, 32, 33, 64, 65, 127, 128, 129, 500])(
  'a full set of %i rows has exactly these',
  (rowCount) => {
    const set = setOf(rowCount, every(rowCount));
    expect(countRows(set)).toBe(rowCount);
    expect(hasAnyRow(set)).toBe(rowCount > 0);
    expect(rowsOf(set, rowCount)).toEqual(every(rowCount));
    expect(rowsOf(set, rowCount, true)).toEqual([]);
  },
);

test.each([1, 33, 128, 129, 500])(
  'of %i rows an empty set has none, and one alone is found wherever it is',
  (rowCount) => {
    const empty = setOf(rowCount, []);
    expect([countRows(empty), hasAnyRow(empty), rowsOf(empty, rowCount)]).toEqual([0, false, []]);
    expect(rowsOf(empty, rowCount, true)).toEqual(every(rowCount));
    for (const row of every(rowCount)) {
      const set = setOf(rowCount, [row]);
      expect([countRows(set), hasAnyRow(set), rowsOf(set, rowCount)]).toEqual([1, true, [row]]);
    }
  },
);

test('sets are met, joined and taken out of each other row by row', () => {
  const threes = every(500).filter((row) => row % 3 === 0);
  const fives = every(500).filter((row) => row % 5 === 0);
  const meet = (change: (set: Uint32Array, other: Uint32Array) => void): number[] => {
    const set = setOf(500, threes);
    change(set, setOf(500, fives));
    return rowsOf(set, 500);
  };
  expect(meet(keepCommonRows)).toEqual(threes.filter((row) => row % 5 === 0));
  expect(meet(addRows)).toEqual(every(500).filter((row) => row % 3 === 0 || row % 5 === 0));
  expect(meet(dropRows)).toEqual(threes.filter((row) => row % 5 !== 0));
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
