import { fold } from './fold.ts';
import { findString, packStrings, type PackedStrings } from './packed-strings.ts';
import { addRowsOf, buildPostings, type Postings } from './postings.ts';
import type { RowSet } from './row-set.ts';
import type { Spellings } from './spellings.ts';

/**
 * From strings to the rows that have them: the words of free text, and VIN and stock number for exact filters.
 * A lookup halves the sorted strings; a prefix is a run of strings.
 */
export interface TextIndexData {
  readonly strings: PackedStrings;
  readonly postings: Postings;
}

/** Of columns that hold one key a row, found by its folded form; a blank one is none. */
export function indexKeys({ texts, numberOfRow }: Spellings): TextIndexData {
  const folded = texts.map(fold);
  const sorted = [...new Set(folded)].filter((key) => key !== '').sort();
  const placeOf = new Map(sorted.map((key, place) => [key, place]));
  const placeOfText = Int32Array.from(folded, (key) => placeOf.get(key) ?? -1);
  const postings = buildPostings(numberOfRow.length, sorted.length, (visit) => {
    for (let row = 0; row < numberOfRow.length; row++) {
      const place = placeOfText[numberOfRow[row] ?? 0] ?? -1;
      if (place >= 0) visit(place, row);
    }
  });
  return { strings: packStrings(sorted), postings };
}

export function addRowsWith(index: TextIndexData, text: string, set: RowSet): void {
  const found = findString(index.strings, text);
  if (found >= 0) addRowsOf(index.postings, found, set);
}
