import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AttemptReport } from '../../src/leads/lead-store.ts';
import { leadsDatabaseFile } from '../../src/leads/store.ts';
import { runBridge } from '../cli/bridge-command.ts';
import { runCommand } from '../cli/run-command.ts';
import {
  answered,
  destination,
  fileCrm,
  leadRequest,
  leadsConfig,
  NOON,
  openDesk,
  openStore,
  temporaryFolder,
} from './lead-harness.ts';

/** A data folder with one lead that was tried once; the demo's settings name the destination. */
async function dataWithLead() {
  const data = temporaryFolder();
  const store = openStore(leadsDatabaseFile(data));
  const destinations = [destination('demo-crm', fileCrm('out'))];
  const { answer } = answered(
    await openDesk(store, { leads: leadsConfig({ destinations }) }).submit(leadRequest()),
  );
  const claimed = await store.claimNext({
    destination: 'demo-crm',
    now: NOON,
    owner: 'me',
    leaseUntil: NOON,
    probing: false,
  });
  const finish = (over: Partial<AttemptReport> = { state: 'dead' }) =>
    store.finishAttempt({
      deliveryId: claimed!.deliveryId,
      owner: 'me',
      state: 'dead',
      mayHaveArrived: false,
      attempt: {
        startedAt: NOON,
        finishedAt: NOON,
        stage: 'http',
        sent: 'yes',
        verdict: 'retry',
        reason: 'status 503',
        reference: 'crm-42',
      },
      ...over,
    });
  const leads = (...words: string[]) => runCommand(['leads', ...words, '--data', data]);
  return { store, data, leadId: answer.lead_id, finish, leads };
}

it('lists leads without a name, unless asked, while another process has the database open', async () => {
  const { leadId, data, leads, finish } = await dataWithLead();
  await finish();
  const line = `${leadId}  2026-11-30T12:00:00Z  CRA02`;
  expect(await runBridge(['leads', 'list', '--data', data])).toEqual({
    code: 0,
    out: `${line}  demo-crm: dead\n`,
    err: '',
  });
  expect((await leads('list', '--names')).out).toBe(`${line}  Ada Lovelace  demo-crm: dead\n`);
  expect((await leads('list', '--state', 'queued')).out).toBe('No leads.\n');
  const [entry] = JSON.parse((await leads('list', '--json')).out);
  expect(entry).toMatchObject({ lead_id: leadId, rooftop_id: 'CRA02', deliveries: [{ state: 'dead' }] });
  expect(entry.customer).toBeUndefined();
});

it('tells which destination is paused, why, and how often a waiting lead was tried', async () => {
  const { leads, finish } = await dataWithLead();
  const pause = { until: NOON + 1_800_000, reason: 'the server refuses our password' };
  await finish({ state: 'queued', nextAttemptAt: pause.until, pause });
  const { out, err } = await leads('list');
  expect(out).toContain('demo-crm: queued after 1 attempt\n');
  expect(err).toBe(
    'The destination demo-crm is paused; next try at 2026-11-30T12:30:00Z. the server refuses our password\n',
  );
});

it('lets no name play tricks on the terminal', async () => {
  const { store, leads } = await dataWithLead();
  const customer = { first_name: 'E\u001b[2Jve', last_name: 'X\nY\u009b\u202e', email: 'eve@example.com' };
  await openDesk(store).submit(leadRequest({ customer }));
  for (const words of [
    ['list', '--names'],
    ['list', '--names', '--json'],
  ]) {
    const { out } = await leads(...words);
    expect(out).toMatch(/ve.*X/s);
    expect(['\u001b', '\u009b', '\u202e'].filter((trick) => out.includes(trick))).toEqual([]);
  }
  expect((await leads('list', '--names')).out.split('\n')).toHaveLength(3);
});

it('shows a lead whole: request, consent, attempts and reference', async () => {
  const { leadId, leads, finish } = await dataWithLead();
  await finish();
  const { code, out } = await leads('show', leadId);
  expect(code).toBe(0);
  for (const part of [
    'ada@example.com',
    'The dealer may contact me about this car.',
    'Delivery to demo-crm: dead',
    'reference at the CRM  crm-42',
    '2026-11-30T12:00:00Z  retry (http)  status 503',
  ]) {
    expect(out).toContain(part);
  }
});

it('queues a lead again, but not while it is being sent', async () => {
  const { store, leadId, leads, finish } = await dataWithLead();
  expect((await leads('resend', leadId)).out).toBe('demo-crm: is being sent at this moment, left alone\n');
  await finish();
  expect(await leads('resend', leadId)).toEqual({ code: 0, out: 'demo-crm: queued again\n', err: '' });
  expect((await store.find(leadId))?.deliveries).toMatchObject([{ state: 'queued', attempts: 1 }]);
});

it('says what is wrong and exits with 1, or 2 for a wrong command line', async () => {
  const { leadId, leads } = await dataWithLead();
  expect(await leads('show', 'lead_none')).toMatchObject({
    code: 1,
    out: '',
    err: 'There is no lead lead_none.\n',
  });
  expect(await leads('resend', 'lead_none')).toMatchObject({ code: 1, err: 'There is no lead lead_none.\n' });
  expect(await leads('resend', leadId, '--destination', 'none')).toMatchObject({
    code: 1,
    err: 'There is no destination "none"; the settings have demo-crm.\n',
  });
  expect((await leads('list', '--limit', '0')).code).toBe(2);
  const nowhere = join(temporaryFolder(), 'nothing');
  const { code, err } = await runCommand(['leads', 'list', '--data', nowhere]);
  expect({ code, err }).toEqual({
    code: 1,
    err: `There is no ${leadsDatabaseFile(nowhere)}: no bridge has run with this data folder.\n`,
  });
});
