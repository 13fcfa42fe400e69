import type { Database } from 'better-sqlite3';
import type { Customer } from '../model/lead.ts';
import type {
  AttemptRecord,
  ConsentRecord,
  DeliveryRecord,
  DeliveryState,
  LeadFilter,
  LeadStore,
  LeadSummary,
  LeadTrail,
  ResendResult,
  StoredReply,
} from './lead-store.ts';
import { asPromise } from './as-promise.ts';
import { toStoredLead, type LeadRow } from './store-rows.ts';

type Operating = Pick<LeadStore, 'countDeliveries' | 'list' | 'find' | 'resend'>;

interface DeliveryRow {
  delivery_id: number;
  destination: string;
  state: DeliveryState;
  attempts: number;
  next_attempt_at: number | null;
  reason: string | null;
  reference: string | null;
}

/** What an operator asks of leads.db, also from a second process while the bridge runs. */
export function operatingOperations(database: Database): Operating {
  const deliveriesOf = database.prepare<[string], DeliveryRow>(
    `SELECT delivery_id, destination, state, attempts, next_attempt_at, reason, reference FROM deliveries
     WHERE lead_id = ? ORDER BY delivery_id`,
  );
  const counts = database.prepare<[], { state: DeliveryState; number: number }>(
    'SELECT state, COUNT(*) AS number FROM deliveries GROUP BY state',
  );
  const resend = resendTransaction(database);
  const list = listTransaction(database, (leadId) => deliveriesOf.all(leadId).map(toDelivery));
  const find = findTransaction(database, (leadId) => deliveriesOf.all(leadId).map(toDelivery));
  return {
    countDeliveries: () =>
      asPromise(() => {
        const total = { queued: 0, sending: 0, delivered: 0, rejected: 0, uncertain: 0, dead: 0 };
        for (const { state, number } of counts.all()) total[state] = number;
        return total;
      }),
    list: (filter) => asPromise(() => list(filter)),
    find: (leadId) => asPromise(() => find(leadId)),
    resend: (leadId, destinations, now) => asPromise(() => resend.immediate(leadId, destinations, now)),
  };
}

function listTransaction(database: Database, deliveriesOf: (leadId: string) => DeliveryRecord[]) {
  const select = database.prepare<{ state: DeliveryState | null; limit: number }, LeadRow>(
    `SELECT lead_id, received_at, rooftop_id, request, listing, appointment FROM leads
     WHERE @state IS NULL OR EXISTS
       (SELECT 1 FROM deliveries WHERE deliveries.lead_id = leads.lead_id AND deliveries.state = @state)
     ORDER BY received_at DESC, lead_id DESC LIMIT @limit`,
  );
  return database.transaction(({ limit, state }: LeadFilter): LeadSummary[] =>
    select.all({ state: state ?? null, limit }).map((row) => ({
      lead_id: row.lead_id,
      received_at: row.received_at,
      rooftop_id: row.rooftop_id,
      customer: nameOf(toStoredLead(row).request.customer),
      deliveries: deliveriesOf(row.lead_id),
    })),
  );
}

function nameOf({ first_name, last_name }: Customer): LeadSummary['customer'] {
  return { first_name, last_name };
}

function findTransaction(database: Database, deliveriesOf: (leadId: string) => DeliveryRecord[]) {
  const selectLead = database.prepare<[string], LeadRow & { reply: string }>(
    'SELECT * FROM leads WHERE lead_id = ?',
  );
  const selectConsents = database.prepare<[string], ConsentRecord>(
    'SELECT * FROM consents WHERE lead_id = ? ORDER BY sequence',
  );
  const selectAttempts = database.prepare<
    [number],
    Omit<AttemptRecord, 'reference'> & { reference: string | null }
  >(
    `SELECT started_at AS startedAt, finished_at AS finishedAt, stage, sent, verdict, reason, reference FROM attempts
     WHERE delivery_id = ? ORDER BY attempt_id`,
  );
  const historyOf = (deliveryId: number): AttemptRecord[] =>
    selectAttempts
      .all(deliveryId)
      .map(({ reference, ...attempt }) => (reference === null ? attempt : { ...attempt, reference }));
  return database.transaction((leadId: string): LeadTrail | undefined => {
    const row = selectLead.get(leadId);
    if (row === undefined) return undefined;
    return {
      lead: toStoredLead(row),
      reply: JSON.parse(row.reply) as StoredReply,
      consents: selectConsents.all(leadId),
      deliveries: deliveriesOf(leadId).map((delivery) => ({
        ...delivery,
        history: historyOf(delivery.deliveryId),
      })),
    };
  });
}

function resendTransaction(database: Database) {
  const queueAgain = database.prepare(
    `INSERT INTO deliveries (lead_id, destination, state, queued_at, next_attempt_at)
     VALUES (@leadId, @destination, 'queued', @now, @now)
     ON CONFLICT (lead_id, destination) DO UPDATE SET state = 'queued', queued_at = @now, next_attempt_at = @now,
       retries = 0, resent_by_hand = 1,
       may_have_arrived = may_have_arrived OR state = 'delivered' WHERE state <> 'sending'`,
  );
  // Who sends again by hand has looked at the destination.
  const liftPause = database.prepare('DELETE FROM destination_pauses WHERE destination = ?');
  return database.transaction(
    (leadId: string, destinations: readonly string[], now: number): ResendResult[] =>
      destinations.map((destination) => {
        const queued = queueAgain.run({ leadId, destination, now }).changes > 0;
        if (queued) liftPause.run(destination);
        return { destination, outcome: queued ? 'queued' : 'sending' };
      }),
  );
}

function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    deliveryId: row.delivery_id,
    destination: row.destination,
    state: row.state,
    attempts: row.attempts,
    ...(row.next_attempt_at === null ? {} : { nextAttemptAt: row.next_attempt_at }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.reference === null ? {} : { reference: row.reference }),
  };
}
