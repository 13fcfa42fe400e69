/** Time comes in from outside, so that tests can set it and pure code stays pure. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 in UTC, whole seconds: `2026-04-30T10:15:00Z`. */
export function formatInstant(epochMs: number): string {
  return `${new Date(Math.floor(epochMs / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** The day in UTC, `2026-04-30`. */
export function calendarDay(clock: Clock): string {
  return formatInstant(clock.now()).slice(0, 10);
}
