import { htmlToText } from './html-text.ts';

/** What exports write when they have nothing to say. Lower case. */
const NOTHING = new Set([
  ...[
    '',
    '-',
    '--',
    '---',
    '.',
    '?',
    'n/a',
    'na',
    'none',
    'null',
    '(null)',
    'nil',
    'undefined',
    'nan',
    '\\n',
  ],
  ...['#n/a', '#na', '#null!', '#ref!', '#value!', '#name?', '#div/0!', '#num!'],
]);

/** Letters and signs that those begin with; looked at first, because nearly every value begins otherwise. */
const BEGINS_LIKE_NOTHING = new Set('-.?#(\\nNuU');

/** True for blank, `N/A`, `NULL`, a spreadsheet's error words and its `####` for a column that was too narrow. */
export function saysNothing(trimmed: string): boolean {
  if (trimmed === '') return true;
  if (!BEGINS_LIKE_NOTHING.has(trimmed.charAt(0))) return false;
  return /^#+$/.test(trimmed) || (trimmed.length <= 10 && NOTHING.has(trimmed.toLowerCase()));
}

/** Typed where a number is not known yet that has to be given. Lower case, only letters and digits. */
const STANDS_FOR_NONE = new Set([
  ...['tbd', 'tba', 'tbc', 'na', 'none', 'null', 'unknown', 'pending', 'novin', 'nostock', 'nostocknumber'],
  ...['intransit', 'notavailable', 'ordered', 'onorder', 'factoryorder', 'xxx', 'x'],
]);
const LONGEST_NONE = 20;

/** True for what people type in place of a VIN or stock number: `TBD`, `In Transit`, `0`. */
export function standsForNone(code: string): boolean {
  if (code.length > LONGEST_NONE || /[1-9]/.test(code)) return false;
  return /^0+$/.test(code) || STANDS_FOR_NONE.has(code.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** Tags, entities, control characters, line breaks, runs of blanks: rare, so one look tells the plain texts. */
const NEEDS_TIDYING = /[<&\p{Cc}\u200b\u2060\ufeff]|[^\S ]| {2}/u;

/** Most texts are a word or a few, and looking at each letter of those is quicker than a pattern and trimming. */
const LONGEST_WORD = 40;
const BLANK = 0x20;
const LAST_PRINTABLE = 0x7e;
const AMPERSAND = '&'.charCodeAt(0);
const LESS_THAN = '<'.charCodeAt(0);

/** Surely as it is to be published: printable ASCII, single blanks inside, nothing that says nothing. */
function isPlainWord(text: string): boolean {
  if (text === '' || text.length > LONGEST_WORD || BEGINS_LIKE_NOTHING.has(text.charAt(0))) return false;
  let before = BLANK;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code < BLANK || code > LAST_PRINTABLE || code === AMPERSAND || code === LESS_THAN) return false;
    if (code === BLANK && before === BLANK) return false;
    before = code;
  }
  return before !== BLANK;
}

/** Zero-width blanks and marks of direction that come along from web pages. */
const INVISIBLE_AT_ENDS = /^[\u200b-\u200f\u2060\ufeff]+|[\u200b\u200e\u200f\u2060\ufeff]+$/g;

function endsVisibly(text: string): boolean {
  return text.charCodeAt(0) <= LAST_PRINTABLE && text.charCodeAt(text.length - 1) <= LAST_PRINTABLE;
}

/** A value on one line: blanks at the ends gone, runs of blanks and line breaks made one, entities decoded. */
export function lineText(raw: string): string | undefined {
  if (isPlainWord(raw)) return raw;
  const trimmed = (endsVisibly(raw) ? raw : raw.replace(INVISIBLE_AT_ENDS, '')).trim();
  if (saysNothing(trimmed)) return undefined;
  if (!NEEDS_TIDYING.test(trimmed)) return trimmed;
  const text = /[<&]/.test(trimmed) ? htmlToText(trimmed) : trimmed;
  const tidy = text
    .replace(/[\u200b\u2060\ufeff]+/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return tidy === '' ? undefined : tidy;
}

/**
 * A code such as a stock number: as lineText, and free of what spreadsheets put around text to keep it text
 * (`="00419"`, `'00420`).
 */
export function codeText(raw: string): string | undefined {
  if (isPlainWord(raw) && !raw.startsWith('=') && !raw.startsWith("'")) return raw;
  return lineText(withoutSpreadsheetGuard(raw.replace(/\p{Cf}+/gu, '').trim()));
}

export function withoutSpreadsheetGuard(trimmed: string): string {
  if (trimmed.startsWith('="') && trimmed.endsWith('"')) return trimmed.slice(2, -1).trim();
  return trimmed.startsWith("'") ? trimmed.slice(1).trim() : trimmed;
}

/** `9-Mar`, `Mar-24`, `9/3/2026`, `2026-03-09 00:00:00`: what spreadsheets make of a model called 9-3. */
export function looksLikeDate(text: string): boolean {
  return /^(\d{1,2}-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(-\d{2,4})?|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{2}|(\d{1,2}\/\d{1,2}\/\d{4}|\d{4}-\d{2}-\d{2})( [\d:. ]+([AP]M)?)?)$/i.test(
    text,
  );
}

/** `44935`: such a date once more, as the days since 1900, here of the years 2018 to 2031. */
export function looksLikeDateSerial(text: string): boolean {
  return /^4[3-8]\d{3}$/.test(text);
}

/** `1.23457E+11`: a long number that a spreadsheet has rounded away. `1E5` is a sound stock number. */
export function looksScientific(text: string): boolean {
  return /^\d(\.\d+)?E\+\d+$/i.test(text);
}
