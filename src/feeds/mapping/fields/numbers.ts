import { withoutSpreadsheetGuard } from './text.ts';

/** No honest number is longer; keeps the patterns below from long work on hostile text. */
const LONGEST_NUMBER = 40;

/** Digits with or without thousands separators (comma or blank, in threes), decimals, a spreadsheet's exponent. */
const NUMBER = /^([+-]?)(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+)(\.\d*)?(?:E([+-]?\d{1,2}))?$/i;

/**
 * A number written the American way: `31995`, `31,995.50`, `31 995`, `1.9995E+04`. Parsed as a whole or not at
 * all: nothing is ever made a number by taking letters out of it.
 */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^\d{1,15}$/.test(trimmed)) return Number(trimmed);
  if (trimmed.length > LONGEST_NUMBER) return undefined;
  const match = NUMBER.exec(withoutSpreadsheetGuard(trimmed).replace(/[\u00a0\u202f]/g, ' '));
  if (match === null) return undefined;
  const [, sign, whole = '', decimals = '', exponent] = match;
  const digits = whole.replace(/[, ]/g, '');
  if (digits.length > 15) return undefined;
  const value = Number(`${sign ?? ''}${digits}${decimals}${exponent === undefined ? '' : `e${exponent}`}`);
  return Number.isFinite(value) ? value : undefined;
}

/** Splits `24,870 miles` into `24,870` and `miles`; the unit is lower case without a full stop, `` if none. */
export function splitUnit(text: string): { amount: string; unit: string } {
  if (text.length > LONGEST_NUMBER) return { amount: text, unit: '' };
  const match = /^([\d.,\s+-]*\d[\d.,]*(?:E\+\d{1,2})?)\s*([a-z][a-z. -]*|["”])$/i.exec(text);
  if (match === null) return { amount: text, unit: '' };
  return { amount: (match[1] ?? '').trim(), unit: (match[2] ?? '').toLowerCase().replace(/\./g, '').trim() };
}
