import { normaliseWord } from '../../model/vocabulary.ts';
import { fold } from './fold.ts';
import { buildPostings, type Postings } from './postings.ts';
import { Spellings } from './spellings.ts';

/**
 * A column of few distinct values: each row holds a small code, each code has a value. Counting a facet is one
 * loop `counts[codes[row]]++`, a filter is the postings of its values. One or two bytes a row, and the postings.
 */
export interface TermColumnData {
  /** Code of each row; 0 = the vehicle has no value, code c has the value `values[c - 1]`. */
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  /** As most listings spell it, ascending. */
  readonly values: readonly (string | number)[];
  /** What the value of the same index is compared by (`fold`). */
  readonly keys: readonly string[];
  /** Vehicles of each code. */
  readonly totals: Uint32Array;
  /** Value numbers are code - 1. */
  readonly postings: Postings;
}

/** A term column ready to serve: its data, and what is derived from it once. */
export interface TermColumn extends TermColumnData {
  /** Code of each folded value. */
  readonly codeOf: ReadonlyMap<string, number>;
  /** Codes of the values that differ from the text in blanks and `_ - .` only. */
  alikeTo(text: string): readonly number[];
}

export function adoptTermColumn(data: TermColumnData): TermColumn {
  const codeOf = new Map<string, number>();
  for (const [index, key] of data.keys.entries()) codeOf.set(key, index + 1);
  // Made when it is first asked for: most shoppers write values as the lot does.
  let codesAlike: ReadonlyMap<string, readonly number[]> | undefined;
  const alikeTo = (text: string): readonly number[] => {
    const key = normaliseWord(fold(text));
    codesAlike ??= groupAlike(data.keys);
    return key === '' ? [] : (codesAlike.get(key) ?? []);
  };
  return { ...data, codeOf, alikeTo };
}

function groupAlike(keys: readonly string[]): Map<string, number[]> {
  const codesAlike = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    const alike = normaliseWord(key);
    const codes = codesAlike.get(alike);
    if (codes === undefined) codesAlike.set(alike, [index + 1]);
    else codes.push(index + 1);
  }
  return codesAlike;
}

/** Collects one value a row. Spellings that differ only in case, accents or blanks become one value. */
export class TermColumnBuilder {
  readonly spellings = new Spellings();

  /** The next row's value; blank counts as none. */
  add(text: string | null | undefined): void {
    this.spellings.add(text?.trim() ?? '');
  }

  /** @param toValue how the value is shown: years are numbers. */
  finish(toValue: (text: string) => string | number = (text) => text): TermColumnData {
    const { texts, numberOfRow } = this.spellings;
    const rowCount = numberOfRow.length;
    const shown = [...groupSpellings(texts, numberOfRow)].map(([key, spellings]) => ({
      key,
      spellings,
      value: toValue(commonest(spellings)),
    }));
    shown.sort((one, other) => (one.value < other.value ? -1 : 1));

    const codeOfSpelling = new Uint32Array(texts.length);
    for (const [index, { spellings }] of shown.entries()) {
      for (const { number } of spellings) codeOfSpelling[number] = index + 1;
    }
    const codes = codesFor(shown.length, rowCount);
    const totals = new Uint32Array(shown.length + 1);
    for (let row = 0; row < rowCount; row++) {
      const code = codeOfSpelling[numberOfRow[row] ?? 0] ?? 0;
      codes[row] = code;
      totals[code] = (totals[code] ?? 0) + 1;
    }
    const postings = buildPostings(rowCount, shown.length, (visit) => {
      for (let row = 0; row < rowCount; row++) {
        const code = codes[row] ?? 0;
        if (code > 0) visit(code - 1, row);
      }
    });
    return {
      codes,
      values: shown.map(({ value }) => value),
      keys: shown.map(({ key }) => key),
      totals,
      postings,
    };
  }
}

/** Spellings that are the same value, by what they are compared by; blank ones are none. */
function groupSpellings(texts: readonly string[], numberOfRow: Uint32Array): Map<string, Spelling[]> {
  const counts = new Uint32Array(texts.length);
  for (const number of numberOfRow) counts[number] = (counts[number] ?? 0) + 1;
  const groups = new Map<string, Spelling[]>();
  for (const [number, text] of texts.entries()) {
    const key = fold(text);
    if (key === '') continue;
    const spelling = { text, number, count: counts[number] ?? 0 };
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [spelling]);
    else group.push(spelling);
  }
  return groups;
}

interface Spelling {
  text: string;
  number: number;
  count: number;
}

/** Of equally frequent spellings the first in order, so that the same lot always shows the same. */
function commonest(spellings: readonly Spelling[]): string {
  const best = spellings.reduce((one, other) =>
    other.count > one.count || (other.count === one.count && other.text < one.text) ? other : one,
  );
  return best.text;
}

function codesFor(valueCount: number, rowCount: number): Uint8Array | Uint16Array | Uint32Array {
  if (valueCount < 2 ** 8) return new Uint8Array(rowCount);
  return valueCount < 2 ** 16 ? new Uint16Array(rowCount) : new Uint32Array(rowCount);
}
