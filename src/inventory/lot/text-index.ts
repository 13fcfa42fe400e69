import { fold } from './fold.ts';
import { findString, packStrings, type PackedStrings } from './packed-strings.ts';
import { addRowsOf, buildPostings, type Postings } from './postings.ts';
import type { RowSet } from './row-set.ts';

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

/** @param texts one a row, in row order: where that is nearly their own order, as with VINs, sorting is quick */
export function indexKeys(texts: readonly string[]): KeyColumn {
  const folded = texts.map(fold);
  const keys = withoutRepeats(folded.toSorted());
  const placeOf = new Map<string, number>();
  for (const [place, key] of keys.entries()) placeOf.set(key, place);
  const placeOfRow = new Uint32Array(texts.length);
  for (const [row, key] of folded.entries()) placeOfRow[row] = placeOf.get(key) ?? keys.length;
  const postings = buildPostings(texts.length, keys.length, (visit) => {
    for (let row = 0; row < placeOfRow.length; row++) {
      const place = placeOfRow[row] ?? 0;
      if (place < keys.length) visit(place, row);
    }
  });
  return { keys, placeOfRow, index: { strings: packStrings(keys), postings } };
}

function withoutRepeats(sorted: readonly string[]): string[] {
  return sorted.filter((key, index) => key !== '' && key !== sorted[index - 1]);
}

export function addRowsWith(index: TextIndexData, text: string, set: RowSet): void {
  const found = findString(index.strings, text);
  if (found >= 0) addRowsOf(index.postings, found, set);
}
