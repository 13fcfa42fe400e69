import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { LEAD_MIGRATIONS } from '../../src/leads/store-schema.ts';
import { adoptLaterLeads } from '../../src/leads/store-adopt-later.ts';
import { settleRestoredLeads } from '../../src/leads/store-restore.ts';
import { copyDatabase } from '../../src/runtime/backup/copy-database.ts';
import {
  answered,
  destination,
  leadOf,
  leadsConfig,
  mailCrm,
  NOON,
  openDesk,
  openStore,
  setClock,
  temporaryFolder,
} from '../leads/lead-harness.ts';

const SERVER = { host: '127.0.0.1', port: 9, security: 'none', timeoutMs: 1000 } as const;

/** leads.db with a lead that a backup has, and two that came after it, one of them delivered and erased. */
async function bench() {
  const folder = temporaryFolder();
  const file = join(folder, 'leads.db');
  const copy = join(folder, 'copy.db');
  const store = openStore(file);
  const leads = leadsConfig({ destinations: [destination('crm', mailCrm(SERVER))] });
  const desk = openDesk(store, { clock: setClock(), leads });
  const submit = async (buyer: number): Promise<string> =>
    answered(await desk.submit({ ...leadOf(buyer), idempotency_key: `key-${buyer}` })).answer.lead_id;
  const deliver = async (): Promise<void> => {
    const claim = { destination: 'crm', now: NOON, owner: 'me', leaseUntil: NOON + 1000, probing: false };
    const { deliveryId } = (await store.claimNext(claim))!;
    const attempt = {
      startedAt: NOON,
      finishedAt: NOON,
      stage: 'answer',
      sent: 'yes',
      verdict: 'delivered',
    } as const;
    await store.finishAttempt({
      deliveryId,
      owner: 'me',
      attempt: { ...attempt, reason: '250 taken' },
      state: 'delivered',
    } as Parameters<typeof store.finishAttempt>[0]);
  };
  const ids = [await submit(1)];
  await copyDatabase(file, copy);
  ids.push(await submit(2));
  await deliver();
  await deliver();
  ids.push(await submit(3));
  await store.erase([ids[1]!], { who: 'test', reason: 'a test', now: NOON });
  return { file, copy, ids, submit };
}

/** As a newer program would leave the file. */
function change(file: string, sql: string): void {
  const database = new Database(file);
  database.pragma('foreign_keys = OFF');
  database.exec(sql);
  database.pragma(`user_version = ${LEAD_MIGRATIONS.length + 1}`);
  database.close();
}

function rows(file: string, sql: string): unknown[] {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare(sql).raw().all();
  } finally {
    database.close();
  }
}

it('takes over what came after the copy, from a form that has only added', async () => {
  const { file, copy, ids } = await bench();
  change(
    file,
    "ALTER TABLE leads ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'; CREATE TABLE another (a TEXT);",
  );
  expect(await adoptLaterLeads(copy, file)).toEqual({ ok: true, leads: 2 });
  const rules = { present: file, takenAt: NOON, now: NOON, mayRetry: () => true };
  expect(await settleRestoredLeads(copy, rules)).toEqual({
    carriedOver: 3,
    sentAgain: 0,
    held: 0,
    erasedAgain: 0,
  });
  const known = 'SELECT lead_id, state FROM leads JOIN deliveries USING (lead_id) ORDER BY leads.rowid';
  expect(rows(copy, known)).toEqual(rows(file, known));
  expect(rows(copy, known).slice(0, 2)).toEqual([
    [ids[0], 'delivered'],
    [ids[1], 'delivered'],
  ]);
  for (const table of [
    'attempts',
    'consent_ledger',
    'consent_records',
    'idempotency',
    'repeat_keys',
    'operations',
  ]) {
    const all = `SELECT * FROM ${table} ORDER BY 1, 2`;
    expect(rows(copy, all)).toEqual(rows(file, all));
  }
  const store = openStore(copy);
  expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: 3, erased: 1 });
});

it.each([
  ['has no table that this form needs', 'DROP TABLE consent_records;'],
  ['has no column that this form needs', 'ALTER TABLE idempotency DROP COLUMN payload_hash;'],
  [
    'has links of another kind',
    "DROP TRIGGER consent_ledger_never_changes; UPDATE consent_ledger SET hash = hash || 'x' WHERE sequence = 3;",
  ],
])('takes nothing from a form that %s', async (_what, sql) => {
  const { file, copy, ids } = await bench();
  change(file, sql);
  expect(await adoptLaterLeads(copy, file)).toMatchObject({ ok: false });
  expect(rows(copy, 'SELECT lead_id FROM leads')).toEqual([[ids[0]]]);
  expect(rows(copy, 'SELECT COUNT(*) FROM consent_ledger')).toEqual([[1]]);
});

it('takes nothing from a database that has not gone on from the copy', async () => {
  const [one, other] = [await bench(), await bench()];
  expect(await adoptLaterLeads(one.copy, other.file)).toEqual({
    ok: false,
    reason: 'the later database has not gone on from the backup',
  });
});
