import type { LeadSubmitRequest } from '../model/lead.ts';
import { canonicalJson, sha256 } from './canonical-json.ts';
import type { LeadOutcome } from './lead-desk.ts';
import type { KeyedReply, LeadEntry } from './lead-store.ts';

/**
 * Same key and same payload: the stored reply again, word for word, whatever has happened since. Same key, other
 * payload: refused (aap-v1.3 section 5, a2a-jsonrpc C11). Replies are kept as long as their leads.
 */
export function idempotencyOf(request: LeadSubmitRequest): LeadEntry['idempotency'] {
  const key = request.idempotency_key;
  return key === undefined ? undefined : { key, payloadHash: sha256(canonicalJson(request)) };
}

export function answerToKnownKey(earlier: KeyedReply, payloadHash: string): LeadOutcome {
  if (earlier.payloadHash !== payloadHash) return conflict();
  return { kind: 'answered', ...earlier.reply, replayed: true };
}

export function conflict(): LeadOutcome {
  return {
    kind: 'refused',
    code: 'IDEMPOTENCY_CONFLICT',
    message:
      'This idempotency_key was already used for a lead with other content. Use a new key for a new lead.',
  };
}

/** What is kept of the key of a lead whose customer was erased: the key is the buyer's agent's, and may hold anything. */
export function hashedKey(key: string): string {
  return `sha256:${sha256(key)}`;
}
