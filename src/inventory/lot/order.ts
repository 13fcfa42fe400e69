import { fold } from './fold.ts';
import type { Spellings } from './spellings.ts';

/**
 * The rows of the lot presorted by one field. A page of everything is a slice; a page of a selection walks the
 * order and takes what is selected, or, when few are, sorts those by rank. Vehicles without the field come last
 * in both directions, and equal ones in row order (the lot's fixed key), so that pages never overlap. 12 bytes a
 * row and field.
 */
export interface RowOrder {
  /** Place of the row's value among the distinct values, from 0; `distinct` = the row has none. */
  readonly ranks: Uint32Array;
  readonly distinct: number;
  readonly ascending: Uint32Array;
  readonly descending: Uint32Array;
}

/** One number a row; NaN means none. */
export function orderNumbers(values: Float64Array): RowOrder {
  const range = wholeRange(values);
  const { ranks, distinct } =
    range === undefined ? rankBySorting(values) : rankByCounting(values, range.lowest, range.highest);
  return orderByRank(ranks, distinct);
}

interface Ranks {
  readonly ranks: Uint32Array;
  readonly distinct: number;
}

/** A table of the numbers between lowest and highest may have as many places as this for each row, and some more. */
const TABLE_PLACES_PER_ROW = 8;
const MIN_TABLE_PLACES = 2 ** 16;

/** Lowest and highest of whole numbers that lie close together, as prices and miles do; else undefined. */
function wholeRange(values: Float64Array): { lowest: number; highest: number } | undefined {
  let lowest = Infinity;
  let highest = -Infinity;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!Number.isSafeInteger(value)) return undefined;
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  const places = Math.max(MIN_TABLE_PLACES, values.length * TABLE_PLACES_PER_ROW);
  return highest - lowest < places ? { lowest, highest } : undefined;
}

/** Linear: marks which numbers occur, then counts the marks before each. */
function rankByCounting(values: Float64Array, lowest: number, highest: number): Ranks {
  const rankOf = new Uint32Array(Math.max(0, highest - lowest + 1));
  for (const value of values) if (!Number.isNaN(value)) rankOf[value - lowest] = 1;
  let distinct = 0;
  for (let place = 0; place < rankOf.length; place++) if (rankOf[place] === 1) rankOf[place] = distinct++;
  const ranks = new Uint32Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? Number.NaN;
    ranks[row] = Number.isNaN(value) ? distinct : (rankOf[value - lowest] ?? 0);
  }
  return { ranks, distinct };
}

function rankBySorting(values: Float64Array): Ranks {
  const distinct = distinctNumbers(values);
  const ranks = new Uint32Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? Number.NaN;
    ranks[row] = Number.isNaN(value) ? distinct.length : placeIn(distinct, value);
  }
  return { ranks, distinct: distinct.length };
}

/** By the texts as they are compared (`fold`); blank means none. */
export function orderTexts({ texts, numberOfRow }: Spellings): RowOrder {
  const folded = texts.map(fold);
  const sorted = [...new Set(folded)].filter((text) => text !== '').sort();
  const rankOf = new Map(sorted.map((text, rank) => [text, rank]));
  const rankOfText = Uint32Array.from(folded, (text) => rankOf.get(text) ?? sorted.length);
  return orderByRank(
    numberOfRow.map((number) => rankOfText[number] ?? 0),
    sorted.length,
  );
}

/** @param distinct how many ranks there are; rows of this rank have no value */
export function orderByRank(ranks: Uint32Array, distinct: number): RowOrder {
  return {
    ranks,
    distinct,
    ascending: sortByPlace(ranks, distinct, false),
    descending: sortByPlace(ranks, distinct, true),
  };
}

/** Ascending, without NaN. */
function distinctNumbers(values: Float64Array): Float64Array {
  // Typed arrays sort by value, NaN last.
  const sorted = values.slice().sort();
  let count = 0;
  for (const value of sorted) {
    if (!Number.isNaN(value) && (count === 0 || sorted[count - 1] !== value)) sorted[count++] = value;
  }
  return sorted.subarray(0, count);
}

/** Where a number stands that is among them. */
export function placeIn(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What rows are sorted by, ascending: the rank, or in the other direction its mirror; without value last. */
export function placeOf(order: RowOrder, row: number, descending: boolean): number {
  return place(order.ranks[row] ?? order.distinct, order.distinct, descending);
}

function place(rank: number, distinct: number, descending: boolean): number {
  return descending && rank !== distinct ? distinct - 1 - rank : rank;
}

/** Counting sort: linear, and rows of one place keep their order. */
function sortByPlace(ranks: Uint32Array, distinct: number, descending: boolean): Uint32Array {
  const next = new Uint32Array(distinct + 2);
  for (const rank of ranks) {
    const following = place(rank, distinct, descending) + 1;
    next[following] = (next[following] ?? 0) + 1;
  }
  for (let index = 1; index < next.length; index++) {
    next[index] = (next[index] ?? 0) + (next[index - 1] ?? 0);
  }
  const sorted = new Uint32Array(ranks.length);
  for (let row = 0; row < ranks.length; row++) {
    const target = place(ranks[row] ?? 0, distinct, descending);
    const position = next[target] ?? 0;
    sorted[position] = row;
    next[target] = position + 1;
  }
  return sorted;
}
