import type { AttemptOutcome, Verdict } from '../adapters/crm-adapter.ts';
import type { DestinationConfig } from '../config/config.ts';
import type { LeadDocument } from '../model/lead.ts';
import { deliver } from './delivery/deliver.ts';
import { faultText } from './fault-text.ts';
import { redact } from './redact.ts';

export interface Attempt {
  stage: string;
  sent: AttemptOutcome['sent'];
  verdict: Verdict;
}

const VERDICT_STATES: readonly Verdict['state'][] = ['delivered', 'rejected', 'retry', 'uncertain'];
const MAX_REFERENCE_CHARACTERS = 200;

/**
 * Builds the lead in the CRM's form, tries it once and lets the adapter judge the answer. An adapter is somebody
 * else's code: whatever it throws becomes a verdict that loses no lead. Never rejects.
 */
export async function attemptDelivery(
  lead: LeadDocument,
  { crm, options }: DestinationConfig,
  dataFolder: string,
): Promise<Attempt> {
  const { customer } = lead.request;
  let outcome: AttemptOutcome;
  try {
    outcome = await deliver(crm.build(lead, options), dataFolder);
  } catch (fault) {
    const reason = redact(`the adapter could not build the lead: ${faultText(fault)}`, customer);
    return { stage: 'build', sent: 'no', verdict: { state: 'retry', reason } };
  }
  const stage = outcome.kind === 'email' ? outcome.stage : outcome.kind;
  const verdict = judge(outcome, () => crm.classify(outcome, options));
  return { stage, sent: outcome.sent, verdict: { ...verdict, reason: redact(verdict.reason, customer) } };
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
