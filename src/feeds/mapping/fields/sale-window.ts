import { addDays, instantAt } from '../../../model/time-zone.ts';
import { parseDate, type DateFormat } from './date.ts';

/** When a sale price counts: from the first instant on, and no more at the last. Ms since 1970. */
export interface SaleWindow {
  from: number;
  until: number;
}

/** How the dates of a file are to be understood. */
export interface Calendar {
  format: DateFormat | undefined;
  /** IANA name of the zone that dates without one are of; undefined where nobody knows. */
  timeZone: string | undefined;
}

const HOUR_MS = 3_600_000;
/** Clocks are nowhere further behind and ahead of UTC. */
const FURTHEST_BEHIND_MS = 12 * HOUR_MS;
const FURTHEST_AHEAD_MS = 14 * HOUR_MS;

const TIME =
  /^(.*?\d)[T ]+(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?: ?([AP])M)?(?: ?(Z|UTC|GMT|([+-])(\d{2}):?(\d{2})))?$/i;
const BETWEEN = /\s+(?:to|until|-|–)\s+/i;

/** Both ends of one text, as of `2026-01-01T00:00-0500/2026-02-01T00:00-0500`; undefined when they are not both to be read. */
export function windowOf(text: string, calendar: Calendar): SaleWindow | undefined {
  const isInterval = text.split('/').length === 2;
  const ends = isInterval ? text.split('/') : text.split(BETWEEN);
  const [from, until] = ends;
  return ends.length === 2 ? windowBetween(from, until, calendar) : undefined;
}

/** An end that is not given (undefined) is open. A day without a time counts whole. */
export function windowBetween(
  from: string | undefined,
  until: string | undefined,
  calendar: Calendar,
): SaleWindow | undefined {
  const begins = from === undefined ? -Infinity : momentOf(from, 'from', calendar);
  const ends = until === undefined ? Infinity : momentOf(until, 'until', calendar);
  return begins === undefined || ends === undefined || begins >= ends
    ? undefined
    : { from: begins, until: ends };
}

function momentOf(text: string, end: 'from' | 'until', { format, timeZone }: Calendar): number | undefined {
  const trimmed = text.trim();
  const [, day = trimmed, hours, minutes, half, zone, sign, ahead, more] = TIME.exec(trimmed) ?? [];
  if (hours === undefined && trimmed.includes(':')) return undefined;
  const date = parseDate(day, format);
  const minute = hours === undefined ? undefined : minuteOfDay(Number(hours), Number(minutes), half);
  if (date === undefined || (hours !== undefined && minute === undefined)) return undefined;
  const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number);
  const given = { year, month, day: dayOfMonth };
  const calendarDay = minute === undefined && end === 'until' ? addDays(given, 1) : given;
  const wallClock =
    Date.UTC(calendarDay.year, calendarDay.month - 1, calendarDay.day) + (minute ?? 0) * 60_000;
  if (zone !== undefined) {
    const offset = (Number(ahead ?? 0) * 60 + Number(more ?? 0)) * 60_000;
    return wallClock - (sign === '-' ? -offset : offset);
  }
  if (timeZone !== undefined) return instantAt(calendarDay, minute ?? 0, timeZone);
  // So that it counts only where it does by every clock.
  return end === 'from' ? wallClock + FURTHEST_BEHIND_MS : wallClock - FURTHEST_AHEAD_MS;
}

function minuteOfDay(hours: number, minutes: number, half: string | undefined): number | undefined {
  if (minutes > 59 || hours > (half === undefined ? 24 : 12)) return undefined;
  const isAfternoon = half?.toUpperCase() === 'P';
  const hour = half === undefined ? hours : (hours % 12) + (isAfternoon ? 12 : 0);
  return hour * 60 + minutes;
}
