import type { DeliveryRecord, DeliveryState } from './delivery-records.ts';

/** What a person does to leads, and what came of it. */

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
  /** `sending`: it is being tried at this moment. `over`: the CRM has taken it, or it was cancelled before. */
  outcome: 'cancelled' | 'sending' | 'over';
  state: DeliveryState;
  mayHaveArrived: boolean;
}

export interface CustomerLead {
  lead_id: string;
  received_at: number;
  deliveries: DeliveryRecord[];
}
