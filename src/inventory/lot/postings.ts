import { addRow, addRows, collectRows, countRows, type RowSet, rowSetWords } from './row-set.ts';
import { GrowingNumbers } from './spellings.ts';

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

/** How many rows the value has. */
export function totalOf(postings: Postings, value: number): number {
  const bitset = bitsetOf(postings, value);
  if (bitset !== undefined) return countRows(bitset);
  return (postings.listStart[value + 1] ?? 0) - (postings.listStart[value] ?? 0);
}

/**
 * Postings whose values have the rows of several others each: those of a word are the rows of all texts that it stands
 * in. Many rows are joined as bitsets, few as a sorted list, so the whole costs a few steps for each row of a text.
 *
 * @param sources the others; their values are counted on from one to the next
 * @param parts the others of value v are `values[start[v] … start[v + 1]]`
 */
export function mergePostings(
  rowCount: number,
  sources: readonly Postings[],
  parts: { readonly start: Uint32Array; readonly values: Uint32Array },
): Postings {
  const valueCount = parts.start.length - 1;
  const words = rowSetWords(rowCount);
  const listStart = new Uint32Array(valueCount + 1);
  const bitsetNumber = new Uint32Array(valueCount);
  const lists = new GrowingNumbers();
  const bitsets: RowSet[] = [];
  const offsets = offsetsOf(sources);
  const totals = totalsOf(sources);
  const few = new Uint32Array(words);
  const set = new Uint32Array(words);
  const rows = new Uint32Array(rowCount);

  for (let value = 0; value < valueCount; value++) {
    const partsOfValue = parts.values.subarray(parts.start[value], parts.start[value + 1]);
    let most = 0;
    for (const part of partsOfValue) most += totals[part] ?? 0;
    if (most <= words) {
      let count = 0;
      for (const part of partsOfValue) count = copyList(sourceOf(sources, offsets, part), few, count);
      pushAscending(lists, few.subarray(0, count), partsOfValue.length > 1);
    } else {
      set.fill(0);
      for (const part of partsOfValue) {
        const { postings, value: own } = sourceOf(sources, offsets, part);
        addRowsOf(postings, own, set);
      }
      if (countRows(set) > words) bitsetNumber[value] = bitsets.push(set.slice());
      else pushAscending(lists, rows.subarray(0, collectRows(set, rows, rowCount, false)), false);
    }
    listStart[value + 1] = lists.length;
  }
  const joined = new Uint32Array(bitsets.length * words);
  for (const [index, bitset] of bitsets.entries()) joined.set(bitset, index * words);
  return { rowCount, listStart, lists: lists.view().slice(), bitsetNumber, bitsets: joined };
}

interface SourceValue {
  readonly postings: Postings;
  readonly value: number;
}

function offsetsOf(sources: readonly Postings[]): number[] {
  let next = 0;
  return sources.map(({ bitsetNumber }) => {
    const offset = next;
    next += bitsetNumber.length;
    return offset;
  });
}

function totalsOf(sources: readonly Postings[]): Uint32Array {
  const totals = new GrowingNumbers();
  for (const postings of sources) {
    for (let value = 0; value < postings.bitsetNumber.length; value++) totals.push(totalOf(postings, value));
  }
  return totals.view();
}

function sourceOf(sources: readonly Postings[], offsets: readonly number[], part: number): SourceValue {
  let source = sources.length - 1;
  while (source > 0 && (offsets[source] ?? 0) > part) source--;
  const postings = sources[source];
  if (postings === undefined) throw new Error(`No postings have a value ${part}`);
  return { postings, value: part - (offsets[source] ?? 0) };
}

/** Of a value that is known to have a list. Returns where the next one goes. */
function copyList({ postings, value }: SourceValue, target: Uint32Array, start: number): number {
  const { lists, listStart } = postings;
  let next = start;
  const end = listStart[value + 1] ?? 0;
  for (let place = listStart[value] ?? 0; place < end; place++) target[next++] = lists[place] ?? 0;
  return next;
}

function pushAscending(lists: GrowingNumbers, rows: Uint32Array, mustSort: boolean): void {
  if (mustSort) rows.sort();
  let last = -1;
  for (const row of rows) {
    if (row !== last) lists.push(row);
    last = row;
  }
}
