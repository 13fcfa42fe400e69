/** Times in the dealership's own zone. All functions are pure: they know no present. */

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const MINUTE_MS = 60_000;

/**
 * ADF's extended form with a numeric offset and whole seconds, `2026-04-30T04:05:08-07:00` (adf-1.0 section 1.3),
 * in the zone; or in UTC with a Z. Fractions of a second are cut, not rounded.
 */
export function requestDate(epochMs: number, timeZone: string | undefined, form: 'offset' | 'z'): string {
  if (form === 'z') return `${wallClock(epochMs, 0)}Z`;
  const offsetMinutes = offsetAt(epochMs, timeZone);
  const size = Math.abs(offsetMinutes);
  const sign = offsetMinutes < 0 ? '-' : '+';
  return `${wallClock(epochMs, offsetMinutes)}${sign}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

/** For people: `Sunday May 3 2026 at 11:00 AM PDT`, with the zone's name as it is valid on that day. */
export function localTime(epochMs: number, timeZone: string | undefined): string {
  const local = new Date(epochMs + offsetAt(epochMs, timeZone) * MINUTE_MS);
  const day = `${DAYS[local.getUTCDay()] ?? ''} ${MONTHS[local.getUTCMonth()] ?? ''} ${local.getUTCDate()}`;
  const hour = local.getUTCHours();
  const time = `${hour % 12 === 0 ? 12 : hour % 12}:${twoDigits(local.getUTCMinutes())} ${hour < 12 ? 'AM' : 'PM'}`;
  return `${day} ${local.getUTCFullYear()} at ${time} ${zonePart(epochMs, timeZone, 'short') ?? 'UTC'}`;
}

function wallClock(epochMs: number, offsetMinutes: number): string {
  return new Date(epochMs + offsetMinutes * MINUTE_MS).toISOString().slice(0, 19);
}

/**
 * Minutes east of UTC; 0 when the zone is unknown, and for times that four digits of a year or whole minutes of an
 * offset cannot tell (before standard time, and at the ends of the calendar).
 */
function offsetAt(epochMs: number, timeZone: string | undefined): number {
  const year = new Date(epochMs).getUTCFullYear();
  if (year < 1 || year > 9998) return 0;
  const match = /^GMT([+-])(\d\d):(\d\d)$/.exec(zonePart(epochMs, timeZone, 'longOffset') ?? '');
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}

function zonePart(
  epochMs: number,
  timeZone: string | undefined,
  style: 'short' | 'longOffset',
): string | undefined {
  if (timeZone === undefined) return undefined;
  return zoneFormat(timeZone, style)
    ?.formatToParts(epochMs)
    .find((part) => part.type === 'timeZoneName')?.value;
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>();

/** Kept, because making one costs far more than using it; there are as many as the dealer's rooftops have zones. */
function zoneFormat(timeZone: string, style: 'short' | 'longOffset'): Intl.DateTimeFormat | undefined {
  const key = `${style} ${timeZone}`;
  if (!formats.has(key)) formats.set(key, newZoneFormat(timeZone, style));
  return formats.get(key);
}

function newZoneFormat(timeZone: string, style: 'short' | 'longOffset'): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: style });
  } catch {
    return undefined; // no such zone
  }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
