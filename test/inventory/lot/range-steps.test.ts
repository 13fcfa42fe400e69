import { expect, test } from 'vitest';
import { Narrowing } from '../../../src/inventory/lot/narrowing.ts';
import { orderNumbers } from '../../../src/inventory/lot/order.ts';
import { cutIntoSteps, endsOf, keepRange } from '../../../src/inventory/lot/range-steps.ts';
import { addRow, collectRows, rowSetWords } from '../../../src/inventory/lot/row-set.ts';

/** Two of five without a value, many equal ones, in no order. */
function someValues(rowCount: number): Float64Array {
  return Float64Array.from({ length: rowCount }, (_, row) =>
    row % 5 < 2 ? Number.NaN : ((row * 37) % 101) - 20,
  );
}

function rowsWithin(values: Float64Array, min: number, max: number, without?: number): number[] {
  const order = orderNumbers(values);
  const selected = new Uint32Array(rowSetWords(values.length));
  const narrowing = new Narrowing(selected);
  if (without !== undefined) {
    const kept = new Uint32Array(selected.length);
    for (let row = 0; row < values.length; row++) if (row % without !== 0) addRow(kept, row);
    narrowing.keep(kept);
  }
  const scratch = new Uint32Array(selected.length).fill(0xffff_ffff);
  keepRange(cutIntoSteps(order), { values, ascending: order.ascending }, { min, max }, narrowing, scratch);
  const rows = new Uint32Array(values.length);
  return [...rows.subarray(0, collectRows(selected, rows, values.length, false))];
}

test.each([0, 1, 5, 33, 64, 1000])('a range keeps of %i rows those with a value within it', (rowCount) => {
  const values = someValues(rowCount);
  const bounds = [-Infinity, -21, -20, -3, 0, 17.5, 50, 80, 81, Infinity];
  for (const min of bounds) {
    for (const max of bounds) {
      const expected = [...values.keys()].filter((row) => values[row]! >= min && values[row]! <= max);
      expect(rowsWithin(values, min, max)).toEqual(expected);
    }
  }
});

test('a range keeps only what was selected before', () => {
  const values = someValues(300);
  const expected = [...values.keys()].filter(
    (row) => row % 7 !== 0 && values[row]! >= 10 && values[row]! <= 40,
  );
  expect(rowsWithin(values, 10, 40, 7)).toEqual(expected);
});

test('a column without any value has no row in any range', () => {
  expect(rowsWithin(new Float64Array(40).fill(Number.NaN), -Infinity, Infinity)).toEqual([]);
});

test.each([5, 33, 64, 1000])(
  'of %i rows the selected ones of lowest and highest value are found',
  (rowCount) => {
    const values = someValues(rowCount);
    const order = orderNumbers(values);
    const steps = cutIntoSteps(order);
    for (let apart = 1; apart <= rowCount + 1; apart += 7) {
      for (const start of [0, 2, 4, rowCount - 1]) {
        const selected = new Uint32Array(rowSetWords(rowCount));
        const found: number[] = [];
        for (let row = start; row < rowCount; row += apart) {
          addRow(selected, row);
          if (!Number.isNaN(values[row])) found.push(values[row]!);
        }
        const ends = endsOf(steps, order.ascending, selected);
        const expected = found.length === 0 ? undefined : [Math.min(...found), Math.max(...found)];
        expect(ends && [values[ends.lowest], values[ends.highest]]).toEqual(expected);
      }
    }
  },
);
