import type { AttemptOutcome, Verdict } from '../../../src/adapters/index.ts';

type MailOutcome = Extract<AttemptOutcome, { kind: 'email' }>;

/** Reply codes that speak of the login, not of the mail (RFC 4954). */
const LOGIN_CODES = new Set([530, 534, 535, 538]);

/**
 * What the mail server's answer means. A fault of the login or of the server's trust in us concerns every lead, so
 * it pauses the destination and costs no lead; other refusals are final for this one.
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
  if (code >= 200 && code < 300 && outcome.sent === 'yes') {
    return { state: 'delivered', reason: `the mail server took the mail${detail(outcome)}` };
  }
  if (isDestinationFault(outcome)) {
    return {
      state: 'retry',
      reason: `${refusalOfAll(outcome)}${detail(outcome)}`,
      pauseDestination: true,
    };
  }
  return code >= 500
    ? { state: 'rejected', reason: `the mail server refused the mail${detail(outcome)}` }
    : { state: 'retry', reason: `the mail server did not take the mail yet${detail(outcome)}` };
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

/**
 * Codes by which a server that has read the mail speaks of its sender: not allowed to send as this address, SPF,
 * DKIM or DMARC that do not hold, an organisation that may not send (RFC 7372, and Microsoft's and Google's own).
 */
const SENDER_WORDS = /^\d{3}[ -]5\.7\.(?:2\d|3\d|5\d|60|64|13[3469]|5\d\d|7\d\d)\b/;
/** Of the mail itself: RFC 3463, X.3.4 and X.2.3. */
const TOO_LARGE = /^\d{3}[ -](?:5\.3\.4|5\.2\.3)\b/;

/**
 * Wrong login, a server that wants no one, a sender or a recipient that is refused for good. Nothing before the
 * content is the lead's: sender and recipients stand in the settings, so a lead that is rejected for an unknown
 * mailbox would be one of many. Only the announced size may be.
 */
function isDestinationFault({ code = 0, stage, response = '' }: MailOutcome): boolean {
  if (LOGIN_CODES.has(code)) return true;
  if (code < 500) return false;
  if (stage === 'data') return SENDER_WORDS.test(response);
  return code !== 552 && !TOO_LARGE.test(response);
}

/** What it is that the server refuses, for a person who has to look it up in the settings. */
function refusalOfAll({ code = 0, stage }: MailOutcome): string {
  return stage === 'envelope' && !LOGIN_CODES.has(code)
    ? 'the mail server refuses the sender or a recipient'
    : 'the mail server does not let us send';
}

/** The server's own words, without addresses and cut. */
function detail({ response, error }: MailOutcome): string {
  const words = (response ?? error ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 300);
  return words === ''
    ? ''
    : `: ${words.replaceAll(/[^\s<>()"',;:]{1,100}@[^\s<>()"',;:]{1,254}/g, '(address)')}`;
}
