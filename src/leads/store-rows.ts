import type { AppointmentAnswer, LeadSubmitRequest } from '../model/lead.ts';
import type { Listing } from '../model/vehicle.ts';
import type { StoredLead } from './lead-store.ts';

/** A row of the table `leads`, without the reply. */
export interface LeadRow {
  lead_id: string;
  received_at: number;
  rooftop_id: string;
  request: string;
  listing: string | null;
  appointment: string | null;
}

export function toStoredLead(row: LeadRow): StoredLead {
  return {
    lead_id: row.lead_id,
    received_at: row.received_at,
    rooftop_id: row.rooftop_id,
    request: JSON.parse(row.request) as LeadSubmitRequest,
    ...(row.listing === null ? {} : { listing: JSON.parse(row.listing) as Listing }),
    ...(row.appointment === null ? {} : { appointment: JSON.parse(row.appointment) as AppointmentAnswer }),
  };
}
