import type { AlertsConfig, DestinationConfig } from '../config/config.ts';
import { type Clock, formatInstant } from '../model/clock.ts';
import type { Trouble } from '../model/finding.ts';
import type { EndedDelivery, OverdueLeads } from './delivery-records.ts';
import type { LeadStore } from './lead-store.ts';

/** More dead or refused deliveries than this stand at a time only when nobody looks; the newest are told. */
const MAX_ENDED_ALERTS = 200;
/** Whoever has not looked at a refusal by then will not; and a buyer waits no longer for an answer. */
const REJECTED_TOLD_MS = 7 * 24 * 3_600_000;

interface LeadAlertParts {
  store: LeadStore;
  destinations: readonly DestinationConfig[];
  alerts: Pick<AlertsConfig, 'undelivered_after_minutes' | 'paused_after_minutes'>;
  clock: Clock;
}

/**
 * What a person should hear of the leads: those that wait too long, destinations that refuse us, deliveries that were
 * given up or refused. One alert a destination, however many leads wait for it; one a delivery that was given up or
 * refused, since each wants a decision.
 */
export function leadAlerts({ store, destinations, alerts, clock }: LeadAlertParts): () => Promise<Trouble[]> {
  return async () => {
    const now = clock.now();
    const [overdue, dead, rejected, pauses] = await Promise.all([
      store.findOverdue(now - alerts.undelivered_after_minutes * 60_000),
      store.findDead(MAX_ENDED_ALERTS),
      store.findRejected(now - REJECTED_TOLD_MS, MAX_ENDED_ALERTS),
      Promise.all(destinations.map(async ({ id }) => ({ id, pause: await store.findPause(id) }))),
    ]);
    return [
      ...pauses.flatMap(({ id, pause }) =>
        pause === undefined || isYoung(pause.since, now, alerts.paused_after_minutes)
          ? []
          : [pausedAlert(id, pause.reason)],
      ),
      ...overdue.map(overdueAlert),
      ...dead.map(deadAlert),
      ...rejected.map(rejectedAlert),
    ];
  };
}

/** What began in a time still to come did so before the clock was set back: nobody knows how long ago. */
function isYoung(since: number, now: number, minutes: number): boolean {
  return since <= now && now - since < minutes * 60_000;
}

function pausedAlert(destination: string, reason: string): Trouble {
  return {
    status: 'fail',
    key: `destination-paused:${destination}`,
    text: `The destination ${destination} refuses all leads: ${reason}`,
    remedy:
      'Check what it names: login, sender, recipients or address in the settings, or the mailbox there. The leads wait; one of them tries every now and then.',
  };
}

function overdueAlert({ destination, waiting, oldestLeadId, oldestQueuedAt }: OverdueLeads): Trouble {
  const leads = waiting === 1 ? '1 lead is' : `${waiting} leads are`;
  return {
    status: 'fail',
    key: `leads-waiting:${destination}`,
    text: `${leads} not delivered to ${destination}, the oldest, ${oldestLeadId}, since ${formatInstant(oldestQueuedAt)}.`,
    remedy: `See why: dealer-bridge leads show ${oldestLeadId}`,
  };
}

function deadAlert({ deliveryId, lead_id, destination, reason }: EndedDelivery): Trouble {
  return {
    status: 'fail',
    key: `delivery-dead:${deliveryId}`,
    text: `The lead ${lead_id} could not be delivered to ${destination} and was given up: ${reason}`,
    remedy: `Once the cause is gone: dealer-bridge leads resend ${lead_id} --destination ${destination} --reason TEXT (or leads cancel)`,
  };
}

/** The next lead goes on, so it is no outage; but this buyer hears from nobody. */
function rejectedAlert({ deliveryId, lead_id, destination, reason }: EndedDelivery): Trouble {
  return {
    status: 'warn',
    key: `delivery-rejected:${deliveryId}`,
    text: `The lead ${lead_id} was refused by ${destination}: ${reason}`,
    remedy:
      `Once the cause is gone: dealer-bridge leads resend ${lead_id} --destination ${destination} --reason TEXT; or, ` +
      'when the lead is worth nothing or in the CRM by hand: leads cancel.',
  };
}
