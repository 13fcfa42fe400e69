import { InvalidArgumentError } from 'commander';
import { systemClock } from '../model/clock.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

export const TIME_HELP = 'such as 3d, 12h, 30m (ago), 2026-11-30, or 2026-11-30T08:00:00Z';

/** For commander: a time as milliseconds since 1970; a date alone is its first moment on this machine's clock. */
export function parseTime(text: string): number {
  const ago = /^(\d{1,5})([mhd])$/.exec(text);
  if (ago !== null) return systemClock.now() - Number(ago[1]) * (UNIT_MS[ago[2] ?? ''] ?? 0);
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.test(text);
  const time = isDate || isInstant ? Date.parse(isDate ? `${text}T00:00:00` : text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new InvalidArgumentError(`Write a time ${TIME_HELP}.`);
}
