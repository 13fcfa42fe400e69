import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { laterLeads } from '../../src/leads/store-later.ts';
import { settleRestoredLeads } from '../../src/leads/store-restore.ts';
import type { LeadStore } from '../../src/leads/lead-store.ts';
import { copyDatabase } from '../../src/runtime/backup/copy-database.ts';
import {
  answered,
  destination,
  HOUR,
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
const DESTINATIONS = ['asks', 'repeats'].map((id) => destination(id, mailCrm(SERVER)));
/** Only one of the destinations may be sent to again by itself. */
const mayRetry = (id: string): boolean => id === 'repeats';
const act = { who: 'test', reason: 'a test', now: NOON };

/** A store with two destinations, and copies of it at any time. */
function bench() {
  const folder = temporaryFolder();
  const file = join(folder, 'leads.db');
  const store = openStore(file);
  const desk = openDesk(store, { clock: setClock(), leads: leadsConfig({ destinations: DESTINATIONS }) });
  let copies = 0;
  return {
    file,
    store,
    submit: async (buyer: number, key?: string): Promise<string> => {
      const lead = { ...leadOf(buyer), ...(key !== undefined && { idempotency_key: key }) };
      return answered(await desk.submit(lead)).answer.lead_id;
    },
    deliver: (to: string) => deliver(store, to),
    copy: async (): Promise<string> => {
      copies += 1;
      const copy = join(folder, `copy-${copies}.db`);
      await copyDatabase(file, copy);
      return copy;
    },
  };
}

async function deliver(store: LeadStore, to: string): Promise<void> {
  const claim = { destination: to, now: NOON, owner: 'me', leaseUntil: NOON + 1000, probing: false };
  const claimed = await store.claimNext(claim);
  if (claimed === undefined) throw new Error('nothing is due');
  await store.finishAttempt({
    deliveryId: claimed.deliveryId,
    owner: 'me',
    attempt: {
      startedAt: NOON,
      finishedAt: NOON + 1,
      stage: 'content',
      sent: 'yes',
      verdict: 'delivered',
      reason: 'taken',
      reference: 'crm-1',
    },
    state: 'delivered',
    mayHaveArrived: false,
  });
}

const rules = (present: string) => ({ present, takenAt: NOON, now: NOON + HOUR, mayRetry });

async function statesIn(file: string, leadId: string): Promise<unknown[]> {
  const store = openStore(file);
  const trail = await store.find(leadId);
  return (trail?.deliveries ?? []).map(({ destination: to, state, nextAttemptAt, history }) => [
    to,
    state,
    nextAttemptAt,
    history.map(({ stage }) => stage),
  ]);
}

describe('restored leads', () => {
  it('that were under way at the backup are uncertain; the destination says whether they go out again', async () => {
    const { file, submit, deliver: deliverTo, copy } = bench();
    const delivered = await submit(1);
    await deliverTo('asks');
    await deliverTo('repeats');
    const waiting = await submit(2);
    const backup = await copy();
    const report = await settleRestoredLeads(backup, rules(`${file}.gone`));
    expect(report).toEqual({ carriedOver: 0, sentAgain: 1, held: 1, erasedAgain: 0 });
    expect(await statesIn(backup, delivered)).toEqual([
      ['asks', 'delivered', undefined, ['content']],
      ['repeats', 'delivered', undefined, ['content']],
    ]);
    expect(await statesIn(backup, waiting)).toEqual([
      ['asks', 'uncertain', undefined, ['restore']],
      ['repeats', 'uncertain', NOON + HOUR, ['restore']],
    ]);
    const claimed = await openStore(backup).claimNext({
      destination: 'repeats',
      now: NOON + HOUR,
      owner: 'me',
      leaseUntil: NOON + 2 * HOUR,
      probing: false,
    });
    expect(claimed).toMatchObject({ lead: { lead_id: waiting }, mayHaveArrived: true });
  });

  it('that went out since are not sent twice when the present database is sound', async () => {
    const { file, submit, deliver: deliverTo, copy } = bench();
    const leadId = await submit(1);
    const backup = await copy();
    await deliverTo('repeats');
    const report = await settleRestoredLeads(backup, rules(file));
    expect(report).toEqual({ carriedOver: 2, sentAgain: 0, held: 0, erasedAgain: 0 });
    expect(await statesIn(backup, leadId)).toEqual([
      ['asks', 'queued', NOON, []],
      ['repeats', 'delivered', undefined, ['content']],
    ]);
  });

  it('take nothing from a damaged database', async () => {
    const { file, submit, deliver: deliverTo, copy } = bench();
    await submit(1);
    const backup = await copy();
    await deliverTo('repeats');
    const damaged = await copy();
    const raw = new Database(damaged);
    raw.pragma('journal_mode = DELETE');
    raw.unsafeMode();
    raw.pragma('writable_schema = ON');
    raw.exec("UPDATE sqlite_master SET rootpage = 3 WHERE name = 'deliveries'");
    raw.close();
    expect(await settleRestoredLeads(backup, rules(damaged))).toMatchObject({ carriedOver: 0, sentAgain: 1 });
    expect(file).not.toBe(damaged);
  });

  it('take nothing from a database that was itself restored from an older backup', async () => {
    const { submit, deliver: deliverTo, copy } = bench();
    const leadId = await submit(1);
    const older = await copy();
    await deliverTo('repeats');
    const newer = await copy();
    await settleRestoredLeads(older, rules('/no/such/file'));
    const report = await settleRestoredLeads(newer, rules(older));
    expect(report).toMatchObject({ carriedOver: 0, sentAgain: 0, held: 1 });
    expect(await statesIn(newer, leadId)).toContainEqual(['repeats', 'delivered', undefined, ['content']]);
  });

  it('answer a known idempotency key as before', async () => {
    const { file, submit, copy } = bench();
    const leadId = await submit(1, 'key-1');
    const backup = await copy();
    await settleRestoredLeads(backup, rules(file));
    const store = openStore(backup);
    const desk = openDesk(store, { clock: setClock(), leads: leadsConfig({ destinations: DESTINATIONS }) });
    const again = answered(await desk.submit({ ...leadOf(1), idempotency_key: 'key-1' }));
    expect(again).toMatchObject({ answer: { lead_id: leadId }, replayed: true });
    expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: 1 });
  });

  it('forget again who was erased since', async () => {
    const { file, store, submit, deliver: deliverTo, copy } = bench();
    const leadId = await submit(1);
    await deliverTo('asks');
    await deliverTo('repeats');
    const backup = await copy();
    expect(await store.erase([leadId], act)).toEqual([leadId]);
    expect(await settleRestoredLeads(backup, rules(file))).toMatchObject({ erasedAgain: 1 });
    const trail = await openStore(backup).find(leadId);
    expect(trail?.lead.request.customer.first_name).toBe('[erased]');
  });
});

describe('what a restore would lose', () => {
  it('is named, lead by lead', async () => {
    const { file, submit, copy } = bench();
    await submit(1);
    const backup = await copy();
    const lost = [await submit(2), await submit(3)];
    expect(laterLeads(file, backup)).toEqual({
      isSound: true,
      missing: lost.map((lead_id) => ({ lead_id, received_at: NOON })),
    });
  });

  it('is not known where nothing can be read', async () => {
    const { submit, copy } = bench();
    await submit(1);
    const backup = await copy();
    const broken = join(temporaryFolder(), 'leads.db');
    writeFileSync(broken, 'no database '.repeat(1000));
    expect(laterLeads(broken, backup)).toBeUndefined();
    copyFileSync(backup, broken);
    expect(laterLeads(broken, backup)).toEqual({ isSound: true, missing: [] });
  });
});
