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

/** One value a row; NaN and '' mean none. */
export function buildOrder(values: readonly number[] | readonly string[]): RowOrder {
  const present = [...new Set<number | string>(values)].filter(isPresent);
  present.sort((one, other) => (one < other ? -1 : 1));
  const rankOf = new Map<number | string, number>();
  for (const [rank, value] of present.entries()) rankOf.set(value, rank);

  const distinct = present.length;
  const ranks = Uint32Array.from<number | string>(values, (value) => rankOf.get(value) ?? distinct);
  return {
    ranks,
    distinct,
    ascending: sortByPlace(ranks, distinct, false),
    descending: sortByPlace(ranks, distinct, true),
  };
}

/** What rows are sorted by, ascending: the rank, or in the other direction its mirror; without value last. */
export function placeOf(order: RowOrder, row: number, descending: boolean): number {
  return place(order.ranks[row] ?? order.distinct, order.distinct, descending);
}

function place(rank: number, distinct: number, descending: boolean): number {
  return descending && rank !== distinct ? distinct - 1 - rank : rank;
}

function isPresent(value: number | string): boolean {
  return value !== '' && !Number.isNaN(value);
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
