import type { Database } from 'better-sqlite3';
import { foreignCommits } from '../model/foreign-commits.ts';
import { asPromise } from './as-promise.ts';
import type { Commit } from './group-commit.ts';
import type {
  AbandonedSearch,
  AttemptReport,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryState,
  StandingPause,
} from './delivery-records.ts';
import type { LeadStore } from './lead-store.ts';
import { pauseLifting } from './store-pauses.ts';
import { toStoredLead, type LeadRow } from './store-rows.ts';

type Delivering = Pick<
  LeadStore,
  | 'claimNext'
  | 'renewLease'
  | 'finishAttempt'
  | 'findAbandoned'
  | 'nextDueAt'
  | 'findPause'
  | 'countWaiting'
  | 'hasChangedElsewhere'
>;

interface ClaimRow extends LeadRow {
  delivery_id: number;
  destination: string;
  queued_at: number;
  last_attempt_at: number | null;
  retries: number;
  may_have_arrived: number;
  resent_by_hand: number;
  lease_owner: string | null;
}

/** An attempt that ends in one of these is the last, unless a person wants another. */
const SETTLED: readonly DeliveryState[] = ['delivered', 'rejected', 'dead'];

const CLAIM_COLUMNS = `delivery_id, destination, queued_at, last_attempt_at, retries, may_have_arrived, resent_by_hand, lease_owner,
  lead_id, received_at, rooftop_id, request, listing, appointment, erased_at`;

/**
 * What the dispatcher asks of leads.db. A delivery with `next_attempt_at` waits; one `sending` has a lease. What it
 * writes shares its commits with the leads that come in.
 */
export function deliveringOperations(database: Database, commit: Commit): Delivering {
  const claim = claimWork(database);
  const finish = finishWork(database);
  const hasChanged = changeDetector(database);
  const renew = database.prepare<[number, number, string]>(
    `UPDATE deliveries SET lease_until = ? WHERE delivery_id = ? AND lease_owner = ? AND state = 'sending'`,
  );
  const abandoned = database.prepare<Omit<AbandonedSearch, 'onlyOwner'> & { onlyOwner: 0 | 1 }, ClaimRow>(
    `SELECT ${CLAIM_COLUMNS} FROM deliveries JOIN leads USING (lead_id)
     WHERE destination = @destination AND state = 'sending'
       AND (@onlyOwner OR lease_owner = @owner OR lease_until <= @now OR last_attempt_at > @now) ORDER BY delivery_id`,
  );
  const nextDue = database.prepare<[string], { due: number | null }>(
    // Of the two indexes that would do, the other one is read through to its end.
    `SELECT MIN(next_attempt_at) AS due FROM deliveries INDEXED BY deliveries_waiting
     WHERE destination = ? AND next_attempt_at IS NOT NULL`,
  );
  const pause = database.prepare<[string], StandingPause>(
    'SELECT until, reason, since FROM destination_pauses WHERE destination = ?',
  );
  const waiting = database.prepare<[], { destination: string; waiting: number }>(
    `SELECT destination, COUNT(*) AS waiting FROM deliveries
     WHERE next_attempt_at IS NOT NULL OR state = 'sending' GROUP BY destination`,
  );
  return {
    claimNext: (request) => commit(() => claim(request), 'patient'),
    renewLease: (deliveryId, owner, leaseUntil) =>
      commit(() => void renew.run(leaseUntil, deliveryId, owner), 'patient'),
    finishAttempt: (report) => commit(() => finish(report), 'patient'),
    findAbandoned: (search) =>
      asPromise(() => abandoned.all({ ...search, onlyOwner: search.onlyOwner ? 1 : 0 }).map(toClaimed)),
    nextDueAt: (destination) => asPromise(() => nextDue.get(destination)?.due ?? undefined),
    findPause: (destination) => asPromise(() => pause.get(destination)),
    countWaiting: () => asPromise(() => waiting.all()),
    hasChangedElsewhere: () => asPromise(hasChanged),
  };
}

function changeDetector(database: Database): () => boolean {
  const commitsElsewhere = foreignCommits(database);
  let seen = commitsElsewhere();
  return () => {
    const before = seen;
    seen = commitsElsewhere();
    return seen !== before;
  };
}

function claimWork(database: Database) {
  // The order is found among ids alone: sorting whole requests would make a long queue slow. What was queued or
  // tried in a time still to come was so before the clock was set back, and must not wait until that time.
  const select = (order: string) =>
    database.prepare<{ destination: string; now: number }, ClaimRow>(
      `SELECT ${CLAIM_COLUMNS} FROM deliveries JOIN leads USING (lead_id) WHERE delivery_id =
         (SELECT delivery_id FROM deliveries INDEXED BY deliveries_in_order
          WHERE destination = @destination AND next_attempt_at IS NOT NULL
            AND (next_attempt_at <= @now OR COALESCE(last_attempt_at, queued_at) > @now)
          ORDER BY ${order} LIMIT 1)`,
    );
  const oldest = select('delivery_id');
  // A probe takes turns, or one lead that the CRM alone dislikes would keep the destination closed for all.
  const longestUntried = select('COALESCE(last_attempt_at, 0), delivery_id');
  const lease = database.prepare<[number, string, number, number]>(
    `UPDATE deliveries SET state = 'sending', next_attempt_at = NULL, lease_until = ?, lease_owner = ?,
       last_attempt_at = ? WHERE delivery_id = ?`,
  );
  return (request: ClaimRequest): ClaimedDelivery | undefined => {
    const row = (request.probing ? longestUntried : oldest).get({
      destination: request.destination,
      now: request.now,
    });
    if (row === undefined) return undefined;
    lease.run(request.leaseUntil, request.owner, request.now, row.delivery_id);
    return toClaimed({ ...row, last_attempt_at: request.now, lease_owner: request.owner });
  };
}

function finishWork(database: Database) {
  const insertAttempt = database.prepare(
    `INSERT INTO attempts (delivery_id, started_at, finished_at, stage, sent, verdict, reason, reference)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const settle = database.prepare(
    `UPDATE deliveries SET state = ?, next_attempt_at = ?, may_have_arrived = ?, reason = ?,
       reference = COALESCE(?, reference), attempts = attempts + 1, retries = retries + 1,
       lease_until = NULL, lease_owner = NULL, settled_at = ?, waits_for_pause = ?
     WHERE delivery_id = ? AND state = 'sending' AND lease_owner = ?`,
  );
  const pause = database.prepare(
    `INSERT INTO destination_pauses (destination, until, reason, since)
     SELECT destination, ?, ?, ? FROM deliveries WHERE delivery_id = ?
     ON CONFLICT (destination) DO UPDATE SET until = excluded.until, reason = excluded.reason`,
  );
  const lift = pauseLifting(database);
  return (report: AttemptReport): boolean => {
    const { deliveryId, attempt } = report;
    const { startedAt, finishedAt, stage, sent, verdict, reason, reference = null } = attempt;
    insertAttempt.run(deliveryId, startedAt, finishedAt, stage, sent, verdict, reason, reference);
    const settled = settle.run(
      report.state,
      report.nextAttemptAt ?? null,
      report.mayHaveArrived ? 1 : 0,
      reason,
      reference,
      SETTLED.includes(report.state) ? finishedAt : null,
      typeof report.pause === 'object' ? 1 : 0,
      deliveryId,
      report.owner,
    );
    if (report.pause === 'lift') lift.byAttempt(deliveryId, attempt);
    else if (report.pause !== undefined)
      pause.run(report.pause.until, report.pause.reason, finishedAt, deliveryId);
    return settled.changes === 1;
  };
}

function toClaimed(row: ClaimRow): ClaimedDelivery {
  return {
    deliveryId: row.delivery_id,
    destination: row.destination,
    lead: toStoredLead(row),
    queuedAt: row.queued_at,
    startedAt: row.last_attempt_at ?? row.queued_at,
    retries: row.retries,
    mayHaveArrived: row.may_have_arrived === 1,
    resentByHand: row.resent_by_hand === 1,
    owner: row.lease_owner ?? '',
  };
}
