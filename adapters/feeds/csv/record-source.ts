import type { RecordMark } from '../../../src/adapters/index.ts';
import type { Dialect } from './dialect.ts';
import { fillsRow, type RowWidths } from './header.ts';
import { splitPlainLine } from './plain-line.ts';
import { readRecord } from './record-reading.ts';
import { judgeLine, readPastBlanks, readWithoutQuotes, repairRecord } from './record-repair.ts';
import { scanRecord } from './record-scan.ts';
import type { SourceText } from './source-text.ts';

/** A record cut out of the file. */
export interface FoundRecord {
  /** Line of the file at which it begins, from 1. */
  readonly line: number;
  /** Of a sound single line that is left to csv-parse: its text, in place of values. */
  readonly unparsed: string | undefined;
  /** None of a known record. */
  readonly values: readonly string[];
  /** So many lines of the file; only values of several of them can hold line breaks. */
  readonly lines: number;
  /** What the core says of it; only of records that are sound by themselves. */
  readonly mark: RecordMark | undefined;
  /** The file ends with it and without a line break. */
  readonly isUnterminated: boolean;
  readonly wasRepaired: boolean;
  readonly rejection: 'quote_malformed' | 'row_truncated' | undefined;
}

type RecordFacts = Partial<Pick<FoundRecord, 'unparsed' | 'wasRepaired' | 'rejection' | 'mark'>>;

/**
 * An open quoted value is followed so far, which is longer than any comment. Where that was in vain, the lines up to
 * there are not gone through once more for each of them: an open quote in every line would make that endless.
 */
const MOST_LINES = 1000;
const MOST_LINES_AGAIN = 50;

const NO_VALUES: readonly string[] = [];

/** Cuts the text into records, one after the other, and keeps count of the lines. */
export class RecordSource {
  readonly source: SourceText;
  readonly #dialect: Dialect;
  readonly #widths: RowWidths;
  readonly #maxCharacters: number;
  readonly #recognise: ((record: string) => RecordMark) | undefined;
  #at: number;
  #line: number;
  #searchedTo = 0;

  constructor(
    source: SourceText,
    dialect: Dialect,
    place: { readonly at: number; readonly line: number },
    bounds: { readonly widths: RowWidths; readonly maxCharacters: number },
    recognise?: (record: string) => RecordMark,
  ) {
    this.source = source;
    this.#dialect = dialect;
    this.#at = place.at;
    this.#line = place.line;
    this.#widths = bounds.widths;
    this.#maxCharacters = bounds.maxCharacters;
    this.#recognise = recognise;
  }

  /** Line of the record that comes next. */
  get line(): number {
    return this.#line;
  }

  /** Forgets the records already taken. */
  release(): void {
    this.source.dropBefore(this.#at);
    this.#searchedTo -= this.#at;
    this.#at = 0;
  }

  /** Undefined when the record's end, or the file's, has not been read yet. */
  next(): FoundRecord | 'too-large' | undefined {
    const from = this.#at;
    if (from >= this.source.text.length) return undefined;
    const scan = scanRecord(this.source, from, this.#dialect);
    const isOverlong = this.source.text.length - from > this.#maxCharacters;
    if (scan.kind === 'unfinished' && !this.source.isWhole && !isOverlong) return undefined;
    if (scan.kind === 'unfinished' && !scan.inQuotes) return 'too-large';
    if (scan.kind !== 'sound') return this.#repair(from);
    const isOneLine = scan.end === this.source.lineEnd(from);
    if (scan.next - from > this.#maxCharacters) return isOneLine ? 'too-large' : this.#repair(from);
    const text = this.source.text.slice(from, scan.end);
    // What the file ends with is another matter where no line break ends it.
    const mark = scan.end === scan.next ? undefined : this.#recognise?.(text);
    if (mark?.isKnown === true) return this.#take(NO_VALUES, scan.next, { mark });
    if (!scan.hasQuotedValues) return this.#takeUnquoted(text, scan.next, mark);
    if (!isOneLine) return this.#readSeveralLines(from, mark);
    const values = this.#split(text);
    if (values === undefined) return this.#take(NO_VALUES, scan.next, { mark, unparsed: text });
    return this.#take(values, scan.next, { mark });
  }

  /** Undefined where it is left to csv-parse. */
  #split(text: string): string[] | undefined {
    const values = splitPlainLine(text, this.#dialect.delimiter);
    if (values !== undefined || this.#dialect.blanksBeforeQuotes !== true) return values;
    return readPastBlanks(text, this.#dialect, this.#widths);
  }

  /** A quote behind a blank is a letter by the book; if so much is proven, it is the blank that is too much. */
  #takeUnquoted(text: string, next: number, mark: RecordMark | undefined): FoundRecord {
    const values = text.split(this.#dialect.delimiter);
    const { width } = this.#widths;
    const repaired = values.length > width ? readPastBlanks(text, this.#dialect, this.#widths) : undefined;
    if (repaired === undefined || fillsRow(values, this.#widths)) return this.#take(values, next, { mark });
    return this.#take(repaired, next, { wasRepaired: true });
  }

  /**
   * Sound by the book, but perhaps only because two stray quotes far apart look like the ends of one value: that is
   * so if the first line and one of the others are whole records when quotes are letters.
   */
  #readSeveralLines(from: number, mark: RecordMark | undefined): FoundRecord | 'too-large' | undefined {
    const firstLine = this.source.text.slice(from, this.source.lineEnd(from));
    const mayHoldRecord = readWithoutQuotes(firstLine, this.#dialect, this.#widths) !== undefined;
    const reading = readRecord(
      this.source,
      from,
      this.#dialect,
      'letter',
      (lineStart) =>
        mayHoldRecord && judgeLine(this.source, lineStart, from, this.#dialect, this.#widths) === 'record',
    );
    const fits = reading.kind === 'ended' && fillsRow(reading.values, this.#widths);
    return fits ? this.#take(reading.values, reading.next, { mark }) : this.#repair(from);
  }

  #repair(from: number): FoundRecord | 'too-large' | undefined {
    const lines = from < this.#searchedTo ? MOST_LINES_AGAIN : MOST_LINES;
    const bounds = { lines, characters: this.#maxCharacters };
    const repair = repairRecord(this.source, from, this.#dialect, this.#widths, bounds);
    if (repair.kind === 'needs-more-text') {
      // The record that follows an unclosed quote must be seen whole, too, wherever the limit happens to fall.
      return this.source.text.length - from > 2 * this.#maxCharacters ? 'too-large' : undefined;
    }
    if (repair.next - from > this.#maxCharacters) return 'too-large';
    const { values, next, searchedTo = 0 } = repair;
    this.#searchedTo = Math.max(this.#searchedTo, searchedTo);
    if (repair.kind === 'rejected') return this.#take(values, next, { rejection: repair.code });
    return this.#take(values, next, { wasRepaired: repair.wasRepaired });
  }

  #take(
    values: readonly string[],
    next: number,
    { unparsed, wasRepaired = false, rejection, mark }: RecordFacts,
  ): FoundRecord {
    const line = this.#line;
    let lineStart = this.#at;
    let lineEnd = lineStart;
    while (lineStart < next) {
      lineEnd = this.source.lineEnd(lineStart);
      lineStart = this.source.nextLine(lineEnd);
      this.#line += 1;
    }
    this.#at = next;
    const [lines, isUnterminated] = [this.#line - line, lineEnd === next];
    return { line, unparsed, values, lines, mark, isUnterminated, wasRepaired, rejection };
  }
}
