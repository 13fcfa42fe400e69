import type { Database } from 'better-sqlite3';
import type { Customer } from '../model/lead.ts';
import type { AttemptRecord, DeliveryRecord, DeliveryState } from './delivery-records.ts';
import type { LeadFilter, LeadStore, LeadSummary, LeadTrail } from './lead-store.ts';
import type { StoredReply } from './stored-lead.ts';
import type { OperationRecord } from './operator-acts.ts';
import { asPromise } from './as-promise.ts';
import { consentsOfLead } from './store-ledger.ts';
import { DELIVERY_COLUMNS, type DeliveryRow, toDelivery, toStoredLead, type LeadRow } from './store-rows.ts';

type Operating = Pick<LeadStore, 'countDeliveries' | 'lastActivity' | 'list' | 'find'>;

/** What an operator asks of leads.db, also from a second process while the bridge runs. */
export function operatingOperations(database: Database): Operating {
  const deliveriesOf = database.prepare<[string], DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE lead_id = ? ORDER BY delivery_id`,
  );
  const counts = database.prepare<[], { state: DeliveryState; number: number }>(
    'SELECT state, COUNT(*) AS number FROM deliveries GROUP BY state',
  );
  const lastActivity = database
    .prepare<[], number | null>(
      `SELECT MAX(time) FROM (SELECT MAX(received_at) AS time FROM leads UNION ALL
         SELECT * FROM (SELECT finished_at FROM attempts ORDER BY attempt_id DESC LIMIT 1))`,
    )
    .pluck();
  const list = listTransaction(database, (leadId) => deliveriesOf.all(leadId).map(toDelivery));
  const find = findTransaction(database, (leadId) => deliveriesOf.all(leadId).map(toDelivery));
  return {
    countDeliveries: () =>
      asPromise(() => {
        const total = {
          queued: 0,
          sending: 0,
          delivered: 0,
          rejected: 0,
          uncertain: 0,
          dead: 0,
          cancelled: 0,
        };
        for (const { state, number } of counts.all()) total[state] = number;
        return total;
      }),
    lastActivity: () => asPromise(() => lastActivity.get() ?? undefined),
    list: (filter) => asPromise(() => list(filter)),
    find: (leadId) => asPromise(() => find(leadId)),
  };
}

function listTransaction(database: Database, deliveriesOf: (leadId: string) => DeliveryRecord[]) {
  const select = database.prepare<Record<keyof ListSearch, string | number | null>, LeadRow>(
    `SELECT lead_id, received_at, rooftop_id, request, listing, appointment, erased_at FROM leads
     WHERE (@state IS NULL OR EXISTS
         (SELECT 1 FROM deliveries WHERE deliveries.lead_id = leads.lead_id AND deliveries.state = @state))
       AND received_at >= @since AND received_at < @until
       AND (received_at, lead_id) < (@afterTime, @afterId)
     ORDER BY received_at DESC, lead_id DESC LIMIT @limit`,
  );
  return database.transaction((filter: LeadFilter): LeadSummary[] =>
    select.all(searchOf(filter)).map((row) => ({
      lead_id: row.lead_id,
      received_at: row.received_at,
      rooftop_id: row.rooftop_id,
      customer: nameOf(toStoredLead(row).request.customer),
      ...(row.erased_at !== null && { erased_at: row.erased_at }),
      deliveries: deliveriesOf(row.lead_id),
    })),
  );
}

interface ListSearch {
  state: DeliveryState | null;
  since: number;
  until: number;
  afterTime: number;
  afterId: string;
  limit: number;
}

function searchOf({ limit, state, since, until, after }: LeadFilter): ListSearch {
  return {
    limit,
    state: state ?? null,
    since: since ?? 0,
    until: until ?? Number.MAX_SAFE_INTEGER,
    afterTime: after?.received_at ?? Number.MAX_SAFE_INTEGER,
    afterId: after?.lead_id ?? '',
  };
}

function nameOf({ first_name, last_name }: Customer): LeadSummary['customer'] {
  return { first_name, last_name };
}

function findTransaction(database: Database, deliveriesOf: (leadId: string) => DeliveryRecord[]) {
  const selectLead = database.prepare<[string], LeadRow & { reply: string }>(
    'SELECT * FROM leads WHERE lead_id = ?',
  );
  const consentsOf = consentsOfLead(database);
  const selectAttempts = database.prepare<
    [number],
    Omit<AttemptRecord, 'reference'> & { reference: string | null }
  >(
    `SELECT started_at AS startedAt, finished_at AS finishedAt, stage, sent, verdict, reason, reference FROM attempts
     WHERE delivery_id = ? ORDER BY attempt_id`,
  );
  const selectOperations = database.prepare<
    [string],
    Omit<OperationRecord, 'destination'> & { destination: string | null }
  >('SELECT kind, done_at, destination, who, reason FROM operations WHERE lead_id = ? ORDER BY operation_id');
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
      consents: consentsOf(leadId),
      deliveries: deliveriesOf(leadId).map((delivery) => ({
        ...delivery,
        history: historyOf(delivery.deliveryId),
      })),
      operations: selectOperations.all(leadId).map(({ destination, ...operation }) => ({
        ...operation,
        ...(destination !== null && { destination }),
      })),
    };
  });
}
