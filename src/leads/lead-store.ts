import type { AppointmentAnswer, LeadAnswer, LeadSubmitRequest } from '../model/lead.ts';
import type { Listing } from '../model/vehicle.ts';

/**
 * The durable memory of the leads. Every operation is one transaction and has happened, on disk, when its promise
 * resolves. Times are milliseconds since 1970. Another engine would be one more file that fits this shape.
 */
export interface LeadStore {
  /** The reply that was given to this key, if any. */
  findReply(idempotencyKey: string): Promise<KeyedReply | undefined>;
  /**
   * Stores lead, consent record and deliveries, or finds that the request is a repeat: the checks and the writing
   * cannot be separated by another request.
   */
  accept(entry: LeadEntry): Promise<AcceptResult>;

  /** Takes the next due delivery of a destination: oldest first, or the longest untried first when probing. */
  claimNext(claim: ClaimRequest): Promise<ClaimedDelivery | undefined>;
  renewLease(deliveryId: number, owner: string, leaseUntil: number): Promise<void>;
  /** Records one attempt and where the delivery stands now. False when the lease had passed to somebody else. */
  finishAttempt(report: AttemptReport): Promise<boolean>;
  /**
   * Deliveries of a destination that were left in mid-attempt: by others, when the lease has run out, or by
   * `owner`, who asks only while it has none under way.
   */
  findAbandoned(destination: string, owner: string, now: number): Promise<ClaimedDelivery[]>;
  /** When the next delivery of a destination falls due; undefined when none is waiting. */
  nextDueAt(destination: string): Promise<number | undefined>;
  findPause(destination: string): Promise<DestinationPause | undefined>;
  /** Destinations that have unfinished deliveries, with their number. */
  countWaiting(): Promise<{ destination: string; waiting: number }[]>;

  countDeliveries(): Promise<Record<DeliveryState, number>>;
  list(filter: LeadFilter): Promise<LeadSummary[]>;
  find(leadId: string): Promise<LeadTrail | undefined>;
  /** Queues deliveries again, at an operator's wish; a destination the lead never went to gets its first one. */
  resend(leadId: string, destinations: readonly string[], now: number): Promise<ResendResult[]>;
  close(): Promise<void>;
}

export interface StoredLead {
  lead_id: string;
  received_at: number;
  rooftop_id: string;
  request: LeadSubmitRequest;
  listing?: Listing;
  appointment?: AppointmentAnswer;
}

/** What the buyer's agent was told, kept word for word. */
export interface StoredReply {
  answer: LeadAnswer;
  message: string;
}

export interface KeyedReply {
  payloadHash: string;
  reply: StoredReply;
}

export interface LeadEntry {
  lead: StoredLead;
  reply: StoredReply;
  idempotency?: { key: string; payloadHash: string };
  /** A lead received after `since` that shares a key is the same buyer and the same vehicle. */
  duplicate: { keys: readonly string[]; since: number };
  /** What to answer when the lead is a repeat of an earlier one. */
  replyToRepeat(original: { lead_id: string; appointment?: AppointmentAnswer }): StoredReply;
  /** One delivery each. */
  destinations: readonly string[];
}

export type AcceptResult =
  | { kind: 'stored' }
  /** Same key, same payload. */
  | { kind: 'replayed'; reply: StoredReply }
  /** Same key, other payload. */
  | { kind: 'conflict' }
  /** Same buyer and vehicle within the window. */
  | { kind: 'duplicate'; reply: StoredReply };

/**
 * `queued` waits for its first or next attempt; unless a person sent it again, it is certainly not at the CRM.
 * `sending` is being tried under a lease. `delivered` and `rejected` are the CRM's word. `uncertain` may have arrived. `dead` was given up.
 */
export const DELIVERY_STATES = ['queued', 'sending', 'delivered', 'rejected', 'uncertain', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface ClaimRequest {
  destination: string;
  now: number;
  /** Names the claimer, so that nobody else finishes or renews what it holds. */
  owner: string;
  leaseUntil: number;
  probing: boolean;
}

export interface ClaimedDelivery {
  deliveryId: number;
  destination: string;
  lead: StoredLead;
  /** When it was queued: at receipt, or at the last resend. Giving up counts from here. */
  queuedAt: number;
  startedAt: number;
  /** Attempts since it was queued, this one not counted. */
  retries: number;
  /** An earlier attempt reached the CRM or may have reached it. */
  mayHaveArrived: boolean;
  resentByHand: boolean;
  owner: string;
}

export interface AttemptReport {
  deliveryId: number;
  owner: string;
  attempt: AttemptRecord;
  state: DeliveryState;
  /** Undefined when nothing more is to be done. */
  nextAttemptAt?: number;
  mayHaveArrived: boolean;
  /** `lift` ends a pause of the destination; undefined leaves it as it is. */
  pause?: DestinationPause | 'lift';
}

export interface DestinationPause {
  until: number;
  reason: string;
}

export interface AttemptRecord {
  startedAt: number;
  finishedAt: number;
  /** How far it got: `build`, the stages of an e-mail, `http`, `file` or `interrupted`. */
  stage: string;
  sent: 'no' | 'maybe' | 'yes';
  verdict: string;
  /** Without customer data. */
  reason: string;
  reference?: string;
}

export interface DeliveryRecord {
  deliveryId: number;
  destination: string;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt?: number;
  reason?: string;
  reference?: string;
}

export interface LeadFilter {
  limit: number;
  state?: DeliveryState;
}

export interface LeadSummary {
  lead_id: string;
  received_at: number;
  rooftop_id: string;
  customer: { first_name: string; last_name: string };
  deliveries: DeliveryRecord[];
}

/** Everything that is known of one lead. */
export interface LeadTrail {
  lead: StoredLead;
  reply: StoredReply;
  consents: ConsentRecord[];
  deliveries: (DeliveryRecord & { history: AttemptRecord[] })[];
}

/** One link of the consent ledger: `hash` covers everything else in the record and the hash of the one before. */
export interface ConsentRecord {
  sequence: number;
  lead_id: string;
  recorded_at: number;
  /** `duplicate` when it came with a repeat of the lead. */
  occasion: 'lead' | 'duplicate';
  /** The request's consent and source agent as JSON, as received. */
  record: string;
  previous_hash: string;
  hash: string;
}

export interface ResendResult {
  destination: string;
  /** `sending`: it is being tried at this moment and was left alone. */
  outcome: 'queued' | 'sending';
}
