import { randomUUID } from 'node:crypto';
import type { LeadSubmitRequest } from '../model/lead.ts';
import { canonicalJson, sha256 } from './canonical-json.ts';
import type { ConsentLink } from './consent-records.ts';

/** What stands in place of the previous hash in the first link. */
export const NO_PREVIOUS_HASH = '';

/** What a buyer agreed to, who they are and who passed it on. Customer data: it may be erased, the link stays. */
export interface ConsentText {
  /** Random, so that nobody can guess an erased record from its hash. */
  salt: string;
  /** Canonical JSON. */
  record: string;
}

/** A repeat of a lead keeps no request of its own, so the record names the customer as well. */
export function consentText({ consent, customer, source_agent }: LeadSubmitRequest): ConsentText {
  return { salt: newSalt(), record: canonicalJson({ consent, customer, source_agent }) };
}

export function newSalt(): string {
  return randomUUID();
}

export function recordHash({ salt, record }: ConsentText): string {
  return sha256(`${salt}\n${record}`);
}

/** Covers everything in the link, the hash of the link before included: none can be altered or taken out unnoticed. */
export function linkHash({
  sequence,
  lead_id,
  recorded_at,
  occasion,
  record_hash,
  previous_hash,
}: Omit<ConsentLink, 'hash'>): string {
  return sha256(canonicalJson({ sequence, lead_id, recorded_at, occasion, record_hash, previous_hash }));
}

/** What is wrong with a link that ought to follow `previous`, in words; undefined when all is well. */
export function faultOfLink(
  link: ConsentLink,
  previous: Pick<ConsentLink, 'sequence' | 'hash'>,
  text: ConsentText | undefined,
): string | undefined {
  if (link.sequence !== previous.sequence + 1) return `record ${previous.sequence + 1} is missing before it`;
  if (link.previous_hash !== previous.hash) return 'it does not follow the record before it';
  if (link.hash !== linkHash(link)) return 'it has been changed after it was written';
  if (text !== undefined && link.record_hash !== recordHash(text)) {
    return 'its consent text has been changed after it was written';
  }
  return undefined;
}
