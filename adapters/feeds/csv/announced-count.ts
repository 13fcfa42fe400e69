import { isBlank } from './header.ts';

/** What a line such as `Total vehicles: 40` says, which some exports write below their rows. */
export interface AnnouncedCount {
  /** So many vehicles stand in the file at least. */
  readonly atLeast: number;
  /** As it is written. */
  readonly written: number;
  /** Nothing says of what it is the number: a sum of money or miles is no less likely. */
  readonly isBare: boolean;
}

/** Several of what an export holds. */
const VEHICLES = new Set(['vehicles', 'units', 'cars', 'items', 'listings']);
/** Where lines are counted, header and trailer may be among them. */
const LINES = new Set(['records', 'rows', 'lines', 'entries', 'eof', 'trailer', 'trl', 'footer']);
const SUMS = new Set(['total', 'totals', 'count', 'number']);
const OTHERS = new Set([
  ...[
    'grand',
    'no',
    'of',
    'in',
    'this',
    'the',
    'file',
    'feed',
    'export',
    'exported',
    'sent',
    'written',
    'is',
  ],
  ...['are', 'end', 'data', 'report', 'inventory', 'active', 'available', 'vehicle', 'unit', 'car', 'item'],
  ...['listing', 'record', 'row', 'line'],
]);
const HEADER_AND_TRAILER = 2;
const LONGEST_LINE = 100;
const LONGEST_NUMBER = 7;

/**
 * Undefined for any line that holds a word besides, or a second number: what it tells of is not certain then. Asked of
 * every row, so it looks at no more than its first three values that are not blank.
 */
export function announcedCount(values: readonly string[]): AnnouncedCount | undefined {
  let filled = 0;
  for (const value of values) {
    if (!isBlank(value)) filled += 1;
    if (filled > 2) return undefined;
  }
  const text = values.join(' ');
  if (text.length > LONGEST_LINE + values.length) return undefined;
  if (/[$€£%]/.test(text)) return undefined;
  const tokens = text.toLowerCase().match(/[a-z]+|[0-9]+/g) ?? [];
  const numbers = tokens.filter((token) => /^[0-9]/.test(token));
  const words = tokens.filter((token) => !/^[0-9]/.test(token));
  const [number = ''] = numbers;
  if (numbers.length !== 1 || number.length > LONGEST_NUMBER) return undefined;
  const isOf = (kind: ReadonlySet<string>): boolean => words.some((word) => kind.has(word));
  const [ofVehicles, ofLines] = [isOf(VEHICLES), isOf(LINES)];
  if (!ofVehicles && !ofLines && !isOf(SUMS)) return undefined;
  if (!words.every((word) => [VEHICLES, LINES, SUMS, OTHERS].some((kind) => kind.has(word))))
    return undefined;
  const written = Number(number);
  const atLeast = ofVehicles ? written : written - HEADER_AND_TRAILER;
  return { atLeast, written, isBare: !ofVehicles && !ofLines };
}

/** Whether it says that the file has exactly so many vehicles. */
export function isCountOf(vehicles: number, { atLeast, written }: AnnouncedCount): boolean {
  return atLeast <= vehicles && vehicles <= written;
}
