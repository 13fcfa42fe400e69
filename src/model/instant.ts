const MINUTE_MS = 60_000;

/** Small t and z are allowed (RFC 3339 section 5.6); a blank in place of the T is a habit outside the grammar. */
const FORM =
  /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/**
 * Milliseconds since 1970 of an RFC 3339 date-time, whose offset is Z or ±HH:MM; undefined when the text is none.
 * Whatever reads a time from outside asks this, so that no room takes what another cannot read. A leap second is read
 * as the second after it; fractions below a millisecond are cut.
 */
export function readInstant(text: string): number | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = ''] = match;
  const date = new Date(0);
  const midnight = date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // A day that its month does not have is counted on into the next month, or back.
  if (date.getUTCDate() !== Number(day)) return undefined;
  const minuteStart = midnight + (Number(hour) * 60 + Number(minute) - offsetMinutes(match)) * MINUTE_MS;
  if (second === '60' && !isLastOfDay(minuteStart)) return undefined;
  return minuteStart + Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/** Minutes east of UTC. */
function offsetMinutes([, , , , , , , , sign, hours = '0', minutes = '0']: RegExpExecArray): number {
  const size = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -size : size;
}

/** Leap seconds come at the end of a day of UTC. */
function isLastOfDay(minuteStart: number): boolean {
  const date = new Date(minuteStart);
  return date.getUTCHours() === 23 && date.getUTCMinutes() === 59;
}
