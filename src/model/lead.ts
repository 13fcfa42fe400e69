import type { PostalAddress, Rooftop } from './rooftop.ts';
import type { Listing, Vehicle } from './vehicle.ts';

/** The words of lead.submit (aap-v1.3 section 5). */

export const CONTACT_CHANNELS = ['email', 'phone', 'sms'] as const;
export type ContactChannel = (typeof CONTACT_CHANNELS)[number];

export const APPOINTMENT_TYPES = ['sales', 'service', 'test_drive', 'trade_in'] as const;
export type AppointmentType = (typeof APPOINTMENT_TYPES)[number];

export interface Customer {
  first_name: string;
  last_name: string;
  email?: string;
  /** E.164. */
  phone?: string;
  preferred_contact?: ContactChannel | 'any';
  address?: PostalAddress;
}

/** What the buyer agreed to. Kept whole with the lead: it is the dealer's legal record. */
export interface Consent {
  granted_at: string;
  allowed_channels: ContactChannel[];
  consent_text: string;
  scope: string[];
  expires_at?: string;
}

export interface SourceAgent {
  name: string;
  url?: string;
  agent_card_url?: string;
}

export interface AppointmentRequest {
  appointment_type: AppointmentType;
  appointment_at?: string;
  duration_minutes?: number;
  notes?: string;
}

export interface LeadSubmitRequest {
  type: 'lead.submit.request';
  customer: Customer;
  consent: Consent;
  source_agent: SourceAgent;
  vehicle_of_interest?: Vehicle;
  trade_in?: Vehicle;
  appointment?: AppointmentRequest;
  message?: string;
  submitted_at?: string;
  idempotency_key?: string;
}

export interface AppointmentAnswer {
  appointment_id: string;
  status: 'requested' | 'proposed' | 'confirmed' | 'rejected';
  confirmed_at?: string;
  proposed_times?: string[];
}

/** The `data` of lead.submit.response. */
export interface LeadAnswer {
  lead_id: string;
  status: 'received' | 'duplicate' | 'rejected';
  appointment?: AppointmentAnswer;
  dealer?: { name?: string; phone?: string };
}

/**
 * A stored lead with everything a CRM adapter may need, complete and unchanging: building the same document
 * twice gives the same bytes, whatever day it is.
 */
export interface LeadDocument {
  lead_id: string;
  /** Time of receipt, RFC 3339 in UTC. */
  received_at: string;
  /** True once an earlier attempt may have reached the CRM. */
  resend: boolean;
  request: LeadSubmitRequest;
  /** Our own listing for the vehicle of interest, as it stood at receipt. */
  listing?: Listing;
  appointment?: AppointmentAnswer;
  /** How long a confirmed visit takes. */
  visit_minutes?: number;
  /** The rooftop that gets the lead: the ADF vendor. */
  rooftop: Rooftop;
}
