import type { AttemptOutcome, Verdict } from 'dealer-bridge/adapter';

/** Larkspur asks for a wait of at most an hour. */
const LONGEST_WAIT_SECONDS = 3600;

/**
 * What Larkspur's answer means. It answers 200 to everything it could read, and says inside whether it took the
 * lead: `{"result":"ok","lead":{"id":"LK-1"}}` or `{"result":"error","error":{"code":"…"}}`.
 */
export function classify(outcome: AttemptOutcome): Verdict {
  if (outcome.kind !== 'http') return { state: 'retry', reason: 'no request was made' };
  const { sent, status = 0, body = '', error = 'no reason given' } = outcome;
  if (sent === 'no') {
    const reason = `Larkspur could not be reached: ${error}`;
    return { state: 'retry', reason, ...(outcome.needsPerson === true && { pauseDestination: true }) };
  }
  if (sent === 'maybe')
    return { state: 'uncertain', reason: `the lead went out, no answer came back: ${error}` };
  if (status === 200) return judge(readAnswer(body));
  if (status === 401 || status === 403) {
    return {
      state: 'retry',
      reason: `Larkspur answered ${status}: it refuses our login`,
      pauseDestination: true,
    };
  }
  if (status === 404 || status === 405 || status === 410) {
    // The same for every lead: a mistyped api_url must not have all of them refused.
    return { state: 'retry', reason: `Larkspur answered ${status}: check api_url`, pauseDestination: true };
  }
  if (status >= 400 && status < 500 && ![408, 425, 429].includes(status)) {
    return { state: 'rejected', reason: `Larkspur answered ${status}: it refused the lead` };
  }
  return {
    state: status < 200 || status >= 300 ? 'retry' : 'uncertain',
    reason: `Larkspur answered ${status}`,
  };
}

interface Answer {
  result?: unknown;
  lead?: { id?: unknown } | null;
  error?: { code?: unknown; retryAfterSeconds?: unknown } | null;
}

function judge(answer: Answer | undefined): Verdict {
  if (answer === undefined) return { state: 'uncertain', reason: 'the answer was none of Larkspur' };
  const id = answer.lead?.id;
  const reference = typeof id === 'string' && id !== '' ? { reference: id.slice(0, 100) } : {};
  if (answer.result === 'ok') return { state: 'delivered', reason: 'Larkspur took the lead', ...reference };
  // Only the code: the text beside it may quote the customer.
  const code = answer.error?.code;
  switch (code) {
    case 'DUPLICATE':
      return { state: 'delivered', reason: 'Larkspur had the lead already', ...reference };
    case 'BUSY':
      return { state: 'retry', reason: 'Larkspur is busy', ...waitOf(answer.error?.retryAfterSeconds) };
    case 'DEALER_UNKNOWN':
      return { state: 'retry', reason: 'Larkspur does not know the dealer_code', pauseDestination: true };
    case 'INVALID_FIELD':
      return { state: 'rejected', reason: 'Larkspur refused a field of the lead (INVALID_FIELD)' };
    default:
      return { state: 'uncertain', reason: 'Larkspur gave an error that this adapter does not know' };
  }
}

function waitOf(seconds: unknown): { retryAfterMs?: number } {
  const isWait = typeof seconds === 'number' && seconds >= 0;
  return isWait ? { retryAfterMs: Math.min(seconds, LONGEST_WAIT_SECONDS) * 1000 } : {};
}

function readAnswer(body: string): Answer | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}
