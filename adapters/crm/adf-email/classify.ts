import type { AttemptOutcome, Verdict } from '../../../src/adapters/index.ts';
import { refusedBy, type Refused } from './refusal.ts';

type MailOutcome = Extract<AttemptOutcome, { kind: 'email' }>;

/** "Service closing" (RFC 5321 section 4.2.3) says nothing of the mail. */
const CLOSING = 221;

/** What is refused, for a person who has to look it up in the settings. */
const REFUSALS: Readonly<Record<Refused, string>> = {
  lead: 'the mail server refused the mail',
  us: 'the mail server does not let us send',
  sender: 'the mail server does not let us send',
  addresses: 'the mail server refuses the sender or a recipient',
  mailbox: 'the mailbox that gets the leads has no room, or is out of use',
};

/**
 * What the mail server's answer means. A fault of the login, of an address or of the server's trust in us concerns
 * every lead, so it pauses the destination and costs no lead; other refusals are final for this one.
 */
export function classify(outcome: AttemptOutcome): Verdict {
  if (outcome.kind !== 'email') return { state: 'retry', reason: 'no mail was tried' };
  if (outcome.sent === 'maybe') {
    return {
      state: 'uncertain',
      reason: `the whole mail went out, but no answer came back${detail(outcome)}`,
    };
  }
  const { code } = outcome;
  if (outcome.needsPerson === true) {
    return {
      state: 'retry',
      reason: `the mail was not sent (${outcome.stage})${detail(outcome)}`,
      pauseDestination: true,
    };
  }
  if (code === undefined) return withoutCode(outcome);
  if (code === CLOSING && outcome.sent === 'yes') {
    const reason = `the whole mail went out, and the mail server closed the connection in place of an answer${detail(outcome)}`;
    return { state: 'uncertain', reason };
  }
  if (code >= 200 && code < 300 && outcome.sent === 'yes') {
    return { state: 'delivered', reason: `the mail server took the mail${detail(outcome)}` };
  }
  if (code < 500) {
    return { state: 'retry', reason: `the mail server did not take the mail yet${detail(outcome)}` };
  }
  const refused = refusedBy(outcome);
  const reason = `${REFUSALS[refused]}${detail(outcome)}`;
  return refused === 'lead'
    ? { state: 'rejected', reason }
    : { state: 'retry', reason, pauseDestination: true };
}

function withoutCode(outcome: MailOutcome): Verdict {
  if (outcome.sent === 'yes') {
    return outcome.stage === 'done'
      ? { state: 'delivered', reason: 'the mail server took the mail' }
      : { state: 'uncertain', reason: `the mail server gave no code${detail(outcome)}` };
  }
  return outcome.stage === 'auth'
    ? { state: 'retry', reason: `the login failed${detail(outcome)}`, pauseDestination: true }
    : { state: 'retry', reason: `the mail was not sent (${outcome.stage})${detail(outcome)}` };
}

/** The server's own words, without addresses and cut. */
function detail({ response, error }: MailOutcome): string {
  const words = (response ?? error ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 300);
  return words === ''
    ? ''
    : `: ${words.replaceAll(/[^\s<>()"',;:]{1,100}@[^\s<>()"',;:]{1,254}/g, '(address)')}`;
}
