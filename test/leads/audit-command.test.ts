import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { leadsDatabaseFile } from '../../src/leads/store.ts';
import { runCommand } from '../cli/run-command.ts';
import {
  answered,
  destination,
  fileCrm,
  leadOf,
  leadsConfig,
  NOON,
  openDesk,
  openStore,
  temporaryFolder,
} from './lead-harness.ts';

/** A data folder with two leads for the demo's settings, which name the destination. */
async function dataWithLeads() {
  const data = temporaryFolder();
  const store = openStore(leadsDatabaseFile(data));
  const leads = leadsConfig({ destinations: [destination('demo-crm', fileCrm('out'))] });
  const ids: string[] = [];
  for (const buyer of [1, 2]) {
    ids.push(answered(await openDesk(store, { leads }).submit(leadOf(buyer))).answer.lead_id);
  }
  const audit = (...words: string[]) => runCommand(['leads', 'audit', ...words, '--data', data]);
  return { data, store, ids, audit };
}

it('says that the ledger is whole and what to keep of it', async () => {
  const { audit, store } = await dataWithLeads();
  const ledger = await store.auditConsents();
  const { code, out } = await audit();
  expect(code).toBe(0);
  expect(out).toContain('The consent ledger is whole: 2 records, 0 of them with their text erased.');
  expect(out).toContain(`Last record 2: ${ledger.kind === 'whole' ? ledger.head : ''}`);
});

it('names the first record that was changed and ends with 1', async () => {
  const { audit, data, ids } = await dataWithLeads();
  const raw = new Database(leadsDatabaseFile(data));
  raw.exec(
    'DROP TRIGGER consent_ledger_never_changes; UPDATE consent_ledger SET recorded_at = 7 WHERE sequence = 1',
  );
  raw.close();
  const { code, out } = await audit();
  expect(code).toBe(1);
  expect(out).toBe(
    `The consent ledger is broken at record 1 (lead ${ids[0]}): it has been changed after it was written.\n`,
  );
});

it('writes one lead whole into a file of its owner: request, consent, ADF, attempts, receipt, acts', async () => {
  const { audit, data, store, ids } = await dataWithLeads();
  const [leadId = ''] = ids;
  const claimed = await store.claimNext({
    destination: 'demo-crm',
    now: NOON,
    owner: 'me',
    leaseUntil: NOON,
    probing: false,
  });
  await store.finishAttempt({
    deliveryId: claimed!.deliveryId,
    owner: 'me',
    state: 'delivered',
    mayHaveArrived: true,
    attempt: {
      startedAt: NOON,
      finishedAt: NOON + 1000,
      stage: 'file',
      sent: 'yes',
      verdict: 'delivered',
      reason: 'written',
      reference: 'crm-42',
    },
  });
  await store.resend(leadId, ['demo-crm'], { who: 'ann', reason: 'the CRM lost it', now: NOON + 2000 });
  const file = join(data, 'lead.json');
  const { code, out } = await audit('--lead', leadId, '--out', file);
  expect(code).toBe(0);
  expect(out).toContain(`Lead ${leadId} is written to ${file}.`);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);

  const exported = JSON.parse(readFileSync(file, 'utf8')) as Record<string, never>;
  expect(exported).toMatchObject({
    lead: { lead_id: leadId, received_at: '2026-11-30T12:00:00Z', request: leadOf(1) },
    reply: { answer: { lead_id: leadId, status: 'received' } },
    consents: [{ sequence: 1, occasion: 'lead', record: { consent: leadOf(1).consent } }],
    deliveries: [
      {
        destination: 'demo-crm',
        state: 'queued',
        attempts: [{ startedAt: '2026-11-30T12:00:00Z', verdict: 'delivered', reference: 'crm-42' }],
        built: { kind: 'file', content: expect.stringContaining('<name part="first"') },
      },
    ],
    operations: [{ kind: 'resend', destination: 'demo-crm', who: 'ann', reason: 'the CRM lost it' }],
    ledger: { kind: 'whole', records: 2 },
  });
});

it('prints JSON alone without a file, and refuses a lead that is not there', async () => {
  const { audit, ids, data } = await dataWithLeads();
  const printed = await audit('--lead', ids[1] ?? '');
  expect(JSON.parse(printed.out)).toMatchObject({ lead: { lead_id: ids[1] } });
  expect(await audit('--lead', 'lead_none', '--out', join(data, 'none.json'))).toMatchObject({ code: 1 });
  expect(existsSync(join(data, 'none.json'))).toBe(false);
  expect((await audit('--out', 'x.json')).code).toBe(2);
});
