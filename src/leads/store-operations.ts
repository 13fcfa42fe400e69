import type { Database } from 'better-sqlite3';
import { asPromise } from './as-promise.ts';
import type { DeliveryState } from './delivery-records.ts';
import type { LeadStore } from './lead-store.ts';
import type {
  Cancellation,
  CancelResult,
  OperationRecord,
  OperatorAct,
  ReplayedDelivery,
  ReplayFilter,
  ResendResult,
} from './operator-acts.ts';
import { freeVisit } from './store-calendar.ts';
import { pauseLifting } from './store-pauses.ts';

type Operations = Pick<LeadStore, 'resend' | 'findReplayable' | 'replay' | 'cancel'>;

/** What a person does to deliveries; each act is recorded with the lead, in the same transaction. */
export function operationsByHand(database: Database): Operations {
  const resend = resendTransaction(database);
  const cancel = cancelTransaction(database);
  const { find, replay } = replayTransactions(database);
  return {
    resend: (leadId, destinations, act) => asPromise(() => resend.immediate(leadId, destinations, act)),
    cancel: (leadId, destination, act) => asPromise(() => cancel.immediate(leadId, destination, act)),
    findReplayable: (filter) => asPromise(() => find(filter)),
    replay: (filter, act) => asPromise(() => replay.immediate(filter, act)),
  };
}

/** Writes down who did what and why; to be called inside the transaction that does it. */
export function operationRecorder(database: Database) {
  const insert = database.prepare(
    'INSERT INTO operations (lead_id, destination, done_at, kind, who, reason) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return (
    kind: OperationRecord['kind'],
    leadId: string,
    destination: string | null,
    act: OperatorAct,
  ): void => void insert.run(leadId, destination, act.now, kind, act.who, act.reason);
}

function deliveryQueue(database: Database) {
  const queueAgain = database.prepare(
    `INSERT INTO deliveries (lead_id, destination, state, queued_at, next_attempt_at)
     VALUES (@leadId, @destination, 'queued', @now, @now)
     ON CONFLICT (lead_id, destination) DO UPDATE SET state = 'queued', queued_at = @now, next_attempt_at = @now,
       retries = 0, resent_by_hand = 1, settled_at = NULL, waits_for_pause = 0,
       may_have_arrived = may_have_arrived OR state = 'delivered' WHERE state <> 'sending'`,
  );
  const lift = pauseLifting(database);
  return (leadId: string, destination: string, now: number): boolean => {
    const queued = queueAgain.run({ leadId, destination, now }).changes > 0;
    if (queued) lift.byHand(destination, now);
    return queued;
  };
}

function resendTransaction(database: Database) {
  const queue = deliveryQueue(database);
  const record = operationRecorder(database);
  const erased = database.prepare<[string], { erased_at: number | null }>(
    'SELECT erased_at FROM leads WHERE lead_id = ? AND erased_at IS NOT NULL',
  );
  return database.transaction(
    (leadId: string, destinations: readonly string[], act: OperatorAct): ResendResult[] => {
      const isErased = erased.get(leadId) !== undefined;
      return destinations.map((destination) => {
        if (isErased) return { destination, outcome: 'erased' };
        if (!queue(leadId, destination, act.now)) return { destination, outcome: 'sending' };
        record('resend', leadId, destination, act);
        return { destination, outcome: 'queued' };
      });
    },
  );
}

function replayTransactions(database: Database) {
  const queue = deliveryQueue(database);
  const record = operationRecorder(database);
  const select = database.prepare<[string, number, number], ReplayedDelivery>(
    `SELECT lead_id, destination FROM deliveries JOIN leads USING (lead_id)
     WHERE state = ? AND next_attempt_at IS NULL AND received_at >= ? AND received_at < ? AND erased_at IS NULL
     ORDER BY delivery_id`,
  );
  const find = ({ state, since, until, destinations }: ReplayFilter): ReplayedDelivery[] =>
    select
      .all(state, since, until ?? Number.MAX_SAFE_INTEGER)
      .filter(({ destination }) => destinations.includes(destination));
  const replay = database.transaction((filter: ReplayFilter, act: OperatorAct): ReplayedDelivery[] => {
    const found = find(filter);
    for (const { lead_id, destination } of found) {
      queue(lead_id, destination, act.now);
      record('replay', lead_id, destination, act);
    }
    return found;
  });
  return { find, replay };
}

function cancelTransaction(database: Database) {
  const record = operationRecorder(database);
  const freeVisitOf = freeVisit(database);
  const select = database.prepare<
    { leadId: string; destination: string | null },
    { delivery_id: number; destination: string; state: DeliveryState; may_have_arrived: number }
  >(
    `SELECT delivery_id, destination, state, may_have_arrived FROM deliveries
     WHERE lead_id = @leadId AND (@destination IS NULL OR destination = @destination) ORDER BY delivery_id`,
  );
  const end = database.prepare<[number, number]>(
    `UPDATE deliveries SET state = 'cancelled', next_attempt_at = NULL, settled_at = ?
     WHERE delivery_id = ? AND state IN ('queued', 'uncertain', 'dead', 'rejected')`,
  );
  return database.transaction((leadId: string, only: string | undefined, act: OperatorAct): Cancellation => {
    const deliveries = select.all({ leadId, destination: only ?? null }).map((row): CancelResult => {
      const { destination, state } = row;
      const stands = { destination, state, mayHaveArrived: row.may_have_arrived === 1 };
      if (state === 'sending') return { ...stands, outcome: 'sending' };
      if (end.run(act.now, row.delivery_id).changes === 0) return { ...stands, outcome: 'over' };
      record('cancel', leadId, destination, act);
      return { ...stands, outcome: 'cancelled' };
    });
    // The lead as a whole is off, also where the CRM has it by now; what is on its way still promises the visit.
    const isOff =
      only === undefined
        ? !deliveries.some(({ outcome }) => outcome === 'sending')
        : deliveries.length > 0 &&
          select.all({ leadId, destination: null }).every(({ state }) => state === 'cancelled');
    return { deliveries, freedVisits: isOff ? freeVisitOf(leadId, act.now) : [] };
  });
}
