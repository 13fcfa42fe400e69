import type { Database } from 'better-sqlite3';
import { isContinuation } from './store-carry-over.ts';
import { auditOperations } from './store-ledger.ts';
import { openLeadDatabase } from './store-database.ts';
import { isSound, openLater } from './store-later.ts';

/** Rows of these are taken by their primary key, parents first. */
const ADOPTED = [
  'leads',
  'consent_ledger',
  'consent_records',
  'idempotency',
  'repeat_keys',
  'deliveries',
  'attempts',
  'operations',
] as const;
/** A visit that was known may have been called off since. */
const REPLACED = ['appointments'] as const;

/** `reason` in words, without a full stop: why nothing was taken over. */
export type Adoption = { ok: true; leads: number } | { ok: false; reason: string };

/**
 * Takes over the leads that came after an older copy of leads.db was made, with their consents, visits, deliveries and
 * attempts, from the database that a newer program has gone on with: all of them or none. Only columns that both forms
 * have are taken, so this works as long as a newer form has only added; one that has changed what this form needs is
 * told, and leaves the copy as it was. Afterwards the consent ledger of the copy must hold, link by link.
 */
export async function adoptLaterLeads(copyFile: string, presentFile: string): Promise<Adoption> {
  const present = openLater(presentFile);
  if (present === undefined) return { ok: false, reason: 'the later database cannot be opened' };
  const copy = openLeadDatabase(copyFile);
  try {
    if (!isSound(present)) return { ok: false, reason: 'the later database is damaged' };
    copy.exec('BEGIN IMMEDIATE');
    try {
      if (!isContinuation(copy, present))
        throw new Error('the later database has not gone on from the backup');
      const leads = adopt(copy, present);
      const ledger = await auditOperations(copy).auditConsents();
      if (ledger.kind === 'broken') throw new Error(`the consent ledger would break: ${ledger.fault}`);
      copy.exec('COMMIT');
      return { ok: true, leads };
    } catch (fault) {
      copy.exec('ROLLBACK');
      return { ok: false, reason: fault instanceof Error ? fault.message : String(fault) };
    }
  } finally {
    copy.close();
    present.close();
  }
}

/** Answers how many leads came. */
function adopt(copy: Database, present: Database): number {
  const counts = ADOPTED.map((table) => takeRows(copy, present, { table, conflict: 'NOTHING' }));
  for (const table of REPLACED) takeRows(copy, present, { table, conflict: 'REPLACE' });
  return counts[0] ?? 0;
}

function takeRows(
  copy: Database,
  present: Database,
  { table, conflict }: { table: string; conflict: 'NOTHING' | 'REPLACE' },
): number {
  const known = new Set(columnsOf(present, table).map(({ name }) => name));
  const columns = columnsOf(copy, table).filter(({ name }) => known.has(name));
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const names = columns.map(({ name }) => name);
  // Only a row that is there by its key is passed over: any other contradiction ends the whole.
  const onConflict =
    conflict === 'NOTHING'
      ? 'NOTHING'
      : `UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
  const insert = copy.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})
     ON CONFLICT (${keys.join(', ')}) DO ${onConflict}`,
  );
  const rows = present.prepare<[], Record<string, unknown>>(`SELECT ${names.join(', ')} FROM ${table}`);
  let taken = 0;
  for (const row of rows.iterate()) taken += insert.run(row).changes;
  return taken;
}

function columnsOf(database: Database, table: string): { name: string; pk: number }[] {
  return database
    .prepare<[string], { name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)')
    .all(table);
}
