import type { AppointmentAnswer, LeadAnswer, LeadSubmitRequest } from '../model/lead.ts';
import type { Listing } from '../model/vehicle.ts';

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
