import { htmlToText } from './html-text.ts';

/** What exports write when they have nothing to say. Lower case. */
const NOTHING = new Set([
  ...['', '-', '--', '---', '.', '?', 'n/a', 'na', 'none', 'null', '(null)', 'nil', 'undefined', 'nan', '\\n'],
  ...['#n/a', '#na', '#null!', '#ref!', '#value!', '#name?', '#div/0!', '#num!'],
]);

/** True for blank, `N/A`, `NULL`, a spreadsheet's error words and its `####` for a column that was too narrow. */
export function saysNothing(trimmed: string): boolean {
  if (trimmed.length > 10) return /^#+$/.test(trimmed);
  return NOTHING.has(trimmed.toLowerCase()) || /^#+$/.test(trimmed);
}

/** A value on one line: blanks at the ends gone, runs of blanks and line breaks made one, entities decoded. */
export function lineText(raw: string): string | undefined {
  let text = raw.trim();
  if (saysNothing(text)) return undefined;
  if (text.includes('<') || text.includes('&')) text = htmlToText(text);
  if (/[\s\p{Cc}]{2}|[^\S ]|\p{Cc}/u.test(text)) text = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return text === '' ? undefined : text;
}

/**
 * A code such as a stock number: as lineText, and free of what spreadsheets put around text to keep it text
 * (`="00419"`, `'00420`).
 */
export function codeText(raw: string): string | undefined {
  return lineText(withoutSpreadsheetGuard(raw.trim()));
}

export function withoutSpreadsheetGuard(trimmed: string): string {
  if (trimmed.startsWith('="') && trimmed.endsWith('"')) return trimmed.slice(2, -1).trim();
  return trimmed.startsWith("'") ? trimmed.slice(1).trim() : trimmed;
}

/** `9-Mar`, `Mar-24`: what a spreadsheet makes of a model called 9-3. */
export function looksLikeDate(text: string): boolean {
  return /^(\d{1,2}-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{2})$/i.test(
    text,
  );
}

/** `1.23457E+11`: a long number that a spreadsheet has rounded away. `1E5` is a sound stock number. */
export function looksScientific(text: string): boolean {
  return /^\d(\.\d+)?E\+\d+$/i.test(text);
}
