import { addRow, addRows, countCommonRows, hasRow, type RowSet, rowSetWords } from './row-set.ts';

/**
 * For each value the rows that have it. A value that more than one row in 32 has is kept as a bitset (smaller
 * than its list, and met with a selection word by word), any other as an ascending list. All lists lie in one
 * array and all bitsets in another, so that the whole is four buffers to hand over.
 */
export interface Postings {
  readonly rowCount: number;
  /** The list of value v is `lists[listStart[v] … listStart[v + 1]]`, empty when it has a bitset. */
  readonly listStart: Uint32Array;
  readonly lists: Uint32Array;
  /** Which bitset value v has, counted from 1; 0 = it has a list. */
  readonly bitsetNumber: Uint32Array;
  readonly bitsets: Uint32Array;
}

/** Calls `visit` for every pair of value and row, rows ascending; twice the same. */
export type PairSource = (visit: (value: number, row: number) => void) => void;

/** Two passes over the pairs: count, then fill. Values count from 0. */
export function buildPostings(rowCount: number, valueCount: number, forEachPair: PairSource): Postings {
  const counts = new Uint32Array(valueCount);
  forEachPair((value) => (counts[value] = (counts[value] ?? 0) + 1));

  const words = rowSetWords(rowCount);
  const listStart = new Uint32Array(valueCount + 1);
  const bitsetNumber = new Uint32Array(valueCount);
  let bitsetCount = 0;
  for (const [value, count] of counts.entries()) {
    const dense = count > words;
    if (dense) bitsetNumber[value] = ++bitsetCount;
    listStart[value + 1] = (listStart[value] ?? 0) + (dense ? 0 : count);
  }

  const lists = new Uint32Array(listStart[valueCount] ?? 0);
  const bitsets = new Uint32Array(bitsetCount * words);
  const next = listStart.slice();
  forEachPair((value, row) => {
    const bitset = bitsetNumber[value] ?? 0;
    if (bitset > 0) {
      const word = (bitset - 1) * words + (row >>> 5);
      bitsets[word] = (bitsets[word] ?? 0) | (1 << (row & 31));
    } else {
      const place = next[value] ?? 0;
      lists[place] = row;
      next[value] = place + 1;
    }
  });
  return { rowCount, listStart, lists, bitsetNumber, bitsets };
}

/** The value's bitset as it lies there, or undefined when it has a list. */
export function bitsetOf(postings: Postings, value: number): RowSet | undefined {
  const bitset = postings.bitsetNumber[value] ?? 0;
  if (bitset === 0) return undefined;
  const words = rowSetWords(postings.rowCount);
  return postings.bitsets.subarray((bitset - 1) * words, bitset * words);
}

export function addRowsOf(postings: Postings, value: number, set: RowSet): void {
  const bitset = bitsetOf(postings, value);
  if (bitset !== undefined) {
    addRows(set, bitset);
    return;
  }
  const end = postings.listStart[value + 1] ?? 0;
  for (let place = postings.listStart[value] ?? 0; place < end; place++) {
    addRow(set, postings.lists[place] ?? 0);
  }
}

/** How many rows of the set have the value. */
export function countRowsOf(postings: Postings, value: number, set: RowSet): number {
  const bitset = bitsetOf(postings, value);
  if (bitset !== undefined) return countCommonRows(set, bitset);
  const end = postings.listStart[value + 1] ?? 0;
  let count = 0;
  for (let place = postings.listStart[value] ?? 0; place < end; place++) {
    if (hasRow(set, postings.lists[place] ?? 0)) count++;
  }
  return count;
}

/** What counting every value with `countRowsOf` costs, in words and rows looked at. */
export function sweepCost(postings: Postings): number {
  return postings.lists.length + postings.bitsets.length;
}
