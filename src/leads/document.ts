import { formatInstant } from '../model/clock.ts';
import type { LeadDocument } from '../model/lead.ts';
import type { Rooftop } from '../model/rooftop.ts';
import type { StoredLead } from './stored-lead.ts';

/** A stored lead as the CRM adapters get it: the same on every attempt, but for `resend`. */
export function toLeadDocument(lead: StoredLead, rooftop: Rooftop, resend: boolean): LeadDocument {
  return {
    lead_id: lead.lead_id,
    received_at: formatInstant(lead.received_at),
    resend,
    request: lead.request,
    ...(lead.listing === undefined ? {} : { listing: lead.listing }),
    ...(lead.appointment === undefined ? {} : { appointment: lead.appointment }),
    ...(lead.visit_minutes === undefined ? {} : { visit_minutes: lead.visit_minutes }),
    rooftop,
  };
}
