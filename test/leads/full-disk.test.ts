import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { groupCommit } from '../../src/leads/group-commit.ts';
import { openLogOnDisk } from '../../src/leads/log-on-disk.ts';
import { acceptingOperations } from '../../src/leads/store-accepting.ts';
import { openLeadDatabase } from '../../src/leads/store-database.ts';
import type { LeadStore } from '../../src/leads/lead-store.ts';
import { openLiveAgent } from '../web/live-agent.ts';
import {
  autoRule,
  answered,
  destination,
  fileCrm,
  leadOf,
  leadsConfig,
  openDesk,
  openStore,
  temporaryFolder,
} from './lead-harness.ts';

const leads = leadsConfig({
  destinations: [destination('folder', fileCrm('out'))],
  appointments: { holidays: [], rules: [autoRule()] },
});
const APPOINTMENT = { appointment_type: 'test_drive' as const, appointment_at: '2026-12-03T17:00:00Z' };

const TABLES = [
  'leads',
  'consent_ledger',
  'consent_records',
  'repeat_keys',
  'idempotency',
  'deliveries',
  'appointments',
];

/** A store whose leads.db may not grow beyond what it has, until it is told so. */
function storeWithQuota() {
  const file = join(temporaryFolder(), 'leads.db');
  const store = openStore(file);
  const database = openLeadDatabase(file);
  onTestFinished(() => void database.close());
  const log = openLogOnDisk(database);
  onTestFinished(() => log.close());
  const limited: LeadStore = { ...store, ...acceptingOperations(database, groupCommit(database, log)) };
  // Tables of earlier forms have left pages that are free.
  database.exec('VACUUM');
  const pages = Number(database.pragma('page_count', { simple: true }));
  return {
    store: limited,
    allow: (more: number) => void database.pragma(`max_page_count = ${pages + more}`),
    counts: () => TABLES.map((table) => database.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get()),
  };
}

it('a disk that is full is told as a passing fault of ours, stores no half, and is forgotten once there is room', async () => {
  const { store, allow, counts } = storeWithQuota();
  const desk = openDesk(store, { leads });
  const agent = await openLiveAgent({ submit: (request) => desk.submit(request) });
  onTestFinished(() => agent.close());
  const request = {
    ...leadOf(1),
    appointment: APPOINTMENT,
    message: 'long '.repeat(800),
    idempotency_key: 'while-full',
  };

  allow(0);
  for (const _ of [1, 2]) {
    const { status, json } = await agent.send(request);
    expect(status).toBe(200);
    expect(json.error.code).toBe(-32603);
    expect(json.error.data).toMatchObject({ code: 'INTERNAL_ERROR', retryable: true });
    expect(JSON.stringify(json)).not.toMatch(/sqlite|disk|full/i);
    expect(counts()).toEqual([0, 0, 0, 0, 0, 0, 0]);
  }

  allow(1000);
  const { json } = await agent.send(request);
  expect(json.result.message.parts[0].data.data).toMatchObject({
    status: 'received',
    appointment: { status: 'confirmed' },
  });
  // One of the e-mail address.
  expect(counts()).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

it('a lead that is too large for what is left does not take the small ones with it', async () => {
  const { store, allow, counts } = storeWithQuota();
  const desk = openDesk(store, { leads });
  allow(4);
  const outcomes = await Promise.allSettled([
    desk.submit(leadOf(1)),
    desk.submit({ ...leadOf(2), message: 'x'.repeat(100_000) }),
    desk.submit(leadOf(3)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(counts().slice(0, 2)).toEqual([2, 2]);
  expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: 2 });
});

/** A file system of two megabytes, where the account may mount one. */
function smallDisk(): string | undefined {
  const folder = join(temporaryFolder(), 'disk');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

it('on a disk that is really full every acknowledged lead is there, and the rest come in when there is room', async ({
  skip,
}) => {
  const disk = smallDisk();
  if (disk === undefined) return skip('this account may not mount a file system');
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(1_200_000));
  const store = openStore(join(disk, 'leads.db'));
  const desk = openDesk(store, { leads });
  const request = (buyer: number) => ({ ...leadOf(buyer), message: 'long '.repeat(800) });
  const acknowledged: string[] = [];
  let refused = 0;
  for (let buyer = 0; refused < 3; buyer += 1) {
    try {
      acknowledged.push(answered(await desk.submit(request(buyer))).answer.lead_id);
    } catch {
      refused += 1;
    }
  }
  expect(acknowledged.length).toBeGreaterThan(5);
  expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: acknowledged.length });

  rmSync(ballast);
  acknowledged.push(answered(await desk.submit(request(100_000))).answer.lead_id);
  const stored = (await store.list({ limit: 10_000 })).map(({ lead_id }) => lead_id);
  expect(stored.sort()).toEqual(acknowledged.sort());
  expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: acknowledged.length });
});
