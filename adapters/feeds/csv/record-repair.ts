import type { Dialect } from './dialect.ts';
import { readRecord, type PairRule, type RecordReading } from './record-reading.ts';
import { scanRecord } from './record-scan.ts';
import { SourceText } from './source-text.ts';

/** What became of a record that is not written by the book. */
export type RecordRepair =
  | { readonly kind: 'read'; readonly values: string[]; readonly next: number; readonly wasRepaired: boolean }
  | {
      readonly kind: 'rejected';
      readonly code: 'quote_malformed' | 'row_truncated';
      /** The values from the left that are beyond doubt. */
      readonly values: string[];
      readonly next: number;
    }
  | { readonly kind: 'needs-more-text' };

/** A quoted value that runs over more lines than any comment has is an unclosed quote. */
const LONGEST_VALUE_IN_LINES = 50;

/**
 * Tries the readings of a faulty record from the most to the least regular, and takes the first that gives exactly
 * `width` values. If none does, one record is lost and not the file: reading goes on at the next line that is a
 * whole record by itself.
 */
export function repairRecord(
  source: SourceText,
  from: number,
  dialect: Dialect,
  width: number,
): RecordRepair {
  const firstLineEnd = source.lineEnd(from);
  if (!source.isLineComplete(firstLineEnd)) return { kind: 'needs-more-text' };
  const nextLine = source.nextLine(firstLineEnd);
  const lineByItself = readLine(source.text.slice(from, firstLineEnd), dialect, width);
  if (lineByItself !== undefined) return { kind: 'read', ...lineByItself, next: nextLine };
  const read = (rule: PairRule): { reading: RecordReading; stop: StopReason | undefined } => {
    const lookout = new Lookout(source, from, dialect, width);
    const reading = readRecord(source, from, dialect, rule, (lineStart) => lookout.stopsAt(lineStart));
    return { reading, stop: lookout.reason };
  };
  const { reading, stop } = read('letter');
  if (stop === 'line-incomplete' || touchesEnd(source, reading)) return { kind: 'needs-more-text' };
  if (reading.kind === 'ended' && reading.certain === reading.values.length) {
    return { kind: 'read', values: reading.values, next: reading.next, wasRepaired: false };
  }
  const candidates = [reading];
  if (stop !== 'too-many-lines' && !fits(reading, width)) {
    const second = read('letter-and-close');
    if (second.stop === 'line-incomplete' || touchesEnd(source, second.reading))
      return { kind: 'needs-more-text' };
    candidates.push(second.reading);
  }
  for (const candidate of candidates) {
    if (!fits(candidate, width)) continue;
    return { kind: 'read', values: candidate.values, next: candidate.next, wasRepaired: true };
  }
  const values = reading.values.slice(0, reading.certain);
  if (reading.kind === 'open') {
    return { kind: 'rejected', code: 'row_truncated', values, next: source.text.length };
  }
  const next = stop === 'too-many-lines' ? nextLine : reading.next;
  return { kind: 'rejected', code: 'quote_malformed', values, next };
}

type EndedReading = Extract<RecordReading, { kind: 'ended' }>;

function fits(reading: RecordReading, width: number): reading is EndedReading {
  return reading.kind === 'ended' && reading.values.length === width;
}

/** The readings for which the record's first line is enough. */
function readLine(
  line: string,
  dialect: Dialect,
  width: number,
): { values: string[]; wasRepaired: boolean } | undefined {
  const source = new SourceText(line, true);
  source.useDelimiter(dialect.delimiter);
  const reading = readRecord(source, 0, dialect, 'letter', () => false);
  if (fits(reading, width)) {
    return { values: reading.values, wasRepaired: reading.certain < width };
  }
  const values = readWithoutQuotes(line, dialect, width);
  return values === undefined ? undefined : { values, wasRepaired: true };
}

function touchesEnd(source: SourceText, reading: RecordReading): boolean {
  if (reading.kind === 'open') return !source.isWhole;
  return reading.kind === 'ended' && !source.isLineComplete(reading.end);
}

/**
 * People write commas and semicolons, but neither tabs nor pipes: where those delimit, a line that splits into the
 * right number of values without any regard to quotes is right.
 */
export function readWithoutQuotes(line: string, dialect: Dialect, width: number): string[] | undefined {
  if (occursInProse(dialect)) return undefined;
  const values = line.split(dialect.delimiter, width + 1);
  return values.length === width ? values : undefined;
}

function occursInProse(dialect: Dialect): boolean {
  return dialect.delimiter === ',' || dialect.delimiter === ';';
}

type StopReason = 'record' | 'too-many-lines' | 'line-incomplete';

/** Watches the lines that an open quoted value runs over. */
class Lookout {
  reason: StopReason | undefined;
  readonly #source: SourceText;
  readonly #from: number;
  readonly #dialect: Dialect;
  readonly #width: number;
  #lines = 0;

  constructor(source: SourceText, from: number, dialect: Dialect, width: number) {
    this.#source = source;
    this.#from = from;
    this.#dialect = dialect;
    this.#width = width;
  }

  stopsAt(lineStart: number): boolean {
    this.#lines += 1;
    if (!this.#source.isLineComplete(this.#source.lineEnd(lineStart))) this.reason = 'line-incomplete';
    else if (isRecordByItself(this.#source, lineStart, this.#from, this.#dialect, this.#width))
      this.reason = 'record';
    else if (this.#lines >= LONGEST_VALUE_IN_LINES) this.reason = 'too-many-lines';
    return this.reason !== undefined;
  }
}

/**
 * Whether a line is a record of its own and no line of a comment: by the book, as many values as the header has,
 * begun like the record at `recordStart` (quoted or not), and nothing that smells of prose.
 */
export function isRecordByItself(
  source: SourceText,
  lineStart: number,
  recordStart: number,
  dialect: Dialect,
  width: number,
): boolean {
  if (width < 3) return false;
  if ((source.text[lineStart] === '"') !== (source.text[recordStart] === '"')) return false;
  const scan = scanRecord(source, lineStart, dialect);
  if (scan.kind !== 'sound' || scan.end !== source.lineEnd(lineStart)) return false;
  const { values } = readRecord(source, lineStart, dialect, 'letter', () => false);
  if (values.length !== width) return false;
  return !occursInProse(dialect) || !smellsOfProse(values, source.text.slice(lineStart, scan.end));
}

/** In prose blanks follow the commas; and an exporter would have doubled a quote inside of a value. */
function smellsOfProse(values: readonly string[], line: string): boolean {
  if (values.some((value) => value.includes('"')) && !line.includes('""')) return true;
  return values.filter((value) => value.startsWith(' ')).length * 2 >= values.length;
}
