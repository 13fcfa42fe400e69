import { withoutSpreadsheetGuard } from './text.ts';

/** No honest number is longer; keeps the patterns below from long work on hostile text. */
const LONGEST_NUMBER = 40;

/** Digits with or without thousands separators (comma or blank, in threes), decimals, a spreadsheet's exponent. */
const NUMBER = /^([+-]?)(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+)(\.\d*)?(?:E([+-]?\d{1,2}))?$/i;

/**
 * A number written the American way: `31995`, `31,995.50`, `31 995`, `1.9995E+04`. Parsed as a whole or not at
 * all: nothing is ever made a number by taking letters out of it, and what may be thousands or decimals is none.
 */
export function parseNumber(text: string): number | undefined {
  return readNumber(text, false);
}

/** As parseNumber, for amounts whose unit leaves no doubt: three digits behind a point are decimals. */
export function parseDecimal(text: string): number | undefined {
  return readNumber(text, true);
}

function readNumber(text: string, areDecimals: boolean): number | undefined {
  const trimmed = text.trim();
  if (/^\d{1,15}$/.test(trimmed)) return Number(trimmed);
  if (trimmed.length > LONGEST_NUMBER) return undefined;
  const match = NUMBER.exec(
    withoutSpreadsheetGuard(trimmed)
      .replace(/[\u00a0\u202f]/g, ' ')
      .replace(/\p{Cf}/gu, ''),
  );
  if (match === null) return undefined;
  const [, sign, whole = '', decimals = '', exponent] = match;
  if (!areDecimals && exponent === undefined && mayBeThousands(whole, decimals)) return undefined;
  const digits = whole.replace(/[, ]/g, '');
  if (digits.length > 15) return undefined;
  if (exponent !== undefined && digitsLost(decimals, Number(exponent)) > 0) return undefined;
  const value = Number(`${sign ?? ''}${digits}${decimals}${exponent === undefined ? '' : `e${exponent}`}`);
  return Number.isFinite(value) ? value : undefined;
}

/** A spreadsheet that shows 12,345 as `1.23E+04` writes it so: its last digits are gone. `1.9995E+04` has all of them. */
function digitsLost(decimals: string, exponent: number): number {
  return exponent - Math.max(decimals.length - 1, 0);
}

const SHORTENED = /^\D{0,6}(\d)(\.\d*)?E\+?(\d{1,2})\D*$/i;

/** `125.000` is 125 to some and 125,000 to others; `31995.000`, `31,995.000` and `0.125` can be read in one way only. */
function mayBeThousands(whole: string, decimals: string): boolean {
  return decimals.length === 4 && whole.length <= 3 && !whole.startsWith('0');
}

/** Why parseNumber took none of a text, where that is not plain to see: for the report. */
export function doubtAboutNumber(text: string): string | undefined {
  const shortened = text.length > 2 * LONGEST_NUMBER ? null : SHORTENED.exec(text);
  if (shortened !== null && digitsLost(shortened[2] ?? '', Number(shortened[3])) > 0)
    return 'a spreadsheet has shortened it and its last digits are lost; have the column exported as text or whole numbers';
  const match =
    text.length > 2 * LONGEST_NUMBER ? null : /(?<![\d.,])([1-9]\d{0,2})\.(\d{3})(?![\d.,])/.exec(text);
  if (match === null) return undefined;
  const [, whole = '', behind = ''] = match;
  return (
    `it may mean ${whole}${behind} or ${whole}.${behind}; have it written without a sign between the thousands, ` +
    "or say decimal_mark: ',' in the profile if the file has a comma before the decimals"
  );
}

/** Splits `24,870 miles` into `24,870` and `miles`; the unit is lower case without a full stop, `` if none. */
export function splitUnit(text: string): { amount: string; unit: string } {
  if (text.length > LONGEST_NUMBER) return { amount: text, unit: '' };
  const match = /^([\d.,\s+-]*\d[\d.,]*(?:E\+\d{1,2})?)\s*([a-z][a-z. -]*|["”])$/i.exec(text);
  if (match === null) return { amount: text, unit: '' };
  return { amount: (match[1] ?? '').trim(), unit: (match[2] ?? '').toLowerCase().replace(/\./g, '').trim() };
}
