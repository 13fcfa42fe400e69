const HOUR_MS = 3_600_000;
/** A dealership closes for a long weekend, and its machine with it; from here on the clock may have run ahead. */
const AHEAD_MS = 7 * 24 * HOUR_MS;
/** Time servers put a clock back by less. */
const BACK_MS = HOUR_MS;
/** So long the bridge must have run with a clock that jumped before it is believed. */
export const BELIEVED_AFTER_MS = 24 * HOUR_MS;

/** The clock said `from` when the bridge last ran, and `to` the next time: neither shows which of them is wrong. */
export interface ClockDoubt {
  kind: 'ahead' | 'back';
  /** ms since 1970. */
  from: number;
  to: number;
  /** How long the bridge has run since, by a clock that nobody sets. ms. */
  steadyMs: number;
}

export interface ClockMemory {
  /** The last time at which the bridge is known to have run. ms since 1970. */
  seenAt: number;
  doubt?: ClockDoubt;
}

/**
 * What to think of the clock now. Pure.
 *
 * @param steadyMs how long the bridge has run since `memory`, by a clock that nobody sets
 */
export function judgeClock({ seenAt, doubt }: ClockMemory, now: number, steadyMs: number): ClockMemory {
  const wasBack = doubt?.kind === 'back';
  if (now - seenAt > AHEAD_MS) {
    // What was set back has been put right again, however far that was.
    if (wasBack && isNear(now, doubt.from)) return { seenAt: now };
    const from = doubt?.kind === 'ahead' ? doubt.from : Math.max(seenAt, wasBack ? doubt.from : 0);
    return { seenAt: now, doubt: { kind: 'ahead', from, to: now, steadyMs: 0 } };
  }
  if (seenAt - now > BACK_MS) {
    if (doubt?.kind === 'ahead' && isNear(now, doubt.from)) return { seenAt: now };
    return { seenAt: now, doubt: { kind: 'back', from: seenAt, to: now, steadyMs: 0 } };
  }
  if (doubt === undefined) return { seenAt: now };
  const steady = doubt.steadyMs + steadyMs;
  return steady >= BELIEVED_AFTER_MS
    ? { seenAt: now }
    : { seenAt: now, doubt: { ...doubt, steadyMs: steady } };
}

/** Whether things may be taken away for their age. A clock that is behind makes everything younger, and harms nothing. */
export function maySayOld({ doubt }: ClockMemory): boolean {
  return doubt?.kind !== 'ahead';
}

function isNear(now: number, before: number): boolean {
  return now >= before - BACK_MS && now <= before + AHEAD_MS;
}
