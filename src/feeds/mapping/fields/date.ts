import { withoutSpreadsheetGuard } from './text.ts';

/** Reads one way of writing a date; undefined when the text is written otherwise. */
export type DateFormat = (text: string) => string | undefined;

/** What a date may be followed by: a time of day, which is left out. */
const TIME_OF_DAY = /[T ]+\d{1,2}:\d{2}(:\d{2}(\.\d+)?)? ?([AP]M)?( ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$/i;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const TOKENS: Readonly<Record<string, { part: 'year' | 'month' | 'day'; pattern: string }>> = {
  YYYY: { part: 'year', pattern: '(\\d{4})' },
  YY: { part: 'year', pattern: '(\\d{2})' },
  MMM: { part: 'month', pattern: '([a-z]{3})[a-z]{0,6}' },
  MM: { part: 'month', pattern: '(\\d{1,2})' },
  M: { part: 'month', pattern: '(\\d{1,2})' },
  DD: { part: 'day', pattern: '(\\d{1,2})' },
  D: { part: 'day', pattern: '(\\d{1,2})' },
};

/**
 * Compiles a format such as `MM/DD/YYYY`, `D.M.YYYY`, `YYYYMMDD`, `DD-MMM-YYYY`. Undefined when it does not name
 * year, month and day once each. Where nothing stands between the parts, each has its full width.
 */
export function compileDateFormat(format: string): DateFormat | undefined {
  const pieces = format.match(/YYYY|YY|MMM|MM|M|DD|D|[^YMD]+/g) ?? [];
  const parts = pieces.flatMap((piece) => TOKENS[piece]?.part ?? []);
  if (pieces.join('') !== format || [...parts].sort().join() !== 'day,month,year') return undefined;
  const packed = parts.length === pieces.length;
  const source = pieces.map((piece) => {
    const pattern = TOKENS[piece]?.pattern;
    if (pattern === undefined) return piece.replace(/[^\w\s]/g, '\\$&');
    return packed ? pattern.replace('{1,2}', '{2}') : pattern;
  });
  const pattern = new RegExp(`^${source.join('')}$`, 'i');
  return (text) => {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const value = (part: 'year' | 'month' | 'day'): string => match[parts.indexOf(part) + 1] ?? '';
    return calendarDate(fullYear(value('year')), monthNumber(value('month')), Number(value('day')));
  };
}

function fullYear(digits: string): number {
  return digits.length === 2 ? 2000 + Number(digits) : Number(digits);
}

function monthNumber(text: string): number {
  return /^\d/.test(text) ? Number(text) : MONTHS.indexOf(text.toLowerCase()) + 1;
}

/** No two people read these differently, so they are understood whatever the profile says. */
const PLAIN_FORMATS = compileAll(
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'MMM D, YYYY',
  'DD-MMM-YYYY',
  'D MMM YYYY',
);

/** How American exports write dates when the profile does not say: month first. */
const USUAL_FORMATS = compileAll('MM/DD/YYYY', 'MM-DD-YYYY');

function compileAll(...formats: string[]): DateFormat[] {
  return formats.flatMap((format) => compileDateFormat(format) ?? []);
}

/**
 * A calendar date as `YYYY-MM-DD`. Dates that can be read in one way only and spreadsheet serials are always
 * understood, beside the profile's format or, without one, the usual ones. Only calendar fields are moved: no
 * instant, so no time zone, can shift the day.
 */
export function parseDate(raw: string, format?: DateFormat): string | undefined {
  const trimmed = raw.trim();
  if (trimmed.length > 40) return undefined;
  const text = withoutSpreadsheetGuard(trimmed).replace(TIME_OF_DAY, '');
  for (const read of [...(format === undefined ? USUAL_FORMATS : [format]), ...PLAIN_FORMATS]) {
    const date = read(text);
    if (date !== undefined) return date;
  }
  return /^\d{5}(\.\d+)?$/.test(text) ? dateOfSerial(Math.floor(Number(text))) : undefined;
}

/** A date that exists, within the years in which a vehicle can have come to a lot that is still open. */
function calendarDate(year: number, month: number, day: number): string | undefined {
  if (year < 1970 || year > 2100 || month < 1 || month > 12 || day < 1) return undefined;
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const daysInMonth = month === 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  if (day > daysInMonth) return undefined;
  return `${String(year)}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Days since 1899-12-30, as spreadsheets count; five digits reach from 1927 to 2173. */
function dateOfSerial(serial: number): string | undefined {
  const date = new Date(Date.UTC(1899, 11, 30 + serial));
  return calendarDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}
