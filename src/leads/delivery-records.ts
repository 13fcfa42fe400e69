import type { StoredLead } from './stored-lead.ts';

/** What the store of the leads keeps and tells of deliveries: one for each lead and destination. */

/**
 * `queued` waits for its first or next attempt; unless a person sent it again, it is certainly not at the CRM.
 * `sending` is being tried under a lease. `delivered` and `rejected` are the CRM's word. `uncertain` may have arrived.
 * `dead` was given up by the bridge, `cancelled` by a person.
 */
export const DELIVERY_STATES = [
  'queued',
  'sending',
  'delivered',
  'rejected',
  'uncertain',
  'dead',
  'cancelled',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface ClaimRequest {
  destination: string;
  now: number;
  /** Names the claimer, so that nobody else finishes or renews what it holds. */
  owner: string;
  leaseUntil: number;
  probing: boolean;
}

export interface AbandonedSearch {
  destination: string;
  owner: string;
  now: number;
  /** The owner is known to be the only one: every other lease is of a process that has died. */
  onlyOwner: boolean;
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

interface DestinationPause {
  until: number;
  reason: string;
}

export interface StandingPause extends DestinationPause {
  /** When the destination began to refuse us; each refusal since then has moved `until`. */
  since: number;
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
  queuedAt: number;
  nextAttemptAt?: number;
  /** When it came to an end, good or bad. */
  settledAt?: number;
  reason?: string;
  reference?: string;
}

export interface OverdueLeads {
  destination: string;
  waiting: number;
  oldestLeadId: string;
  oldestQueuedAt: number;
}

/** Given up by the bridge, or refused by the CRM. */
export interface EndedDelivery {
  deliveryId: number;
  lead_id: string;
  destination: string;
  /** Without customer data. */
  reason: string;
}
