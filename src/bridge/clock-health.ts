import { formatInstant } from '../model/clock.ts';
import { BELIEVED_AFTER_MS, type ClockDoubt } from '../model/clock-doubt.ts';
import type { ClockHealth } from '../web/health-report.ts';

export function clockHealth(now: number, doubt: ClockDoubt | undefined): ClockHealth {
  if (doubt === undefined) return { now: formatInstant(now) };
  const { kind, from, to, steadyMs } = doubt;
  return {
    now: formatInstant(now),
    jump: {
      kind,
      from: formatInstant(from),
      to: formatInstant(to),
      believed_in_seconds: Math.ceil((BELIEVED_AFTER_MS - steadyMs) / 1000),
    },
  };
}
