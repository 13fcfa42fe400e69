import type { Narrowing } from './narrowing.ts';
import type { RowOrder } from './order.ts';
import { addRow, dropRow, hasRow, type RowSet, rowSetWords } from './row-set.ts';

/**
 * A number column cut into 32 steps of equally many rows in ascending order, and for each step the set of all rows
 * before it. The rows up to a number are then such a set and a part of one step, a 128th of the lot on average, and a
 * range takes two of these, where looking at each row would cost thirty times as much. Where a selection begins and ends
 * in the order is found by halving the steps. 4 bytes a row and column.
 */
export interface RangeSteps {
  /** Rows of a step; the last one may have fewer. */
  readonly stepRows: number;
  /** Rows that have a value: the first ones of the order. */
  readonly withValue: number;
  /** One set after the other; set s has the first `s * stepRows` rows of the order. */
  readonly before: Uint32Array;
}

const STEPS = 32;

export function cutIntoSteps({ ascending, ranks, distinct }: RowOrder): RangeSteps {
  const words = rowSetWords(ascending.length);
  let withValue = ascending.length;
  while (withValue > 0 && ranks[ascending[withValue - 1] ?? 0] === distinct) withValue--;
  const stepRows = Math.max(1, Math.ceil(withValue / STEPS));
  const stepCount = Math.ceil(withValue / stepRows);
  const before = new Uint32Array((stepCount + 1) * words);
  for (let step = 0; step < stepCount; step++) {
    const set = before.subarray((step + 1) * words, (step + 2) * words);
    set.set(before.subarray(step * words, (step + 1) * words));
    const end = Math.min(withValue, (step + 1) * stepRows);
    for (let place = step * stepRows; place < end; place++) addRow(set, ascending[place] ?? 0);
  }
  return { stepRows, withValue, before };
}

/**
 * Keeps the rows that have a value from `min` up to and including `max`.
 * @param values of each row; NaN = none
 * @param ascending the rows in their order
 * @param scratch overwritten
 */
export function keepRange(
  steps: RangeSteps,
  column: { readonly values: Float64Array; readonly ascending: Uint32Array },
  { min, max }: { readonly min: number; readonly max: number },
  narrowing: Narrowing,
  scratch: RowSet,
): void {
  const { values, ascending } = column;
  const end = firstWhere(steps.withValue, (place) => !((values[ascending[place] ?? 0] ?? Number.NaN) <= max));
  fillBefore(steps, ascending, end, scratch);
  narrowing.keep(scratch);
  const first = firstWhere(steps.withValue, (place) => (values[ascending[place] ?? 0] ?? Number.NaN) >= min);
  if (first === 0) return;
  fillBefore(steps, ascending, first, scratch);
  narrowing.drop(scratch);
}

/** The ends of the order among the selected rows: those of lowest and highest value; undefined = none has a value. */
export function endsOf(
  { stepRows, withValue, before }: RangeSteps,
  ascending: Uint32Array,
  selected: RowSet,
): { readonly lowest: number; readonly highest: number } | undefined {
  const words = selected.length;
  const all = before.length - words;
  const stepCount = Math.ceil(withValue / stepRows);
  if (!hasRowBetween(before, 0, all, selected)) return undefined;
  // Of the sets that grow from step to step the first that meets the selection.
  const firstStep = firstWhere(stepCount, (step) => hasRowBetween(before, 0, (step + 1) * words, selected));
  const lastStep = firstWhere(stepCount, (step) => !hasRowBetween(before, (step + 1) * words, all, selected));
  let first = firstStep * stepRows;
  while (!hasRow(selected, ascending[first] ?? 0)) first++;
  let last = Math.min(withValue, (lastStep + 1) * stepRows) - 1;
  while (!hasRow(selected, ascending[last] ?? 0)) last--;
  return { lowest: ascending[first] ?? 0, highest: ascending[last] ?? 0 };
}

/** Whether a selected row is in the set that begins at word `to`, and not in the one that begins at word `from`. */
function hasRowBetween(sets: Uint32Array, from: number, to: number, selected: RowSet): boolean {
  const words = selected.length;
  for (let word = 0; word < words; word++) {
    if (((selected[word] ?? 0) & (sets[to + word] ?? 0) & ~(sets[from + word] ?? 0)) !== 0) return true;
  }
  return false;
}

/** The first of the numbers below `count` for which it is true, as it is for all after that; else `count`. */
function firstWhere(count: number, isTrue: (number: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The rows before a place of the order: those of the nearer step, and what lies between. */
function fillBefore(
  { stepRows, withValue, before }: RangeSteps,
  ascending: Uint32Array,
  end: number,
  set: RowSet,
): void {
  const step = Math.floor(end / stepRows);
  const start = step * stepRows;
  const next = Math.min(withValue, start + stepRows);
  if (end - start <= next - end) {
    set.set(setBefore(before, step, set.length));
    for (let place = start; place < end; place++) addRow(set, ascending[place] ?? 0);
  } else {
    set.set(setBefore(before, step + 1, set.length));
    for (let place = end; place < next; place++) dropRow(set, ascending[place] ?? 0);
  }
}

function setBefore(before: Uint32Array, step: number, words: number): Uint32Array {
  return before.subarray(step * words, (step + 1) * words);
}
