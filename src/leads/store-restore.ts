import type { Database } from 'better-sqlite3';
import type { LeadStore } from './lead-store.ts';
import { openLeadDatabase } from './store-database.ts';
import { carryOver } from './store-carry-over.ts';
import { retentionOperations } from './store-retention.ts';

export interface RestoreRules {
  /** leads.db as it was until now; the word of a sound one counts. */
  present: string;
  /** When the copy was made, and now: ms since 1970. */
  takenAt: number;
  now: number;
  /** Whether a delivery that may have arrived is sent again by itself (`on_uncertain: retry`). */
  mayRetry: (destination: string) => boolean;
}

export interface RestoreReport {
  /** Deliveries whose later state the present database told. */
  carriedOver: number;
  /** Deliveries of which nobody knows whether they went out since: sent again, marked as repeats. */
  sentAgain: number;
  /** The same, left to a person. */
  held: number;
  /** Customers that had been erased since, and are erased again. */
  erasedAgain: number;
}

/**
 * Makes an older copy of leads.db fit to go on with: none lost, none doubled without need. What has become of its
 * deliveries since is taken from the present database where that is sound. Of the others that were not at their end
 * nobody knows whether they went out after the copy was made: they become `uncertain`, and the destination's rule for
 * that decides. What was delivered stays delivered, and an idempotency key still finds its answer.
 */
export async function settleRestoredLeads(file: string, rules: RestoreRules): Promise<RestoreReport> {
  const database = openLeadDatabase(file);
  try {
    const { carried, erased } = carryOver(database, rules.present);
    const doubtful = database.transaction(() => doubtOpenDeliveries(database, carried, rules)).immediate();
    const erasedAgain = await eraseAgain(retentionOperations(database), erased, rules.now);
    return { carriedOver: carried.size, erasedAgain, ...doubtful };
  } finally {
    database.close();
  }
}

interface OpenDelivery {
  delivery_id: number;
  destination: string;
  next_attempt_at: number | null;
}

function doubtOpenDeliveries(
  database: Database,
  carried: ReadonlySet<number>,
  { takenAt, now, mayRetry }: RestoreRules,
): Pick<RestoreReport, 'sentAgain' | 'held'> {
  const open = database
    .prepare<[], OpenDelivery>(
      `SELECT delivery_id, destination, next_attempt_at FROM deliveries
       WHERE state IN ('queued', 'sending') OR (state = 'uncertain' AND next_attempt_at IS NOT NULL)`,
    )
    .all()
    .filter(({ delivery_id }) => !carried.has(delivery_id));
  const doubt = database.prepare<{ id: number; next: number | null; reason: string }>(
    `UPDATE deliveries SET state = 'uncertain', may_have_arrived = 1, next_attempt_at = @next, reason = @reason,
       lease_until = NULL, lease_owner = NULL, attempts = attempts + 1 WHERE delivery_id = @id`,
  );
  const record = database.prepare<[number, number, number, string]>(
    `INSERT INTO attempts (delivery_id, started_at, finished_at, stage, sent, verdict, reason)
     VALUES (?, ?, ?, 'restore', 'maybe', 'uncertain', ?)`,
  );
  const reason = `restored from a backup of ${new Date(takenAt).toISOString()}: it may have been sent since`;
  let sentAgain = 0;
  for (const { delivery_id: id, destination, next_attempt_at: waits } of open) {
    const next = mayRetry(destination) ? Math.max(waits ?? now, now) : null;
    if (next !== null) sentAgain += 1;
    doubt.run({ id, next, reason });
    record.run(id, takenAt, now, reason);
  }
  return { sentAgain, held: open.length - sentAgain };
}

/** Who asked to be forgotten must not come back with an old copy. */
async function eraseAgain(
  { erase }: Pick<LeadStore, 'erase'>,
  leadIds: readonly string[],
  now: number,
): Promise<number> {
  const act = { who: 'dealer-bridge', reason: 'erased before the restore of an older backup', now };
  return (await erase(leadIds, act)).length;
}
