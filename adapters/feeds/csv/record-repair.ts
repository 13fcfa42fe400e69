import type { Dialect } from './dialect.ts';
import { fillsRow, type RowWidths } from './header.ts';
import { readRecord, type PairRule, type RecordReading } from './record-reading.ts';
import { scanRecord } from './record-scan.ts';
import { SourceText } from './source-text.ts';

/** What became of a record that is not written by the book. */
export type RecordRepair =
  | {
      readonly kind: 'read';
      readonly values: string[];
      readonly next: number;
      readonly wasRepaired: boolean;
      readonly searchedTo?: number;
    }
  | {
      readonly kind: 'rejected';
      readonly code: 'quote_malformed' | 'row_truncated';
      /** The values from the left that are beyond doubt. */
      readonly values: string[];
      readonly next: number;
      /** Up to here the lines have been gone through, which may be far behind `next`. */
      readonly searchedTo: number;
    }
  | { readonly kind: 'needs-more-text' };

/** In lines. */
const LONGEST_COMMENT = 50;

/** How far an open quoted value is followed. */
export interface RepairBounds {
  readonly lines: number;
  readonly characters: number;
}

/**
 * Tries the readings of a faulty record from the most to the least regular, and takes the first that fills a row. If
 * none does, one record is lost and not the file: reading goes on at the next line that is a record by itself.
 */
export function repairRecord(
  source: SourceText,
  from: number,
  dialect: Dialect,
  widths: RowWidths,
  bounds: RepairBounds,
): RecordRepair {
  const firstLineEnd = source.lineEnd(from);
  if (!source.isLineComplete(firstLineEnd)) return { kind: 'needs-more-text' };
  const nextLine = source.nextLine(firstLineEnd);
  const firstLine = source.text.slice(from, firstLineEnd);
  const lineByItself = readLine(firstLine, dialect, widths);
  if (lineByItself !== undefined) return { kind: 'read', ...lineByItself, next: nextLine };
  const lookout = new Lookout(source, from, dialect, widths, bounds);
  const reading = readRecord(source, from, dialect, 'letter', (lineStart) => lookout.stopsAt(lineStart));
  const { stop } = lookout;
  if (stop === 'line-incomplete' || touchesEnd(source, reading)) return { kind: 'needs-more-text' };
  if (reading.kind === 'ended' && reading.certain === reading.values.length) {
    return { kind: 'read', values: reading.values, next: reading.next, wasRepaired: false };
  }
  const candidates = [reading];
  if (stop !== 'too-far' && !fits(reading, widths)) {
    const second = new Lookout(source, from, dialect, widths, bounds);
    candidates.push(
      readRecord(source, from, dialect, 'letter-and-close', (lineStart) => second.stopsAt(lineStart)),
    );
    if (second.stop === 'line-incomplete' || candidates.some((each) => touchesEnd(source, each)))
      return { kind: 'needs-more-text' };
  }
  for (const candidate of candidates) {
    if (!fits(candidate, widths)) continue;
    return { kind: 'read', values: candidate.values, next: candidate.next, wasRepaired: true };
  }
  const words = readSingleLine(firstLine, dialect, 'letter-and-words');
  const searchedTo = lookout.at;
  if (fits(words, widths))
    return { kind: 'read', values: words.values, next: nextLine, wasRepaired: true, searchedTo };
  const values = reading.values.slice(0, reading.certain);
  // A comment of many lines among which are rows is none, even if none of them is whole.
  const isRow = lookout.likelyRecord !== undefined && lookout.lines >= LONGEST_COMMENT;
  if (reading.kind === 'open' && !isRow) {
    return { kind: 'rejected', code: 'row_truncated', values, next: source.text.length, searchedTo };
  }
  if (stop === 'too-far')
    return { kind: 'rejected', code: 'quote_malformed', values, next: nextLine, searchedTo };
  // Rather a line of a comment told as a broken row than a vehicle taken for a line of a comment.
  const behind = reading.kind === 'open' ? source.text.length : reading.next;
  const next = lookout.likelyRecord ?? behind;
  return { kind: 'rejected', code: 'quote_malformed', values, next, searchedTo };
}

type EndedReading = Extract<RecordReading, { kind: 'ended' }>;

function fits(reading: RecordReading, widths: RowWidths): reading is EndedReading {
  return reading.kind === 'ended' && fillsRow(reading.values, widths);
}

/** The readings for which the record's first line is enough. */
function readLine(
  line: string,
  dialect: Dialect,
  widths: RowWidths,
): { values: string[]; wasRepaired: boolean } | undefined {
  const reading = readSingleLine(line, dialect, 'letter');
  if (fits(reading, widths)) {
    return { values: reading.values, wasRepaired: reading.certain < reading.values.length };
  }
  const values = readWithoutQuotes(line, dialect, widths);
  return values === undefined ? undefined : { values, wasRepaired: true };
}

function readSingleLine(line: string, dialect: Dialect, rule: PairRule): RecordReading {
  const source = new SourceText(line, true);
  source.useDelimiter(dialect.delimiter);
  return readRecord(source, 0, dialect, rule, () => false);
}

/** A line that has too many values, or too few, because blanks stand before the quotes around some of them. */
export function readPastBlanks(line: string, dialect: Dialect, widths: RowWidths): string[] | undefined {
  if (!dialect.quoting || !line.includes(' "')) return undefined;
  const reading = readSingleLine(line, { ...dialect, blanksBeforeQuotes: true }, 'letter');
  return fits(reading, widths) && reading.certain === reading.values.length ? reading.values : undefined;
}

/** `"18"",…` is sound by the book and yet often an inch mark. */
export function readInchMarks(line: string, dialect: Dialect): string[] | undefined {
  const reading = readSingleLine(line, dialect, 'letter-and-close');
  return reading.kind === 'ended' ? reading.values : undefined;
}

function touchesEnd(source: SourceText, reading: RecordReading): boolean {
  if (reading.kind === 'open') return !source.isWhole;
  return reading.kind === 'ended' && !source.isLineComplete(reading.end);
}

/**
 * People write commas and semicolons, but neither tabs nor pipes: where those delimit, a line that splits into the
 * right number of values without any regard to quotes is right.
 */
export function readWithoutQuotes(line: string, dialect: Dialect, widths: RowWidths): string[] | undefined {
  if (occursInProse(dialect)) return undefined;
  const values = line.split(dialect.delimiter, widths.width + MOST_EXTRA_VALUES + 1);
  return values.length <= widths.width + MOST_EXTRA_VALUES && fillsRow(values, widths) ? values : undefined;
}

/** Blank ones, behind the last column. */
const MOST_EXTRA_VALUES = 20;

function occursInProse(dialect: Dialect): boolean {
  return dialect.delimiter === ',' || dialect.delimiter === ';';
}

/** Watches the lines that an open quoted value runs over. */
class Lookout {
  stop: 'record' | 'too-far' | 'line-incomplete' | undefined;
  /** The line that it looked at last. */
  at = 0;
  /** The first line that may be a short row. */
  likelyRecord: number | undefined;
  lines = 0;
  readonly #source: SourceText;
  readonly #from: number;
  readonly #dialect: Dialect;
  readonly #widths: RowWidths;
  readonly #bounds: RepairBounds;

  constructor(source: SourceText, from: number, dialect: Dialect, widths: RowWidths, bounds: RepairBounds) {
    this.#source = source;
    this.#from = from;
    this.#dialect = dialect;
    this.#widths = widths;
    this.#bounds = bounds;
  }

  stopsAt(lineStart: number): boolean {
    this.lines += 1;
    this.at = lineStart;
    if (!this.#source.isLineComplete(this.#source.lineEnd(lineStart))) {
      this.stop = 'line-incomplete';
      return true;
    }
    const kind = judgeLine(this.#source, lineStart, this.#from, this.#dialect, this.#widths);
    if (kind === 'record') this.stop = 'record';
    else if (this.lines >= this.#bounds.lines || lineStart - this.#from > this.#bounds.characters)
      this.stop = 'too-far';
    if (kind === 'likely-record') this.likelyRecord ??= lineStart;
    return this.stop !== undefined;
  }
}

/**
 * Whether a line is a record of its own and no line of a comment: by the book, as many values as a row has, begun
 * like the record at `recordStart` (quoted or not), and nothing that smells of prose. With half as many it is likely
 * to be one, if its first value is one word or several as that of the record is.
 */
export function judgeLine(
  source: SourceText,
  lineStart: number,
  recordStart: number,
  dialect: Dialect,
  widths: RowWidths,
): 'record' | 'likely-record' | 'text' {
  if (widths.width < 3) return 'text';
  if ((source.text[lineStart] === '"') !== (source.text[recordStart] === '"')) return 'text';
  const scan = scanRecord(source, lineStart, dialect);
  if (scan.kind !== 'sound' || scan.end !== source.lineEnd(lineStart)) return 'text';
  const { values } = readRecord(source, lineStart, dialect, 'letter', () => false);
  const isWhole = fillsRow(values, widths);
  if (!isWhole && (values.length < 2 || values.length * 2 < widths.namedWidth)) return 'text';
  if (occursInProse(dialect) && smellsOfProse(values, source.text.slice(lineStart, scan.end))) return 'text';
  if (isWhole) return 'record';
  const firstWords = source.text.slice(recordStart, source.delimiter(recordStart)).trim();
  return values[0]?.trim().includes(' ') === firstWords.includes(' ') ? 'likely-record' : 'text';
}

/** In prose blanks follow the commas; and an exporter would have doubled a quote inside of a value. */
function smellsOfProse(values: readonly string[], line: string): boolean {
  if (values.some((value) => value.includes('"')) && !line.includes('""')) return true;
  return values.filter((value) => value.startsWith(' ')).length * 2 >= values.length;
}
