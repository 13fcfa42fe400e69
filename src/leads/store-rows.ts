import type { AppointmentAnswer, LeadSubmitRequest } from '../model/lead.ts';
import type { Listing } from '../model/vehicle.ts';
import type { DeliveryRecord, DeliveryState } from './delivery-records.ts';
import type { StoredLead } from './stored-lead.ts';

/** A row of the table `leads`, without the reply. */
export interface LeadRow {
  lead_id: string;
  received_at: number;
  rooftop_id: string;
  request: string;
  listing: string | null;
  appointment: string | null;
  erased_at: number | null;
}

export function toStoredLead(row: LeadRow): StoredLead {
  return {
    lead_id: row.lead_id,
    received_at: row.received_at,
    rooftop_id: row.rooftop_id,
    request: JSON.parse(row.request) as LeadSubmitRequest,
    ...(row.listing === null ? {} : { listing: JSON.parse(row.listing) as Listing }),
    ...(row.appointment === null ? {} : readAppointment(row.appointment)),
    ...(row.erased_at === null ? {} : { erased_at: row.erased_at }),
  };
}

type Appointment = Pick<StoredLead, 'appointment' | 'visit_minutes'>;

/** The answer as the buyer got it and, beside its members, how long the visit takes. */
function readAppointment(text: string): Appointment {
  const { visit_minutes, ...appointment } = JSON.parse(text) as AppointmentAnswer & Appointment;
  return { appointment, ...(visit_minutes === undefined ? {} : { visit_minutes }) };
}

export function writeAppointment({ appointment, visit_minutes }: Appointment): string | null {
  return appointment === undefined ? null : JSON.stringify({ ...appointment, visit_minutes });
}

export const DELIVERY_COLUMNS =
  'delivery_id, destination, state, attempts, queued_at, next_attempt_at, settled_at, reason, reference';

/** A row of the table `deliveries`, as an operator sees it. */
export interface DeliveryRow {
  delivery_id: number;
  destination: string;
  state: DeliveryState;
  attempts: number;
  queued_at: number;
  next_attempt_at: number | null;
  settled_at: number | null;
  reason: string | null;
  reference: string | null;
}

export function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    deliveryId: row.delivery_id,
    destination: row.destination,
    state: row.state,
    attempts: row.attempts,
    queuedAt: row.queued_at,
    ...(row.next_attempt_at === null ? {} : { nextAttemptAt: row.next_attempt_at }),
    ...(row.settled_at === null ? {} : { settledAt: row.settled_at }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.reference === null ? {} : { reference: row.reference }),
  };
}
