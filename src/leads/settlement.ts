import type { Verdict } from '../adapters/crm-adapter.ts';
import type { DestinationConfig, RetryConfig } from '../config/config.ts';
import type { AttemptReport, ClaimedDelivery } from './delivery-records.ts';

/** What an attempt leaves behind: the state of the delivery, its next attempt, and the destination's pause. */
export type Settlement = Pick<AttemptReport, 'state' | 'nextAttemptAt' | 'mayHaveArrived' | 'pause'>;

/** No CRM may ask for more patience than this. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** A bridge that was off for days, or a clock that jumped, must not make the first fault the last. */
const MIN_ATTEMPTS = 5;

/**
 * Where a delivery stands after a verdict. `random` is from 0 to 1.
 *
 * - Once an attempt may have arrived the delivery stays `uncertain` until the CRM says more, and later attempts
 *   are marked as repeats.
 * - A fault of the destination pauses it and never uses up the lead's patience: the lead waits for the end of the
 *   pause, and is due at once when that is lifted earlier. The CRM's word on a lead, good or bad, ends the pause.
 * - A lead is given up when its time is over and it was tried a few times.
 */
export function settle(
  verdict: Verdict,
  delivery: ClaimedDelivery,
  { retry, on_uncertain }: DestinationConfig,
  now: number,
  random: number,
): Settlement {
  const paused = verdict.pauseDestination === true;
  const pause = paused ? { until: now + retry.max_ms, reason: verdict.reason } : undefined;
  const stands = {
    mayHaveArrived: delivery.mayHaveArrived || verdict.state === 'uncertain',
    ...(pause && { pause }),
  };
  if (verdict.state === 'delivered' || verdict.state === 'rejected') {
    return { pause: 'lift', ...stands, state: verdict.state };
  }
  const waiting = stands.mayHaveArrived ? 'uncertain' : 'queued';
  if (verdict.state === 'uncertain' && on_uncertain === 'stop') return { ...stands, state: waiting };
  if (paused) return { ...stands, state: waiting, nextAttemptAt: now + retry.max_ms };
  const isTimeOver = now >= delivery.queuedAt + retry.give_up_ms;
  if (isTimeOver && delivery.retries + 1 >= MIN_ATTEMPTS) return { ...stands, state: 'dead' };
  const wait = Math.max(
    backoff(retry, delivery.retries, random),
    Math.min(verdict.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS),
  );
  return { ...stands, state: waiting, nextAttemptAt: now + wait };
}

/** Doubles with each retry; a fifth of jitter either way keeps a queue of leads from coming back as one wave. */
export function backoff({ first_ms, max_ms }: RetryConfig, retries: number, random: number): number {
  const wait = Math.min(max_ms, first_ms * 2 ** Math.min(retries, 30));
  return Math.round(wait * (0.8 + 0.4 * random));
}
