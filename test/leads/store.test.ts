import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openLeadDatabase } from '../../src/leads/store-database.ts';
import { openLeadStore } from '../../src/leads/store.ts';
import {
  destination,
  fileCrm,
  HOUR,
  leadOf,
  leadsConfig,
  NOON,
  openDesk,
  openStore,
  temporaryFolder,
} from './lead-harness.ts';

it('commits with a write-ahead log and a full sync', () => {
  const database = openLeadDatabase(join(temporaryFolder(), 'leads.db'));
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(database.pragma('synchronous', { simple: true })).toBe(2);
  database.close();
});

it.skipIf(process.platform === 'win32')('is readable for its own account only', () => {
  const file = join(temporaryFolder(), 'data', 'leads.db');
  openStore(file);
  for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o077).toBe(0);
});

it('refuses a database of a newer bridge and leaves it as it is', () => {
  const file = join(temporaryFolder(), 'leads.db');
  const newer = new Database(file);
  newer.pragma('user_version = 999');
  newer.close();
  expect(() => openLeadStore(file)).toThrow('written by a newer dealer-bridge');
  const after = new Database(file);
  expect(after.pragma('user_version', { simple: true })).toBe(999);
  expect(after.prepare('SELECT COUNT(*) AS tables FROM sqlite_master').get()).toEqual({ tables: 0 });
  after.close();
});

it('refuses a file that is no database', () => {
  const file = join(temporaryFolder(), 'leads.db');
  writeFileSync(file, 'these are not the leads '.repeat(100));
  expect(() => openLeadStore(file)).toThrow(
    `${file} is damaged or no database of the bridge. It holds the leads`,
  );
});

it('does not answer when the lead could not be stored, and stores no half of it', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const store = openStore(file);
  const raw = new Database(file);
  raw.exec("CREATE TRIGGER full BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  const leads = leadsConfig({ destinations: [destination('file', fileCrm('out'))] });
  await expect(openDesk(store, { leads }).submit(leadOf(1))).rejects.toThrow('disk full');
  const count = (table: string) => raw.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get();
  for (const table of ['leads', 'consent_ledger', 'consent_records', 'repeat_keys', 'deliveries'])
    expect(count(table)).toEqual({ n: 0 });
  raw.exec('DROP TRIGGER full');
  raw.close();
  expect((await openDesk(store, { leads }).submit(leadOf(1))).kind).toBe('answered');
});

it('lists newest first, by state, and so many', async () => {
  const store = openStore();
  const destinations = [destination('file', fileCrm('out'))];
  for (const [index, time] of [NOON, NOON + 2, NOON + 1].entries()) {
    const desk = openDesk(store, { leads: leadsConfig({ destinations }), clock: { now: () => time } });
    await desk.submit(leadOf(index));
  }
  const names = (leads: Awaited<ReturnType<typeof store.list>>) =>
    leads.map(({ customer }) => customer.last_name);
  expect(names(await store.list({ limit: 10 }))).toEqual(['Number1', 'Number2', 'Number0']);
  expect(names(await store.list({ limit: 1 }))).toEqual(['Number1']);
  expect(names(await store.list({ limit: 10, state: 'queued' }))).toHaveLength(3);
  expect(names(await store.list({ limit: 10, state: 'dead' }))).toEqual([]);
});

it('gives one delivery to one claimer only, and lets only that one finish it', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const [one, two] = [openStore(file), openStore(file)];
  await openDesk(one, { leads: leadsConfig({ destinations: [destination('file', fileCrm('out'))] }) }).submit(
    leadOf(1),
  );
  const request = { destination: 'file', now: NOON, leaseUntil: NOON + 1000, probing: false };
  const claims = await Promise.all([
    one.claimNext({ ...request, owner: 'one' }),
    two.claimNext({ ...request, owner: 'two' }),
  ]);
  expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  const { deliveryId, lead } = claims[0]!;
  expect(
    await two.findAbandoned({ destination: 'file', owner: 'two', now: NOON + 999, onlyOwner: false }),
  ).toEqual([]);
  expect(await two.resend(lead.lead_id, ['file'], { who: 'the test', reason: 'because', now: NOON })).toEqual(
    [{ destination: 'file', outcome: 'sending' }],
  );
  await one.renewLease(deliveryId, 'one', NOON + 5000);
  expect(
    await two.findAbandoned({ destination: 'file', owner: 'two', now: NOON + 1000, onlyOwner: false }),
  ).toEqual([]);
  expect(
    await two.findAbandoned({ destination: 'file', owner: 'two', now: NOON + 5000, onlyOwner: false }),
  ).toHaveLength(1);
  const attempt = {
    startedAt: NOON,
    finishedAt: NOON,
    stage: 'file',
    sent: 'yes',
    verdict: 'delivered',
    reason: '',
  } as const;
  const report = { deliveryId, attempt, state: 'delivered', mayHaveArrived: false } as const;
  expect(await two.finishAttempt({ ...report, owner: 'two' })).toBe(false);
  expect(await one.finishAttempt({ ...report, owner: 'one' })).toBe(true);
  expect(await one.claimNext({ ...request, owner: 'one' })).toBeUndefined();
});

it('lets no lead wait for a time that only a wrong clock has told', async () => {
  const store = openStore();
  const leads = leadsConfig({ destinations: [destination('file', fileCrm('out'))] });
  const yearAhead = NOON + 365 * 24 * HOUR;
  await openDesk(store, { leads, clock: { now: () => yearAhead } }).submit(leadOf(1));
  const request = { destination: 'file', owner: 'one', leaseUntil: yearAhead + 1000, probing: false };
  expect(await store.claimNext({ ...request, now: yearAhead - 1 })).toBeDefined();
  expect(
    await store.findAbandoned({ destination: 'file', owner: 'two', now: yearAhead - 1, onlyOwner: false }),
  ).toEqual([]);
  expect(
    await store.findAbandoned({ destination: 'file', owner: 'two', now: NOON, onlyOwner: false }),
  ).toHaveLength(1);
});

it('has every acknowledged lead whole after kill -9 at any instant', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const acknowledged: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    acknowledged.push(...(await submitUntilKilled(file, round, 20 + 13 * round)));
  }
  const store = openStore(file);
  expect(acknowledged.length).toBeGreaterThan(200);
  for (const leadId of acknowledged) {
    const trail = await store.find(leadId);
    expect(trail?.consents).toHaveLength(1);
    expect(trail?.deliveries.map(({ state }) => state)).toEqual(['queued']);
  }
});

/** Runs a process that takes leads, kills it after so many were acknowledged, and returns all it acknowledged. */
async function submitUntilKilled(file: string, round: number, enough: number): Promise<string[]> {
  const script = fileURLToPath(new URL('./submitting-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, file, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
    if (printed.split('\n').length > enough) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return printed.split('\n').filter((line) => /^lead_\S{36}$/.test(line));
}
