import type { AlertMemory } from '../model/alert.ts';
import type { AppointmentAnswer, AppointmentType, LeadAnswer, LeadSubmitRequest } from '../model/lead.ts';
import type { Listing } from '../model/vehicle.ts';
import type { RepeatKeys } from './duplicate.ts';
import type { TimeSpan } from './opening-hours.ts';

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
   * Deliveries of a destination that are in mid-attempt and seem to be left there: those of `owner` (who knows which
   * it has under way), and those of others whose lease has run out, or all of others where `onlyOwner`.
   */
  findAbandoned(search: AbandonedSearch): Promise<ClaimedDelivery[]>;
  /** When the next delivery of a destination falls due; undefined when none is waiting. */
  nextDueAt(destination: string): Promise<number | undefined>;
  findPause(destination: string): Promise<StandingPause | undefined>;
  /** Destinations that have unfinished deliveries, with their number. */
  countWaiting(): Promise<{ destination: string; waiting: number }[]>;
  /** Whether another process has written since the last call: it may have queued something. Cheap. */
  hasChangedElsewhere(): Promise<boolean>;

  countDeliveries(): Promise<Record<DeliveryState, number>>;
  /** When something last happened to a lead: it came in or was tried. Undefined when nothing ever has. */
  lastActivity(): Promise<number | undefined>;
  list(filter: LeadFilter): Promise<LeadSummary[]>;
  find(leadId: string): Promise<LeadTrail | undefined>;
  /** Checks the consent ledger link by link. */
  auditConsents(): Promise<LedgerAudit>;
  /** Queues deliveries again, at an operator's wish; a destination the lead never went to gets its first one. */
  resend(leadId: string, destinations: readonly string[], act: OperatorAct): Promise<ResendResult[]>;
  /** Deliveries that ended without being delivered, oldest first. */
  findReplayable(filter: ReplayFilter): Promise<ReplayedDelivery[]>;
  /** Queues all of them again, and tells which. */
  replay(filter: ReplayFilter, act: OperatorAct): Promise<ReplayedDelivery[]>;
  /** Ends deliveries that have not been delivered; without `destination` all of the lead. */
  cancel(leadId: string, destination: string | undefined, act: OperatorAct): Promise<Cancellation>;

  /** Leads that still hold their customer, with this e-mail address or phone number, oldest first. */
  findByCustomer(contact: string): Promise<CustomerLead[]>;
  /** Leads with customer data whose deliveries have all been settled before a time, oldest first. */
  findErasable(settledBefore: number, limit: number): Promise<string[]>;
  /** Leads received before a time that keep their customer because a delivery is not settled. */
  countUnsettled(receivedBefore: number): Promise<number>;
  /** Erases the customer from leads; those with a delivery that is not settled are left alone. Answers the erased. */
  erase(leadIds: readonly string[], act: OperatorAct): Promise<string[]>;
  /** Takes what was erased out of the database's files, too. False when somebody reads just now. */
  clearTraces(): Promise<boolean>;

  /** Of each destination the leads that wait since before a time: how many, the oldest and when it was queued. */
  findOverdue(queuedBefore: number): Promise<OverdueLeads[]>;
  /** Deliveries that were given up and that nobody has looked after yet. */
  findDead(limit: number): Promise<DeadDelivery[]>;
  /** What was told of alerts. */
  alerts: AlertMemory;
  close(): Promise<void>;
}

export interface StoredLead {
  lead_id: string;
  received_at: number;
  rooftop_id: string;
  request: LeadSubmitRequest;
  listing?: Listing;
  appointment?: AppointmentAnswer;
  /** How long a confirmed visit takes. */
  visit_minutes?: number;
  /** The customer's data was erased then; `request` holds nothing of it any more. */
  erased_at?: number;
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
  lead: Omit<StoredLead, 'appointment' | 'visit_minutes'>;
  /** What must be known of the calendar before the lead can be answered. */
  calendar?: CalendarQuestion;
  /** The answer, given what the calendar says; called inside the transaction, again when that has to be repeated. */
  settle(taken: readonly TimeSpan[]): LeadSettlement;
  idempotency?: { key: string; payloadHash: string };
  /**
   * A lead received after `since` that shares a buyer and a subject is the same. One received at `until` or later, in a
   * time still to come, bears the time of a clock that was wrong: nobody knows how old it is.
   */
  duplicate: RepeatKeys & { since: number; until: number };
  /** What to answer when the lead is a repeat of an earlier one. */
  replyToRepeat(original: { lead_id: string; appointment?: AppointmentAnswer }): StoredReply;
  /** One delivery each. */
  destinations: readonly string[];
}

/** Which slots of a rooftop are taken within a time, by visits of one kind. */
export interface CalendarQuestion {
  rooftop_id: string;
  appointment_type: AppointmentType;
  within: TimeSpan;
}

export type LeadSettlement =
  | {
      kind: 'settled';
      reply: StoredReply;
      appointment?: AppointmentAnswer;
      /** Taken in the calendar that was asked. */
      booking?: { slots: TimeSpan; visit_minutes: number };
    }
  /** No such visit is possible, and the dealer wants the lead refused: nothing is stored. */
  | { kind: 'unavailable'; message: string };

export type AcceptResult =
  | { kind: 'stored'; reply: StoredReply }
  | Extract<LeadSettlement, { kind: 'unavailable' }>
  /** Same key, same payload. */
  | { kind: 'replayed'; reply: StoredReply }
  /** Same key, other payload. */
  | { kind: 'conflict' }
  /** Same buyer and vehicle within the window. */
  | { kind: 'duplicate'; reply: StoredReply };

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

export interface LeadFilter {
  limit: number;
  state?: DeliveryState;
  /** Received at this time or later, and before that one. */
  since?: number;
  until?: number;
  /** Goes on behind this lead of an earlier answer. */
  after?: { received_at: number; lead_id: string };
}

export interface LeadSummary {
  lead_id: string;
  received_at: number;
  rooftop_id: string;
  customer: { first_name: string; last_name: string };
  erased_at?: number;
  deliveries: DeliveryRecord[];
}

/** Everything that is known of one lead. */
export interface LeadTrail {
  lead: StoredLead;
  reply: StoredReply;
  consents: ConsentRecord[];
  deliveries: (DeliveryRecord & { history: AttemptRecord[] })[];
  operations: OperationRecord[];
}

/** One link of the consent ledger: `hash` covers everything else in it, the hash of the link before included. */
export interface ConsentLink {
  /** Counts from 1 without a gap: also the order in which the leads came in. */
  sequence: number;
  lead_id: string;
  recorded_at: number;
  /** `duplicate` when it came with a repeat of the lead. */
  occasion: 'lead' | 'duplicate';
  record_hash: string;
  previous_hash: string;
  hash: string;
}

export interface ConsentRecord extends ConsentLink {
  /** The request's consent, customer and source agent as canonical JSON; absent once it was erased. */
  record?: string;
  /** Hashed with the record. */
  salt?: string;
}

export type LedgerAudit =
  | {
      kind: 'whole';
      records: number;
      /** Of these, without their text. */ erased: number;
      /** The last link's hash. */
      head: string;
    }
  /** The first link at fault. */
  | { kind: 'broken'; sequence: number; lead_id?: string; fault: string };

/** Who does something to leads by hand, and why. */
export interface OperatorAct {
  who: string;
  reason: string;
  now: number;
}

export interface OperationRecord {
  kind: 'resend' | 'replay' | 'cancel' | 'erase';
  done_at: number;
  /** Absent: the whole lead. */
  destination?: string;
  who: string;
  reason: string;
}

export interface ResendResult {
  destination: string;
  /** `sending`: it is being tried at this moment and was left alone. `erased`: there is nothing left to send. */
  outcome: 'queued' | 'sending' | 'erased';
}

export interface ReplayFilter {
  /** `uncertain` means those that nobody tries any more. */
  state: 'dead' | 'rejected' | 'uncertain';
  /** Leads received at this time or later, and before that one. */
  since: number;
  until?: number;
  destinations: readonly string[];
}

export interface ReplayedDelivery {
  lead_id: string;
  destination: string;
}

export interface Cancellation {
  deliveries: CancelResult[];
  /** When confirmed visits would have begun whose time others may take now. */
  freedVisits: number[];
}

export interface CancelResult {
  destination: string;
  /** `sending`: it is being tried at this moment. `over`: the CRM has taken or refused it, or it was cancelled before. */
  outcome: 'cancelled' | 'sending' | 'over';
  state: DeliveryState;
  mayHaveArrived: boolean;
}

export interface CustomerLead {
  lead_id: string;
  received_at: number;
  deliveries: DeliveryRecord[];
}

export interface OverdueLeads {
  destination: string;
  waiting: number;
  oldestLeadId: string;
  oldestQueuedAt: number;
}

export interface DeadDelivery {
  deliveryId: number;
  lead_id: string;
  destination: string;
  /** Without customer data. */
  reason: string;
}
