import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { AttemptReport } from '../../src/leads/delivery-records.ts';
import { leadsDatabaseFile } from '../../src/leads/store.ts';
import { runBridge } from '../cli/bridge-command.ts';
import { runCommand } from '../cli/run-command.ts';
import {
  answered,
  destination,
  fileCrm,
  leadOf,
  leadRequest,
  leadsConfig,
  NOON,
  openDesk,
  openStore,
  temporaryFolder,
} from './lead-harness.ts';

const why = ['--reason', 'the CRM lost it'];

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
  expect((await leads('resend', leadId, ...why)).out).toBe(
    'demo-crm: is being sent at this moment, left alone\n',
  );
  await finish();
  expect(await leads('resend', leadId, ...why)).toEqual({
    code: 0,
    out: 'demo-crm: queued again\n',
    err: '',
  });
  const trail = await store.find(leadId);
  expect(trail?.deliveries).toMatchObject([{ state: 'queued', attempts: 1 }]);
  const { username } = userInfo();
  expect(trail?.operations).toMatchObject([
    { kind: 'resend', destination: 'demo-crm', who: username, reason: 'the CRM lost it' },
  ]);
  expect((await leads('show', leadId)).out).toMatch(
    new RegExp(`Done by hand\\n  \\S+Z  resend \\(demo-crm\\) by ${username}: the CRM lost it\\n$`),
  );
});

it('wants to know why', async () => {
  const { leadId, leads } = await dataWithLead();
  for (const words of [
    ['resend', leadId],
    ['cancel', leadId],
    ['replay', '--since', '1d'],
    ['purge', '--customer', 'a@b.example'],
  ]) {
    expect(await leads(...words)).toMatchObject({ code: 2, err: expect.stringContaining('--reason') });
    for (const nothing of ['', '  ', '-', '\u200b']) {
      expect(await leads(...words, '--reason', nothing)).toMatchObject({
        code: 2,
        err: expect.stringContaining('Say why'),
      });
    }
  }
});

it('cancels what waits, and never what is being sent or was delivered', async () => {
  const { store, leadId, leads, finish } = await dataWithLead();
  expect(await leads('cancel', leadId, ...why)).toMatchObject({
    code: 1,
    out: 'demo-crm: is being sent at this moment, left alone\n',
  });
  await finish({ state: 'uncertain', nextAttemptAt: NOON, mayHaveArrived: true });
  expect(await leads('cancel', leadId, '--destination', 'none', ...why)).toMatchObject({
    code: 1,
    err: 'This lead never went to none.\n',
  });
  expect(await leads('cancel', leadId, ...why)).toEqual({
    code: 0,
    out: 'demo-crm: cancelled; an earlier attempt may have reached the CRM\n',
    err: '',
  });
  expect((await store.find(leadId))?.deliveries[0]?.nextAttemptAt).toBeUndefined();
  expect((await leads('cancel', leadId, ...why)).out).toBe('demo-crm: is cancelled, left alone\n');
  expect((await leads('replay', '--since', '2026-11-30', ...why)).out).toBe('0 deliveries queued again.\n');
  expect((await leads('resend', leadId, ...why)).out).toBe('demo-crm: queued again\n');
});

it('cancels what the CRM refused: somebody has looked, and nobody is told of it any more', async () => {
  const { store, leadId, leads, finish } = await dataWithLead();
  await finish({ state: 'rejected' });
  expect(await leads('cancel', leadId, ...why)).toEqual({ code: 0, out: 'demo-crm: cancelled\n', err: '' });
  expect((await store.find(leadId))?.deliveries).toMatchObject([{ state: 'cancelled' }]);
  expect(await store.findRejected(0, 10)).toEqual([]);
});

it('leaves a delivered lead alone', async () => {
  const { store, leadId, leads, finish } = await dataWithLead();
  await finish({ state: 'delivered' });
  expect((await leads('cancel', leadId, ...why)).out).toBe('demo-crm: is delivered, left alone\n');
  expect((await store.find(leadId))?.operations).toEqual([]);
});

it('replays what was given up since a time, after showing it', async () => {
  const { store, leadId, leads, finish } = await dataWithLead();
  await finish();
  const replay = (...words: string[]) => leads('replay', ...words, ...why);
  expect((await replay('--since', '2026-12-02')).out).toBe('0 deliveries queued again.\n');
  expect((await replay('--since', '2026-11-28', '--state', 'rejected')).out).toBe(
    '0 deliveries queued again.\n',
  );
  expect((await replay('--since', '2026-11-28', '--dry-run')).out).toBe(
    `${leadId}  demo-crm\n1 delivery would be queued again.\n`,
  );
  expect((await store.find(leadId))?.deliveries[0]?.state).toBe('dead');
  expect((await replay('--since', '2026-11-28T00:00:00Z')).out).toBe(
    `${leadId}  demo-crm\n1 delivery queued again.\n`,
  );
  expect((await store.find(leadId))?.deliveries[0]?.state).toBe('queued');
  expect((await replay('--since', 'yesterday')).code).toBe(2);
});

it('exports a table without customer data, unless asked', async () => {
  const { leadId, leads, finish } = await dataWithLead();
  await finish();
  const record = `${leadId},2026-11-30T12:00:00Z,CRA02,demo-crm,dead,1,2026-11-30T12:00:00Z,,crm-42,status 503,`;
  const header =
    'lead_id,received_at,rooftop_id,destination,state,attempts,settled_at,next_attempt_at,reference,reason,erased_at';
  expect((await leads('export')).out).toBe(`${header}\r\n${record}\r\n`);
  expect((await leads('export', '--customers')).out).toBe(
    `${header},first_name,last_name,email,phone,vin,stock,vehicle,message,source_agent\r\n` +
      `${record},Ada,Lovelace,ada@example.com,'+14155550123,1HGCY2F57RA000001,,,Is it still there?,shopping-agent\r\n`,
  );
  expect(JSON.parse((await leads('export', '--format', 'json')).out)).toEqual([
    {
      lead_id: leadId,
      received_at: '2026-11-30T12:00:00Z',
      rooftop_id: 'CRA02',
      destination: 'demo-crm',
      state: 'dead',
      attempts: 1,
      settled_at: '2026-11-30T12:00:00Z',
      reference: 'crm-42',
      reason: 'status 503',
    },
  ]);
  expect(JSON.parse((await leads('export', '--format', 'json', '--until', '2026-11-28')).out)).toEqual([]);
});

it('ends quietly when nobody reads the table any more', async () => {
  const { data, store } = await dataWithLead();
  const destinations = [destination('demo-crm', fileCrm('out'))];
  // More than a pipe holds, so that the command waits for its reader.
  const long = { ...leadOf(1), message: 'x'.repeat(200_000) };
  answered(await openDesk(store, { leads: leadsConfig({ destinations }) }).submit(long));
  const bin = fileURLToPath(new URL('../../bin/dealer-bridge.mjs', import.meta.url));
  const child = spawn(process.execPath, [bin, 'leads', 'export', '--customers', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ code, said }).toEqual({ code: 0, said: '' });
});

it('says what is wrong and exits with 1, or 2 for a wrong command line', async () => {
  const { leadId, leads } = await dataWithLead();
  expect(await leads('show', 'lead_none')).toMatchObject({
    code: 1,
    out: '',
    err: 'There is no lead lead_none.\n',
  });
  expect(await leads('resend', 'lead_none', ...why)).toMatchObject({
    code: 1,
    err: 'There is no lead lead_none.\n',
  });
  expect(await leads('resend', leadId, '--destination', 'none', ...why)).toMatchObject({
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

it('says of a lead that waits for a destination which is not in the settings that nobody sends it', async () => {
  const data = temporaryFolder();
  const store = openStore(leadsDatabaseFile(data));
  const destinations = [destination('demo-crm', fileCrm('out')), destination('old-crm', fileCrm('out'))];
  const desk = openDesk(store, { leads: leadsConfig({ destinations }) });
  const { answer } = answered(await desk.submit(leadRequest()));
  const leads = (...words: string[]) => runCommand(['leads', ...words, '--data', data]);
  expect((await leads('list')).out).toContain(
    'demo-crm: queued, old-crm: queued (waits: destination old-crm is not in the settings)\n',
  );
  const [listed] = JSON.parse((await leads('list', '--json')).out) as { deliveries: { waits?: string }[] }[];
  expect(listed?.deliveries.map(({ waits }) => waits)).toEqual([
    undefined,
    'destination old-crm is not in the settings',
  ]);
  const { out } = await leads('show', answer.lead_id);
  expect(out).toContain('Delivery to old-crm: queued\n  waits: destination old-crm is not in the settings');
  expect(out).toMatch(/Delivery to demo-crm: queued\n {2}next attempt/);
  await leads('cancel', answer.lead_id, '--destination', 'old-crm', ...why);
  expect((await leads('list')).out).toContain('demo-crm: queued, old-crm: cancelled\n');
});

it('goes on without the settings while they have a fault, where only the data is needed', async () => {
  const { store, data, leadId, finish, leads } = await dataWithLead();
  const pause = { until: NOON + 1_800_000, reason: 'the server refuses our password' };
  await finish({ state: 'queued', nextAttemptAt: pause.until, pause });
  const faulty = join(data, 'faulty.yaml');
  await writeFile(
    faulty,
    'dealer: { id: group, name: Group, rooftops: [] }\nfeeds: [{ id: one, profile: nowhere }]\n',
  );
  const without = (...words: string[]) => leads(...words, '--config', faulty);

  const list = await without('list');
  expect(list).toMatchObject({ code: 0, out: expect.stringContaining(`${leadId}  2026-11-30T12:00:00Z`) });
  expect(list.out).not.toContain('not in the settings');
  expect(list.err).toMatch(
    /faulty\.yaml:\d+:\d+ [\s\S]*problems? in faulty\.yaml\nThe settings are left aside/,
  );
  expect(list.err).toContain('The destination demo-crm is paused');
  expect(await without('show', leadId)).toMatchObject({ code: 0, out: expect.stringContaining('Ada') });
  expect(await without('export')).toMatchObject({ code: 0, out: expect.stringContaining(leadId) });
  const audit = await without('audit', '--lead', leadId);
  expect(JSON.parse(audit.out)).toMatchObject({
    lead: { lead_id: leadId },
    deliveries: [{ destination: 'demo-crm', built: { fault: 'the settings cannot be used' } }],
  });
  expect(await without('cancel', leadId, ...why)).toMatchObject({ code: 0, out: 'demo-crm: cancelled\n' });
  const purge = await without('purge', '--customer', 'ada@example.com', ...why);
  expect(purge).toMatchObject({ code: 0, out: expect.stringContaining(`backups of ${data}`) });
  expect(purge.out).toContain('what the CRM behind demo-crm keeps, or its folder');
  expect((await store.find(leadId))?.lead.erased_at).toBeGreaterThan(0);
  // Where it goes stands in the settings.
  expect(await without('resend', leadId, ...why)).toMatchObject({ code: 1, out: '' });
});
