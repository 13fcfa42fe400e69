import type { Database } from 'better-sqlite3';
import type { OriginalLead } from './lead-store.ts';
import { toStoredLead, type LeadRow } from './store-rows.ts';

/**
 * What the answer to a repeat says of the lead that came first. Undefined when that lead is not kept any more, or was
 * called off by a person at every destination: then nobody is going to answer it, and the buyer may ask again.
 */
export function originalLead(database: Database): (leadId: string) => OriginalLead | undefined {
  const select = database.prepare<[string], LeadRow & { holds_slots: number }>(
    `SELECT lead_id, received_at, rooftop_id, request, listing, appointment, erased_at,
       EXISTS (SELECT 1 FROM appointments WHERE appointments.lead_id = leads.lead_id AND freed_at IS NULL) AS holds_slots
     FROM leads WHERE lead_id = ? AND erased_at IS NULL AND NOT (
       EXISTS (SELECT 1 FROM deliveries WHERE deliveries.lead_id = leads.lead_id)
       AND NOT EXISTS
         (SELECT 1 FROM deliveries WHERE deliveries.lead_id = leads.lead_id AND state <> 'cancelled'))`,
  );
  return (leadId) => {
    const row = select.get(leadId);
    if (row === undefined) return undefined;
    const { appointment: answer, request } = toStoredLead(row);
    const asked = request.appointment;
    if (asked === undefined || answer === undefined) return { lead_id: leadId };
    return { lead_id: leadId, visit: { asked, answer, isHeld: row.holds_slots === 1 } };
  };
}
