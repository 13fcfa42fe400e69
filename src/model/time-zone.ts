/** Wall clocks of IANA time zones, daylight saving included. Pure: knows no present. */

export interface CalendarDate {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The date that a calendar on the wall shows there at that instant. */
export function dateAt(epochMs: number, timeZone: string): CalendarDate {
  return dateOf(epochMs + offsetMs(epochMs, timeZone));
}

export function addDays({ year, month, day }: CalendarDate, days: number): CalendarDate {
  return dateOf(Date.UTC(year, month - 1, day + days));
}

/** 0 is Monday. */
export function weekdayOf({ year, month, day }: CalendarDate): number {
  return (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
}

/** `2026-12-25`. */
export function formatDate({ year, month, day }: CalendarDate): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/**
 * The instant at which a clock there shows so many minutes after midnight; 1440 is the next midnight. A time that the
 * clock shows twice (autumn) is the first one, a time that it skips (spring) is as much later as the skip is long.
 */
export function instantAt(date: CalendarDate, minutes: number, timeZone: string): number {
  const wallClock = Date.UTC(date.year, date.month - 1, date.day) + minutes * MINUTE_MS;
  const before = offsetMs(wallClock - DAY_MS, timeZone);
  const after = offsetMs(wallClock + DAY_MS, timeZone);
  const possible = [wallClock - before, wallClock - after].filter(
    (instant) => instant + offsetMs(instant, timeZone) === wallClock,
  );
  return possible.length === 0 ? wallClock - before : Math.min(...possible);
}

function dateOf(shiftedMs: number): CalendarDate {
  const date = new Date(shiftedMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** How far the zone's clocks are ahead of UTC. */
function offsetMs(epochMs: number, timeZone: string): number {
  const parts = new Map(
    wallClockFormat(timeZone)
      .formatToParts(epochMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return shown - Math.floor(epochMs / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Kept, because making one costs far more than using it; there are as many as the dealer's rooftops have zones. */
function wallClockFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
}
