import type { AppointmentsConfig } from '../config/config.ts';
import { formatInstant } from '../model/clock.ts';
import { newAppointmentId } from '../model/identifier.ts';
import type { AppointmentAnswer, AppointmentRequest, ContactChannel } from '../model/lead.ts';
import type { Rooftop } from '../model/rooftop.ts';
import { planVisit, type VisitDecision } from './appointments.ts';
import type { LeadEntry, LeadSettlement } from './lead-store.ts';
import { noTimeMessage, replyToLead } from './reply.ts';

const MINUTE_MS = 60_000;

export interface NewLead {
  leadId: string;
  rooftop: Rooftop;
  /** Channels on which the dealer may and can answer, the preferred one first. */
  channels: readonly ContactChannel[];
  asked?: AppointmentRequest;
  /** What the buyer must know of the vehicle. */
  note?: string;
}

/** How a new lead will be answered: at once, or where a visit is asked for, once the calendar is seen. */
export function planSettlement(
  lead: NewLead,
  appointments: AppointmentsConfig,
  now: number,
): Pick<LeadEntry, 'calendar' | 'settle'> {
  const { asked, rooftop } = lead;
  if (asked === undefined) return { settle: () => ({ kind: 'settled', reply: replyToLead(lead) }) };
  const plan = planVisit(asked, rooftop, appointments, now);
  if (plan.kind === 'decided') return { settle: () => settlement(lead, asked, plan.decision) };
  return {
    calendar: {
      rooftop_id: rooftop.id,
      appointment_type: asked.appointment_type,
      within: plan.within,
    },
    settle: (taken) => settlement(lead, asked, plan.decide(taken)),
  };
}

function settlement(lead: NewLead, asked: AppointmentRequest, decision: VisitDecision): LeadSettlement {
  if (decision.status === 'unavailable') {
    return { kind: 'unavailable', message: noTimeMessage(asked, lead.rooftop) };
  }
  const answer = answerOf(decision);
  return {
    kind: 'settled',
    appointment: answer,
    reply: replyToLead({ ...lead, appointment: { asked, answer } }),
    ...(decision.status === 'confirmed' && {
      booking: {
        slots: decision.slots,
        visit_minutes: Math.round((decision.visit.to - decision.visit.from) / MINUTE_MS),
      },
    }),
  };
}

/** What the buyer's agent is told of a visit. A new id each time. */
function answerOf(decision: Exclude<VisitDecision, { status: 'unavailable' }>): AppointmentAnswer {
  const appointment_id = newAppointmentId();
  switch (decision.status) {
    case 'confirmed':
      return { appointment_id, status: 'confirmed', confirmed_at: formatInstant(decision.visit.from) };
    case 'proposed':
      return { appointment_id, status: 'proposed', proposed_times: decision.times.map(formatInstant) };
    case 'requested':
    case 'rejected':
      return { appointment_id, status: decision.status };
  }
}
