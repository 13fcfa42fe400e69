import type { AttemptOutcome, Delivery, Verdict } from '../adapters/crm-adapter.ts';
import type { DestinationConfig } from '../config/config.ts';
import type { LeadDocument } from '../model/lead.ts';
import { deliver } from './delivery/deliver.ts';
import { secretWords, withoutSecretWords } from './delivery/secret-words.ts';
import { faultText } from './fault-text.ts';
import { ownWords } from './own-words.ts';
import { redact } from './redact.ts';

export interface Attempt {
  stage: string;
  sent: AttemptOutcome['sent'];
  verdict: Verdict;
  /** What the verdict was made of; it may hold the server's words, and the lead's. Absent when nothing was tried. */
  outcome?: AttemptOutcome;
}

const NOT_BUILT = 'the adapter could not build the lead: ';
const DELIVERY_KINDS: readonly Delivery['kind'][] = ['email', 'http', 'file', 'sftp'];
const VERDICT_STATES: readonly Verdict['state'][] = ['delivered', 'rejected', 'retry', 'uncertain'];
const MAX_REFERENCE_CHARACTERS = 200;
/** An adapter may say anything; far less than this is ever told. */
const MAX_SPOKEN_CHARACTERS = 8000;

/**
 * Builds the lead in the CRM's form, tries it once and lets the adapter judge the answer. An adapter is somebody
 * else's code: whatever it throws becomes a verdict that loses no lead. Never rejects.
 */
export async function attemptDelivery(
  lead: LeadDocument,
  { crm, options, secrets = [] }: DestinationConfig,
  dataFolder: string,
): Promise<Attempt> {
  const { customer, message, appointment } = lead.request;
  const written = [message, appointment?.notes].filter((text) => text !== undefined);
  let delivery: Delivery | undefined;
  let outcome: AttemptOutcome;
  // Only what is said afterwards: a token may have come in during the attempt.
  const speakable = (text: string): string =>
    withoutSecretWords(text.slice(0, MAX_SPOKEN_CHARACTERS), secretWords(delivery, secrets, lead.lead_id));
  const reasonOf = (text: string, own: string): string =>
    orUntold(
      () => redact(speakable(text), customer, written, own),
      text.startsWith(NOT_BUILT) ? NOT_BUILT : '',
    );
  try {
    delivery = believed(crm.build(lead, options));
    outcome = await deliver(delivery, dataFolder);
  } catch (fault) {
    const reason = reasonOf(`${NOT_BUILT}${faultText(fault)}`, NOT_BUILT);
    return { stage: 'build', sent: 'no', verdict: { state: 'retry', reason } };
  }
  const stage = stageOf(outcome);
  const { reference, ...verdict } = judge(outcome, () => crm.classify(outcome, options));
  const retryAfterMs = verdict.retryAfterMs ?? askedWait(outcome);
  return {
    stage,
    sent: outcome.sent,
    outcome,
    verdict: {
      ...verdict,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      reason: reasonOf(
        verdict.reason,
        ownWords(verdict.reason, outcome, (other) => judge(other, () => crm.classify(other, options)).reason),
      ),
      ...(reference !== undefined && { reference: orUntold(() => speakable(reference)) }),
    },
  };
}

/**
 * What cannot be cleaned is not told, except for the bridge's own words before it. The verdict stands all the same, or
 * the lead would go out again and again.
 */
function orUntold(clean: () => string, own = ''): string {
  try {
    return clean();
  } catch {
    return `${own}[cannot be told]`;
  }
}

/** What plain JavaScript may build: a promise, nothing at all, a delivery of no kind that is known. */
function believed(built: unknown): Delivery {
  if (built instanceof Promise) {
    // Nobody waits for it any more.
    built.catch(() => undefined);
    throw new Error('build gives a promise; it must answer at once');
  }
  const isKnown = DELIVERY_KINDS.some(
    (kind) => kind === (built as Partial<Delivery> | null | undefined)?.kind,
  );
  if (!isKnown) throw new Error(`build gives no delivery; its kind must be ${DELIVERY_KINDS.join(', ')}`);
  return built as Delivery;
}

/** By a token server: what is asked of the lead itself, the adapter reads. */
function askedWait(outcome: AttemptOutcome): number | undefined {
  return 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
}

/** Such as `envelope`, `http`, or `token` when there was no access token for either. */
function stageOf(outcome: AttemptOutcome): string {
  if (outcome.kind === 'email') return outcome.stage;
  if (outcome.kind === 'http') return outcome.stage ?? 'http';
  return outcome.kind === 'sftp' ? `sftp ${outcome.stage}` : outcome.kind;
}

function judge(outcome: AttemptOutcome, classify: () => unknown): Verdict {
  try {
    return readVerdict(classify());
  } catch (fault) {
    return {
      state: outcome.sent === 'no' ? 'retry' : 'uncertain',
      reason: `the adapter could not judge the answer: ${faultText(fault)}`,
    };
  }
}

/** An adapter may be plain JavaScript: what it returns is looked at before it is believed. */
function readVerdict(value: unknown): Verdict {
  const { state, reason, reference, pauseDestination, retryAfterMs } = value as Record<
    keyof Verdict,
    unknown
  >;
  const known = VERDICT_STATES.find((name) => name === state);
  if (known === undefined || typeof reason !== 'string') throw new Error('it gave no verdict with a reason');
  return {
    state: known,
    reason,
    ...(typeof reference === 'string' && { reference: reference.slice(0, MAX_REFERENCE_CHARACTERS) }),
    ...(pauseDestination === true && { pauseDestination }),
    ...(Number.isFinite(retryAfterMs) && { retryAfterMs: Number(retryAfterMs) }),
  };
}
