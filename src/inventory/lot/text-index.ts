import { fold } from './fold.ts';
import { findString, packStrings, type PackedStrings } from './packed-strings.ts';
import { addRowsOf, buildPostings, totalOf, type Postings } from './postings.ts';
import type { RowSet } from './row-set.ts';
import { sortStrings } from './sort-strings.ts';

/**
 * From strings to the rows that have them: the words of free text, and VIN and stock number for exact filters.
 * A lookup halves the sorted strings; a prefix is a run of strings.
 */
export interface TextIndexData {
  readonly strings: PackedStrings;
  readonly postings: Postings;
}

/** A column of keys, which hardly two vehicles share: VINs, stock numbers. */
export interface KeyColumn {
  /** Folded, each different one once, ascending, without blank ones. */
  readonly keys: readonly string[];
  /** Place of each row's key among them; their number where a row has none. */
  readonly placeOfRow: Uint32Array;
  readonly index: TextIndexData;
}

/** @param texts one a row, in row order: where that is their own order, as with VINs, sorting is quick */
export function indexKeys(texts: readonly string[]): KeyColumn {
  const folded = texts.map(fold);
  const keys: string[] = [];
  const placeOfRow = new Uint32Array(texts.length);
  const sortedRows = sortStrings(packStrings(folded));
  // Blank ones come first.
  const firstKey = sortedRows.findIndex((row) => folded[row] !== '');
  const blankRows = firstKey < 0 ? sortedRows : sortedRows.subarray(0, firstKey);
  for (const row of sortedRows.subarray(blankRows.length)) {
    const key = folded[row] ?? '';
    if (key !== keys.at(-1)) keys.push(key);
    placeOfRow[row] = keys.length - 1;
  }
  for (const row of blankRows) placeOfRow[row] = keys.length;
  const postings = buildPostings(texts.length, keys.length, (visit) => {
    for (let row = 0; row < placeOfRow.length; row++) {
      const place = placeOfRow[row] ?? 0;
      if (place < keys.length) visit(place, row);
    }
  });
  return { keys, placeOfRow, index: { strings: packStrings(keys), postings } };
}

/** Returns how many rows have the text. */
export function addRowsWith({ strings, postings }: TextIndexData, text: string, set: RowSet): number {
  const found = findString(strings, text);
  if (found < 0) return 0;
  addRowsOf(postings, found, set);
  return totalOf(postings, found);
}
