import type { DealerConfig, LeadsConfig } from '../config/config.ts';
import type { Clock } from '../model/clock.ts';
import { newLeadId } from '../model/identifier.ts';
import type { LeadSubmitRequest } from '../model/lead.ts';
import type { Log } from '../model/log.ts';
import { answerChannels, checkConsent } from './consent.ts';
import { repeatKeys } from './duplicate.ts';
import { answerToKnownKey, conflict, idempotencyOf } from './idempotency.ts';
import type { LeadDesk, LeadOutcome, VehicleLookup } from './lead-desk.ts';
import type { AcceptResult, LeadEntry, LeadStore } from './lead-store.ts';
import { replyToRepeat } from './reply.ts';
import { routeLead } from './routing.ts';
import { planSettlement } from './settle-visit.ts';
import { checkVehicle, findVehicle, type FoundVehicle } from './vehicle.ts';
import { vehicleNote } from './vehicle-note.ts';

const HOUR_MS = 3_600_000;

export interface LeadDeskParts {
  store: LeadStore;
  lookup: VehicleLookup;
  leads: LeadsConfig;
  dealer: DealerConfig;
  clock: Clock;
  log: Log;
  /** Called after a lead with deliveries is on disk. */
  onQueued: () => void;
}

/** Where leads are taken in: known key, consent, vehicle, route, then all that is kept in one transaction. */
export function createLeadDesk(parts: LeadDeskParts): LeadDesk {
  return { submit: (request) => submit(request, parts) };
}

async function submit(request: LeadSubmitRequest, parts: LeadDeskParts): Promise<LeadOutcome> {
  const now = parts.clock.now();
  const idempotency = idempotencyOf(request);
  if (idempotency !== undefined) {
    // Before every rule: a consent that has expired since does not change what was answered.
    const earlier = await parts.store.findReply(idempotency.key);
    if (earlier !== undefined) return logged(answerToKnownKey(earlier, idempotency.payloadHash), parts.log);
  }
  const found = findVehicle(request, parts.lookup, parts.dealer);
  const refusal = checkConsent(request, parts.leads.follow_up_channels, now) ?? checkVehicle(request, found);
  if (refusal !== undefined) return logged(refusal, parts.log);

  const entry = { ...composeEntry(request, found, now, parts), ...(idempotency && { idempotency }) };
  const result = await parts.store.accept(entry);
  if (result.kind !== 'stored') return logged(outcomeOf(result), parts.log);
  announce(entry, parts);
  return outcomeOf(result);
}

function composeEntry(
  request: LeadSubmitRequest,
  found: FoundVehicle,
  now: number,
  { leads, dealer }: LeadDeskParts,
): LeadEntry {
  const { rooftop, destinations } = routeLead(request, found, dealer, leads);
  const leadId = newLeadId();
  const listing = found.kind === 'listed' ? found.listing : undefined;
  const asked = request.appointment;
  const channels = answerChannels(request, leads.follow_up_channels);
  const note = vehicleNote(request, found);
  const windowMs = leads.duplicate_window_hours * HOUR_MS;
  return {
    lead: {
      lead_id: leadId,
      received_at: now,
      rooftop_id: rooftop.id,
      request,
      ...(listing && { listing }),
    },
    ...planSettlement(
      { leadId, rooftop, channels, ...(asked && { asked }), ...(note !== undefined && { note }) },
      leads.appointments,
      now,
    ),
    duplicate: {
      ...repeatKeys(request, listing, rooftop.id),
      since: now - windowMs,
      until: now + windowMs,
    },
    replyToRepeat: (original) => replyToRepeat(original, rooftop, asked),
    destinations,
  };
}

function outcomeOf(result: AcceptResult): LeadOutcome {
  switch (result.kind) {
    case 'stored':
    case 'duplicate':
      return { kind: 'answered', ...result.reply, replayed: false };
    case 'replayed':
      return { kind: 'answered', ...result.reply, replayed: true };
    case 'conflict':
      return conflict();
    case 'unavailable':
      return { kind: 'refused', code: 'APPOINTMENT_TIME_UNAVAILABLE', message: result.message };
  }
}

function announce({ lead, destinations }: LeadEntry, { log, onQueued }: LeadDeskParts): void {
  const facts = { lead_id: lead.lead_id, rooftop: lead.rooftop_id, destinations };
  if (destinations.length === 0) {
    log.error(facts, 'lead stored, but no destination serves its rooftop: nobody gets it');
    return;
  }
  log.info(facts, 'lead queued');
  onQueued();
}

function logged(outcome: LeadOutcome, log: Log): LeadOutcome {
  if (outcome.kind === 'refused') log.info({ code: outcome.code }, 'lead refused');
  else {
    const { lead_id, status } = outcome.answer;
    log.info({ lead_id, status, replayed: outcome.replayed }, 'lead answered');
  }
  return outcome;
}
