import type { Dialect } from './dialect.ts';
import type { SourceText } from './source-text.ts';

/**
 * Takes a record apart whose quotes may be wrong: a quote closes its value only where a delimiter, a line break
 * or the end of the file follows, blanks aside. Any other quote inside is a letter: `"sits on 20" wheels"`.
 */

/** What `""` means when a delimiter or a line break follows: `"18"",…` */
export type PairRule =
  /** The book's reading: one quote as a letter, the value goes on. */
  | 'letter'
  /** An inch mark that nobody doubled, and the closing quote. */
  | 'letter-and-close'
  /** The book's reading, and besides words in quotes that begin a value without quotes: `…,"like new" inside,…`. */
  | 'letter-and-words';

export type RecordReading =
  | {
      readonly kind: 'ended';
      readonly values: string[];
      /** How many values from the left are beyond doubt. */
      readonly certain: number;
      readonly end: number;
      readonly next: number;
    }
  /** A line inside of an open quoted value turned out to be the next record. */
  | { readonly kind: 'swallows'; readonly values: string[]; readonly certain: number; readonly next: number }
  /** The text in memory ends inside of a quoted value. */
  | { readonly kind: 'open'; readonly values: string[]; readonly certain: number };

export function readRecord(
  source: SourceText,
  from: number,
  dialect: Dialect,
  pairRule: PairRule,
  beginsRecord: (lineStart: number) => boolean,
): RecordReading {
  const values: string[] = [];
  let certain = Number.POSITIVE_INFINITY;
  for (let at = from; ; at += 1) {
    const opening = openingQuote(source, at, dialect);
    const words =
      opening !== -1 && pairRule === 'letter-and-words' ? endOfWords(source, at, dialect) : undefined;
    if (words !== undefined) {
      certain = Math.min(certain, values.length);
      values.push(source.text.slice(at, words));
      at = words;
    } else if (opening !== -1) {
      const value = readQuoted(source, opening + 1, dialect, pairRule, beginsRecord);
      if (value.hasStrayQuotes) certain = Math.min(certain, values.length);
      if (value.kind !== 'closed') {
        const known = Math.min(certain, values.length);
        if (value.kind === 'open') return { kind: 'open', values, certain: known };
        return { kind: 'swallows', values, certain: known, next: value.next };
      }
      values.push(value.text);
      at = value.end;
    } else {
      const end = Math.min(source.delimiter(at), source.lineEnd(at));
      values.push(source.text.slice(at, end));
      at = end;
    }
    if (at === source.lineEnd(at)) {
      return {
        kind: 'ended',
        values,
        certain: Math.min(certain, values.length),
        end: at,
        next: source.nextLine(at),
      };
    }
  }
}

/** Where the quote stands that opens a quoted value at `at`; -1 if the value has none. */
export function openingQuote({ text }: SourceText, at: number, dialect: Dialect): number {
  if (!dialect.quoting) return -1;
  if (text[at] === '"') return at;
  if (dialect.blanksBeforeQuotes !== true || text[at] !== ' ') return -1;
  let quote = at + 1;
  while (text[quote] === ' ') quote += 1;
  return text[quote] === '"' ? quote : -1;
}

/** Where a value ends that begins with words in quotes and goes on without; all its quotes must come in pairs. */
function endOfWords(source: SourceText, at: number, dialect: Dialect): number | undefined {
  const lineEnd = source.lineEnd(at);
  const closing = source.quote(at + 1);
  if (closing >= lineEnd || closing === at + 1 || source.text[closing + 1] === '"') return undefined;
  if (closingPlace(source, closing + 1, dialect) !== undefined) return undefined;
  const end = Math.min(source.delimiter(closing), lineEnd);
  const quotes = source.text.slice(at, end).split('"').length - 1;
  return quotes % 2 === 0 ? end : undefined;
}

type QuotedValue = { readonly hasStrayQuotes: boolean } & (
  | { readonly kind: 'closed'; readonly text: string; readonly end: number }
  | { readonly kind: 'swallows'; readonly next: number }
  | { readonly kind: 'open' }
);

function readQuoted(
  source: SourceText,
  from: number,
  dialect: Dialect,
  pairRule: PairRule,
  beginsRecord: (lineStart: number) => boolean,
): QuotedValue {
  let text = '';
  let hasStrayQuotes = false;
  let pieceStart = from;
  for (let at = from; ;) {
    const quote = source.quote(at);
    const lineEnd = source.lineEnd(at);
    if (lineEnd < quote) {
      at = source.nextLine(lineEnd);
      if (at < source.text.length && beginsRecord(at)) return { kind: 'swallows', hasStrayQuotes, next: at };
      continue;
    }
    if (quote === source.text.length) return { kind: 'open', hasStrayQuotes };
    const isPair = source.text[quote + 1] === '"';
    const pairCloses =
      isPair && pairRule === 'letter-and-close' && closingPlace(source, quote + 2, dialect) !== undefined;
    const end =
      isPair && !pairCloses ? undefined : closingPlace(source, pairCloses ? quote + 2 : quote + 1, dialect);
    if (end !== undefined) {
      const textEnd = pairCloses ? quote + 1 : quote;
      text += source.text.slice(pieceStart, textEnd);
      return { kind: 'closed', hasStrayQuotes: hasStrayQuotes || pairCloses, text, end };
    }
    if (!isPair) hasStrayQuotes = true;
    text += source.text.slice(pieceStart, quote + 1);
    at = quote + (isPair ? 2 : 1);
    pieceStart = at;
  }
}

/** Where the value ends if a quote before `from` closes it: the delimiter or line break after blanks. */
function closingPlace(source: SourceText, from: number, dialect: Dialect): number | undefined {
  let at = from;
  while (source.text[at] === ' ') at += 1;
  return at === source.lineEnd(at) || source.text[at] === dialect.delimiter ? at : undefined;
}
