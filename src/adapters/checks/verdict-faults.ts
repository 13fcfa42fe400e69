import type { AttemptOutcome, Verdict } from '../crm-adapter.ts';

const MAX_REASON_CHARACTERS = 2000;
/** States in which waiting or a person at the CRM's settings helps: refusing the lead for good would lose it. */
const PASSING_STATUSES = [401, 408, 425, 429, 500, 502, 503, 504];

/** Why this is no verdict, whatever the outcome was. */
export function verdictFault(verdict: unknown): string | undefined {
  if (verdict instanceof Promise) return 'a promise; it must answer at once';
  if (typeof verdict !== 'object' || verdict === null) return 'no verdict';
  const { state, reason, reference, pauseDestination, retryAfterMs } = verdict as Record<string, unknown>;
  if (!['delivered', 'rejected', 'retry', 'uncertain'].includes(String(state))) return 'an unknown state';
  if (typeof reason !== 'string' || reason.trim() === '') return 'no reason';
  if (reason.length > MAX_REASON_CHARACTERS) {
    return `a reason of ${reason.length} characters; ${MAX_REASON_CHARACTERS} is the most`;
  }
  if (reference !== undefined && typeof reference !== 'string') return 'a reference that is no text';
  if (pauseDestination !== undefined && typeof pauseDestination !== 'boolean') {
    return 'a pauseDestination that is neither true nor false';
  }
  if (retryAfterMs === undefined) return undefined;
  const isWait = typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) && retryAfterMs >= 0;
  return isWait ? undefined : 'a retryAfterMs that is no wait';
}

/** Why a verdict would lose or double leads. Asked only for outcomes of the adapter's own kind of delivery. */
export function judgementFault({ state }: Verdict, outcome: AttemptOutcome): string | undefined {
  if (outcome.sent === 'maybe' && state !== 'uncertain') {
    return `"${state}" for a lead of which nobody knows whether it arrived; say uncertain`;
  }
  if (outcome.sent === 'no' && (state === 'delivered' || state === 'uncertain')) {
    return `"${state}" for a lead that was certainly not taken; say retry or rejected`;
  }
  if (outcome.kind !== 'http' || outcome.status === undefined) return undefined;
  const { status } = outcome;
  // 409 is how some CRMs say that they have the lead already.
  const mayHaveIt = (status >= 200 && status < 300) || status === 409;
  if (state === 'delivered' && !mayHaveIt) return `"delivered" for status ${status}`;
  if (state === 'rejected' && PASSING_STATUSES.includes(status)) {
    return `"rejected", for good, for status ${status}, which passes; say retry`;
  }
  return undefined;
}
