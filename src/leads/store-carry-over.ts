import type { Database } from 'better-sqlite3';
import { isSound, openLater } from './store-later.ts';

export interface CarriedOver {
  /** Ids of the deliveries whose later state is known now. */
  carried: Set<number>;
  /** Leads of the copy whose customer has been erased since. */
  erased: string[];
}

interface DeliveryRow {
  delivery_id: number;
  lead_id: string;
  destination: string;
}

const STATE_COLUMNS = [
  'state',
  'queued_at',
  'next_attempt_at',
  'last_attempt_at',
  'attempts',
  'retries',
  'may_have_arrived',
  'resent_by_hand',
  'lease_until',
  'lease_owner',
  'reference',
  'reason',
  'settled_at',
] as const;
const ATTEMPT_COLUMNS = 'started_at, finished_at, stage, sent, verdict, reason, reference';

/**
 * Takes over what has become of the deliveries of an older copy since it was made, from the database that it
 * replaces: states, attempts and erasures. Of a database that is damaged, of another line, or of a form that lacks
 * what is asked for, nothing is taken.
 */
export function carryOver(copy: Database, presentFile: string): CarriedOver {
  const present = openLater(presentFile);
  const nothing: CarriedOver = { carried: new Set(), erased: [] };
  if (present === undefined) return nothing;
  try {
    if (!isSound(present)) return nothing;
    const erased = erasedSince(copy, present);
    if (!isContinuation(copy, present)) return { ...nothing, erased };
    return { carried: copy.transaction(() => takeOver(copy, present)).immediate(), erased };
  } catch {
    return nothing;
  } finally {
    present.close();
  }
}

/**
 * Whether the present database has gone on from where the copy was made: it has the copy's last link of the consent
 * ledger and its last attempt. One that was itself restored from an older backup knows less than the copy.
 */
export function isContinuation(copy: Database, present: Database): boolean {
  return [
    'SELECT sequence, hash FROM consent_ledger ORDER BY sequence DESC LIMIT 1',
    'SELECT attempt_id, delivery_id, started_at, finished_at FROM attempts ORDER BY attempt_id DESC LIMIT 1',
  ].every((sql) => {
    const last = copy.prepare<[], Record<string, number | string>>(sql).get();
    if (last === undefined) return true;
    const [table = ''] = /(?<=FROM )\w+/.exec(sql) ?? [];
    const same = Object.keys(last).map((name) => `${name} = @${name}`);
    return present.prepare(`SELECT 1 FROM ${table} WHERE ${same.join(' AND ')}`).get(last) !== undefined;
  });
}

function takeOver(copy: Database, present: Database): Set<number> {
  const columns = STATE_COLUMNS.join(', ');
  const later = present.prepare<[number, string, string], Record<string, unknown>>(
    `SELECT ${columns} FROM deliveries WHERE delivery_id = ? AND lead_id = ? AND destination = ?`,
  );
  const update = copy.prepare(
    `UPDATE deliveries SET ${STATE_COLUMNS.map((name) => `${name} = @${name}`).join(', ')}
     WHERE delivery_id = @delivery_id`,
  );
  const takeAttempts = attemptCopier(copy, present);
  const carried = new Set<number>();
  const deliveries = copy
    .prepare<[], DeliveryRow>('SELECT delivery_id, lead_id, destination FROM deliveries')
    .all();
  for (const { delivery_id, lead_id, destination } of deliveries) {
    const state = later.get(delivery_id, lead_id, destination);
    if (state === undefined) continue;
    update.run({ ...state, delivery_id });
    takeAttempts(delivery_id);
    carried.add(delivery_id);
  }
  return carried;
}

function attemptCopier(copy: Database, present: Database): (deliveryId: number) => void {
  const known = copy.prepare<[number], { attempts: number }>(
    'SELECT COUNT(*) AS attempts FROM attempts WHERE delivery_id = ?',
  );
  const later = present.prepare<[number, number], Record<string, unknown>>(
    `SELECT delivery_id, ${ATTEMPT_COLUMNS} FROM attempts WHERE delivery_id = ? ORDER BY attempt_id LIMIT -1 OFFSET ?`,
  );
  const insert = copy.prepare(
    `INSERT INTO attempts (delivery_id, ${ATTEMPT_COLUMNS})
     VALUES (@delivery_id, ${ATTEMPT_COLUMNS.replaceAll(/\w+/g, '@$&')})`,
  );
  return (deliveryId) => {
    const attempts = known.get(deliveryId)?.attempts ?? 0;
    for (const attempt of later.all(deliveryId, attempts)) insert.run(attempt);
  };
}

function erasedSince(copy: Database, present: Database): string[] {
  const isWhole = copy.prepare('SELECT 1 FROM leads WHERE lead_id = ? AND erased_at IS NULL');
  return present
    .prepare<[], { lead_id: string }>('SELECT lead_id FROM leads WHERE erased_at IS NOT NULL')
    .all()
    .map(({ lead_id }) => lead_id)
    .filter((leadId) => isWhole.get(leadId) !== undefined);
}
