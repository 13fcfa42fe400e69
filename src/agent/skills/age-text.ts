const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Up to here hours say more than days. */
const MOST_HOURS = 48;

/** `2 hours`, `3 days`: whole units that have passed, never more than there are. @param ageMs may be negative */
export function ageText(ageMs: number): string {
  if (ageMs < MINUTE_MS) return 'less than a minute';
  if (ageMs < HOUR_MS) return counted(Math.floor(ageMs / MINUTE_MS), 'minute');
  const hours = Math.floor(ageMs / HOUR_MS);
  return hours < MOST_HOURS ? counted(hours, 'hour') : counted(Math.floor(ageMs / DAY_MS), 'day');
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
