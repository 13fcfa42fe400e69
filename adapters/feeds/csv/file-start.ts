import type { ReadLimits, RowNote } from '../../../src/adapters/index.ts';
import {
  chooseDelimiter,
  hasBlanksBeforeQuotes,
  namedDelimiter,
  type CsvOptions,
  type Delimiter,
  type Dialect,
} from './dialect.ts';
import { makeHeader, type Header } from './header.ts';
import { readRecord } from './record-reading.ts';
import { scanRecord } from './record-scan.ts';
import type { SourceText } from './source-text.ts';

/** What the beginning of a file says about the rest. */
export type FileStart =
  | {
      readonly kind: 'found';
      readonly dialect: Dialect;
      readonly header: Header;
      /** Where the first data record begins: place in the text, and line from 1. */
      readonly at: number;
      readonly line: number;
    }
  | { readonly kind: 'needs-more-text' }
  | { readonly kind: 'refused'; readonly note: RowNote; readonly line: number };

type StartLimits = Pick<ReadLimits, 'maxColumns' | 'maxRowCharacters'>;

/** The header is the first line that is not blank; a line `sep=;` before it names the delimiter. */
export function readFileStart(source: SourceText, options: CsvOptions, limits: StartLimits): FileStart {
  const { maxColumns, maxRowCharacters } = limits;
  const start = findStart(source, options, maxColumns);
  const end = start.kind === 'found' ? start.at : source.text.length;
  if (start.kind === 'refused' || end <= maxRowCharacters) return start;
  const detail = `no header line within ${maxRowCharacters} characters`;
  return { kind: 'refused', note: { code: 'row_too_large', detail }, line: 1 };
}

function findStart(source: SourceText, options: CsvOptions, maxColumns: number): FileStart {
  let line = 1;
  let at = 0;
  let delimiter: 'auto' | Delimiter = options.delimiter ?? 'auto';
  for (;;) {
    if (at >= source.text.length && source.isWhole)
      return { kind: 'refused', note: { code: 'empty_file' }, line };
    const lineEnd = source.lineEnd(at);
    if (!source.isLineComplete(lineEnd)) return { kind: 'needs-more-text' };
    const text = source.text.slice(at, lineEnd).trim();
    const named = namedDelimiter(text);
    if (text !== '' && named === undefined) break;
    delimiter = named ?? delimiter;
    at = source.nextLine(lineEnd);
    line += 1;
  }
  return readFirstRecord(source, options, delimiter, { at, line }, maxColumns);
}

function readFirstRecord(
  source: SourceText,
  options: CsvOptions,
  wanted: 'auto' | Delimiter,
  { at, line }: { at: number; line: number },
  maxColumns: number,
): FileStart {
  const lineEnd = source.lineEnd(at);
  const firstLine = source.text.slice(at, lineEnd);
  const otherKind = recogniseOtherKind(firstLine);
  if (otherKind !== undefined)
    return { kind: 'refused', note: { code: 'not_a_feed', detail: otherKind }, line };
  const delimiter = chooseDelimiter(firstLine, wanted);
  source.useDelimiter(delimiter);
  const quoting = options.quote !== 'none';
  const blanks = quoting && hasBlanksBeforeQuotes(firstLine, delimiter);
  const dialect: Dialect = { delimiter, quoting, ...(blanks && { blanksBeforeQuotes: true }) };
  if (options.header === false) {
    return { kind: 'found', dialect, header: makeHeader(options.columns ?? []), at, line };
  }
  const scan = scanRecord(source, at, dialect);
  if (scan.kind === 'unfinished' && !source.isWhole) return { kind: 'needs-more-text' };
  if (scan.kind !== 'sound') {
    const detail = 'the quotes of the header line are not closed';
    return { kind: 'refused', note: { code: 'not_a_feed', detail }, line };
  }
  const { values } = readRecord(source, at, dialect, 'letter', () => false);
  if (values.length > maxColumns) {
    const detail = `${values.length} columns, at most ${maxColumns}`;
    return { kind: 'refused', note: { code: 'too_many_columns', detail }, line };
  }
  const header = makeHeader(values);
  return { kind: 'found', dialect, header, at: scan.next, line: line + countLines(source, at, scan.next) };
}

function countLines(source: SourceText, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at = source.nextLine(source.lineEnd(at))) lines += 1;
  return lines;
}

function recogniseOtherKind(firstLine: string): string | undefined {
  const beginning = firstLine.trimStart();
  if (/^<[?!a-z]/i.test(beginning)) return 'it is XML; use a profile whose reader is xml';
  if (/^(\{|\[\s*[{\]])/.test(beginning)) return 'it is JSON; have it exported as CSV';
  return undefined;
}
