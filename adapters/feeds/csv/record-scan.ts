import type { Dialect } from './dialect.ts';
import { openingQuote } from './record-reading.ts';
import type { SourceText } from './source-text.ts';

/**
 * Finds where a record ends, without looking at its values.
 * `sound`: by the book (RFC 4180), from the given start to `end`, the next record begins at `next`.
 * `faulty`: a quoted value goes on after its closing quote.
 * `unfinished`: the text in memory ends before the record; `inQuotes` tells whether inside of a quoted value.
 */
export type RecordScan =
  | { readonly kind: 'sound'; readonly end: number; readonly next: number; readonly hasQuotedValues: boolean }
  | { readonly kind: 'faulty' }
  | { readonly kind: 'unfinished'; readonly inQuotes: boolean };

const FAULTY: RecordScan = { kind: 'faulty' };
const INSIDE_QUOTES: RecordScan = { kind: 'unfinished', inQuotes: true };
const OUTSIDE_QUOTES: RecordScan = { kind: 'unfinished', inQuotes: false };

/**
 * A quote opens a quoted value only as the first character of a value; anywhere else in an unquoted value it is
 * a letter (an inch mark in a pipe file).
 */
export function scanRecord(source: SourceText, from: number, dialect: Dialect): RecordScan {
  const lineEnd = source.lineEnd(from);
  if (!dialect.quoting || source.quote(from) >= lineEnd) return endAt(source, lineEnd, false);
  if (isPlainLine(source, from, lineEnd, dialect.delimiter)) return endAt(source, lineEnd, true);
  let hasQuotedValues = false;
  for (let at = from; ;) {
    const opening = openingQuote(source, at, dialect);
    if (opening !== -1) {
      hasQuotedValues = true;
      at = afterClosingQuote(source, opening + 1);
      if (at > source.text.length) return INSIDE_QUOTES;
      if (at === source.text.length && !source.isWhole) return INSIDE_QUOTES;
      if (at === source.lineEnd(at)) return endAt(source, at, hasQuotedValues);
      if (source.text[at] !== dialect.delimiter) return FAULTY;
    } else {
      const end = source.lineEnd(at);
      at = source.delimiter(at);
      if (at >= end) return endAt(source, end, hasQuotedValues);
    }
    at += 1;
  }
}

/**
 * Whether every quote of the line opens or closes a quoted value, as splitPlainLine has it: nearly every line of an
 * export, told by its few quotes without walking from value to value. Only for a line that is seen to its end.
 */
function isPlainLine(source: SourceText, from: number, lineEnd: number, delimiter: string): boolean {
  const { text } = source;
  if (lineEnd >= text.length) return false;
  for (let at = from; ;) {
    const opening = source.quote(at);
    if (opening >= lineEnd) return true;
    if (opening !== from && text[opening - 1] !== delimiter) return false;
    const closing = source.quote(opening + 1);
    if (closing >= lineEnd) return false;
    at = closing + 1;
    if (at !== lineEnd && text[at] !== delimiter) return false;
  }
}

/** Doubled quotes are part of the value. Beyond the end of the text if it is not closed there. */
function afterClosingQuote(source: SourceText, from: number): number {
  for (let at = from; ; at += 2) {
    at = source.quote(at);
    if (source.text[at + 1] !== '"') return at + 1;
  }
}

function endAt(source: SourceText, end: number, hasQuotedValues: boolean): RecordScan {
  if (!source.isLineComplete(end)) return OUTSIDE_QUOTES;
  return { kind: 'sound', end, next: source.nextLine(end), hasQuotedValues };
}
