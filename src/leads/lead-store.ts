import type { AlertMemory } from '../model/alert.ts';
import type { AppointmentAnswer, AppointmentRequest, AppointmentType } from '../model/lead.ts';
import type { ConsentRecord, LedgerAudit } from './consent-records.ts';
import type {
  AbandonedSearch,
  AttemptRecord,
  AttemptReport,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryRecord,
  DeliveryState,
  EndedDelivery,
  OverdueLeads,
  StandingPause,
} from './delivery-records.ts';
import type { RepeatKeys } from './duplicate.ts';
import type {
  Cancellation,
  CustomerLead,
  OperationRecord,
  OperatorAct,
  ReplayedDelivery,
  ReplayFilter,
  ResendResult,
} from './operator-acts.ts';
import type { TimeSpan } from './opening-hours.ts';
import type { StoredLead, StoredReply } from './stored-lead.ts';

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
  findDead(limit: number): Promise<EndedDelivery[]>;
  /** Deliveries that the CRM has refused since a time, and that nobody has looked after yet; newest first. */
  findRejected(since: number, limit: number): Promise<EndedDelivery[]>;
  /** What was told of alerts. */
  alerts: AlertMemory;
  close(): Promise<void>;
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
  replyToRepeat(original: OriginalLead): StoredReply;
  /** One delivery each. */
  destinations: readonly string[];
}

/** What a repeat is a repeat of. */
export interface OriginalLead {
  lead_id: string;
  /** The visit that was asked for, and what became of it. */
  visit?: {
    asked: AppointmentRequest;
    answer: AppointmentAnswer;
    /** Its slots are still kept for the buyer. */
    isHeld: boolean;
  };
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
