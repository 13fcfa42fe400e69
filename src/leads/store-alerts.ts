import type { Database } from 'better-sqlite3';
import type { Alert, AlertMemory } from '../model/alert.ts';
import { asPromise } from './as-promise.ts';
import type { EndedDelivery, OverdueLeads } from './delivery-records.ts';
import type { LeadStore } from './lead-store.ts';

/** Refused deliveries stay for good: only so many of the newest are looked at. */
const LOOKED_AT = 1000;

/** What alerts are made of, and what was told of them. */
export function alertOperations(
  database: Database,
): Pick<LeadStore, 'findOverdue' | 'findDead' | 'findRejected' | 'alerts'> {
  const overdue = database.prepare<[number], OverdueLeads>(
    // The columns beside MIN are those of its row: a promise of SQLite.
    `SELECT destination, COUNT(*) AS waiting, lead_id AS oldestLeadId, MIN(queued_at) AS oldestQueuedAt
     FROM deliveries WHERE state IN ('queued', 'sending', 'uncertain') AND queued_at <= ?
     GROUP BY destination ORDER BY destination`,
  );
  const dead = database.prepare<[number], EndedDelivery>(
    `SELECT delivery_id AS deliveryId, lead_id, destination, COALESCE(reason, '') AS reason
     FROM deliveries WHERE state = 'dead' ORDER BY delivery_id DESC LIMIT ?`,
  );
  const rejected = database.prepare<{ since: number; limit: number }, EndedDelivery>(
    `SELECT delivery_id AS deliveryId, lead_id, destination, COALESCE(reason, '') AS reason
     FROM (SELECT * FROM deliveries WHERE state = 'rejected' ORDER BY delivery_id DESC LIMIT ${LOOKED_AT}) AS newest
     WHERE settled_at > @since
       AND NOT EXISTS (SELECT 1 FROM leads WHERE leads.lead_id = newest.lead_id AND erased_at IS NOT NULL)
     ORDER BY delivery_id DESC LIMIT @limit`,
  );
  return {
    findOverdue: (queuedBefore) => asPromise(() => overdue.all(queuedBefore)),
    findDead: (limit) => asPromise(() => dead.all(limit)),
    findRejected: (since, limit) => asPromise(() => rejected.all({ since, limit })),
    alerts: alertMemory(database),
  };
}

function alertMemory(database: Database): AlertMemory {
  const select = database.prepare<[string], Pick<Alert, 'key' | 'text'>>(
    'SELECT key, text FROM told_alerts WHERE channel = ? ORDER BY told_at, key',
  );
  const insert = database.prepare(
    'INSERT OR REPLACE INTO told_alerts (channel, key, text, told_at) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM told_alerts WHERE channel = ? AND key = ?');
  const keep = database.transaction((...[channel, change]: Parameters<AlertMemory['keep']>) => {
    for (const { key, text } of change.raised) insert.run(channel, key, text, change.now);
    for (const key of change.resolved) remove.run(channel, key);
  });
  return {
    told: (channel) => asPromise(() => select.all(channel)),
    keep: (channel, change) => asPromise(() => keep.immediate(channel, change)),
  };
}
