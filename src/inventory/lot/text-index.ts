import { findPrefix, findString, packStrings, type PackedStrings } from './packed-strings.ts';
import { addRowsOf, buildPostings, type Postings } from './postings.ts';
import type { RowSet } from './row-set.ts';

/**
 * From strings to the rows that have them: the words of free text, and VIN and stock number for exact filters.
 * A lookup halves the sorted strings and adds the postings of what it finds; a prefix is a run of strings.
 */
export interface TextIndexData {
  readonly strings: PackedStrings;
  readonly postings: Postings;
}

export class TextIndexBuilder {
  readonly #numbers = new Map<string, number>();
  /** Numbers of the strings of all rows, row after row. */
  #pairs = new Uint32Array(1024);
  #pairCount = 0;
  /** Where each row ends in `#pairs`. */
  readonly #rowEnds: number[] = [];
  /** The last row, counted from 1, that was given the string of that number: tells repetitions. */
  readonly #lastRow: number[] = [];

  /** The next row's strings, all at once. */
  addRow(strings: readonly string[]): void {
    this.addNumbers(strings.map((text) => this.numberOf(text)));
    this.endRow();
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    this.#lastRow.push(0);
    return number;
  }

  /** Gives the row that is being added the strings of these numbers; a string given before counts once. */
  addNumbers(numbers: readonly number[]): void {
    const row = this.#rowEnds.length + 1;
    for (const number of numbers) {
      if (this.#lastRow[number] === row) continue;
      this.#lastRow[number] = row;
      this.#push(number);
    }
  }

  endRow(): void {
    this.#rowEnds.push(this.#pairCount);
  }

  finish(): TextIndexData {
    const sorted = [...this.#numbers.keys()].sort();
    const place = new Uint32Array(sorted.length);
    for (const [index, text] of sorted.entries()) place[this.#numbers.get(text) ?? 0] = index;
    const postings = buildPostings(this.#rowEnds.length, sorted.length, (visit) => {
      let pair = 0;
      for (const [row, end] of this.#rowEnds.entries()) {
        for (; pair < end; pair++) visit(place[this.#pairs[pair] ?? 0] ?? 0, row);
      }
    });
    return { strings: packStrings(sorted), postings };
  }

  #push(number: number): void {
    if (this.#pairCount === this.#pairs.length) {
      const grown = new Uint32Array(this.#pairs.length * 2);
      grown.set(this.#pairs);
      this.#pairs = grown;
    }
    this.#pairs[this.#pairCount++] = number;
  }
}

export function addRowsWith(index: TextIndexData, text: string, set: RowSet): void {
  const found = findString(index.strings, text);
  if (found >= 0) addRowsOf(index.postings, found, set);
}

export function addRowsWithPrefix(index: TextIndexData, prefix: string, set: RowSet): void {
  const { first, end } = findPrefix(index.strings, prefix);
  for (let found = first; found < end; found++) addRowsOf(index.postings, found, set);
}
