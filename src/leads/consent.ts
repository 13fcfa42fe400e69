import { readInstant } from '../model/instant.ts';
import type { Consent, ContactChannel, Customer, LeadSubmitRequest } from '../model/lead.ts';
import type { LeadOutcome } from './lead-desk.ts';

type Refusal = Extract<LeadOutcome, { kind: 'refused' }>;

/** A buyer's clock may run ahead of ours by this much. */
const CLOCK_ALLOWANCE_MS = 5 * 60_000;

/** A text that somebody could read has a letter in it; blanks, zero-width characters and marks are none. */
const READABLE = /\p{L}/u;

/** The record must be sound before it is asked what it allows (aap-v1.3 sections 3 and 5, a2a-jsonrpc C9). */
export function checkConsent(
  request: LeadSubmitRequest,
  followUpChannels: readonly ContactChannel[],
  now: number,
): Refusal | undefined {
  return checkRecord(request.consent, now) ?? checkChannels(request, followUpChannels);
}

/**
 * The channels on which the dealer may and can answer this buyer: used by the dealer, allowed by the consent, and
 * reachable with the contact data given. The buyer's preferred one comes first.
 */
export function answerChannels(
  { customer, consent }: LeadSubmitRequest,
  followUpChannels: readonly ContactChannel[],
): ContactChannel[] {
  const usable = followUpChannels.filter(
    (channel) => consent.allowed_channels.includes(channel) && canReach(customer, channel),
  );
  const preferred = usable.filter((channel) => channel === customer.preferred_contact);
  return [...preferred, ...usable.filter((channel) => channel !== customer.preferred_contact)];
}

function checkRecord(consent: Consent, now: number): Refusal | undefined {
  const grantedAt = readInstant(consent.granted_at);
  if (grantedAt === undefined)
    return invalid('/consent/granted_at', 'The consent does not say when it was granted.');
  if (grantedAt > now + CLOCK_ALLOWANCE_MS) {
    return invalid('/consent/granted_at', 'The consent was granted at a time that is still to come.');
  }
  const expiresAt = consent.expires_at === undefined ? Infinity : readInstant(consent.expires_at);
  if (expiresAt === undefined) {
    return invalid('/consent/expires_at', 'The consent does not say until when it holds.');
  }
  if (expiresAt <= now) {
    return invalid('/consent/expires_at', 'The consent has expired. Please ask the buyer again.');
  }
  if (consent.scope.length !== 1 || consent.scope[0] !== 'lead_submission') {
    return invalid('/consent/scope', 'The scope of the consent must be exactly ["lead_submission"].');
  }
  if (!READABLE.test(consent.consent_text)) {
    return invalid('/consent/consent_text', 'The consent does not hold the text that the buyer agreed to.');
  }
  return undefined;
}

function checkChannels(
  request: LeadSubmitRequest,
  followUpChannels: readonly ContactChannel[],
): Refusal | undefined {
  const { customer, consent } = request;
  const allowed = consent.allowed_channels;
  const preferred = customer.preferred_contact;
  const facts = { allowed_channels: allowed, follow_up_channels: followUpChannels };
  if (preferred !== undefined && preferred !== 'any' && !allowed.includes(preferred)) {
    return required(`The buyer prefers contact by ${preferred}, but the consent does not allow it.`, {
      ...facts,
      preferred_contact: preferred,
    });
  }
  const shared = followUpChannels.filter((channel) => allowed.includes(channel));
  if (shared.length === 0) {
    return required(
      `The dealer answers by ${either(followUpChannels)}, but the consent allows only ${either(allowed)}.`,
      facts,
    );
  }
  if (answerChannels(request, followUpChannels).length === 0) {
    return required(
      `The dealer may answer by ${either(shared)} only, but the lead gives no ${missingData(shared)}.`,
      facts,
    );
  }
  return undefined;
}

/** A text message goes to the phone number. */
function canReach(customer: Customer, channel: ContactChannel): boolean {
  const contact = channel === 'email' ? customer.email : customer.phone;
  return contact !== undefined && contact.trim() !== '';
}

function missingData(channels: readonly ContactChannel[]): string {
  const kinds = channels.map((channel) => (channel === 'email' ? 'e-mail address' : 'phone number'));
  return either([...new Set(kinds)]);
}

function either(words: readonly string[]): string {
  return words.join(' or ');
}

function invalid(instanceLocation: string, message: string): Refusal {
  // As the agent lists the faults of a schema, so that a buyer's agent reads both the same way.
  const errors = [{ instanceLocation, keyword: 'consent', error: message }];
  return { kind: 'refused', code: 'INVALID_CONSENT', message, details: { errors } };
}

function required(message: string, details: Record<string, unknown>): Refusal {
  return { kind: 'refused', code: 'CONTACT_CONSENT_REQUIRED', message, details };
}
