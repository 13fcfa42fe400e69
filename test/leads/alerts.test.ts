import { expect, it } from 'vitest';
import { leadAlerts } from '../../src/leads/alerts.ts';
import type { AttemptReport } from '../../src/leads/delivery-records.ts';
import {
  answered,
  destination,
  fileCrm,
  leadOf,
  leadsConfig,
  MINUTE,
  NOON,
  openDesk,
  openStore,
  setClock,
} from './lead-harness.ts';

function openLeads() {
  const store = openStore();
  const clock = setClock();
  const destinations = [destination('crm', fileCrm('out')), destination('second', fileCrm('out'))];
  const alerts = leadAlerts({
    store,
    destinations,
    alerts: { undelivered_after_minutes: 60, paused_after_minutes: 2 },
    clock,
  });
  const desk = openDesk(store, { leads: leadsConfig({ destinations }), clock });
  const submit = async (buyer: number) => answered(await desk.submit(leadOf(buyer))).answer.lead_id;
  const finish = async (to: string, report: Partial<AttemptReport>) => {
    const claimed = await store.claimNext({
      destination: to,
      now: clock.time,
      owner: 'me',
      leaseUntil: clock.time + MINUTE,
      probing: false,
    });
    await store.finishAttempt({
      deliveryId: claimed!.deliveryId,
      owner: 'me',
      state: 'delivered',
      mayHaveArrived: false,
      attempt: {
        startedAt: clock.time,
        finishedAt: clock.time,
        stage: 'http',
        sent: 'yes',
        verdict: 'retry',
        reason: 'status 503',
      },
      ...report,
    });
    return claimed!.deliveryId;
  };
  const keys = async () => (await alerts()).map(({ key }) => key);
  return { store, clock, alerts, keys, submit, finish };
}

it('speaks of leads that wait too long, one alert a destination, and names no customer', async () => {
  const { clock, alerts, keys, submit, finish } = openLeads();
  const oldest = await submit(1);
  await submit(2);
  clock.time += 60 * MINUTE - 1;
  expect(await alerts()).toEqual([]);
  clock.time += 1;
  expect(await alerts()).toMatchObject([
    {
      key: 'leads-waiting:crm',
      text: `2 leads are not delivered to crm, the oldest, ${oldest}, since 2026-11-30T12:00:00Z.`,
    },
    { key: 'leads-waiting:second' },
  ]);
  expect(JSON.stringify(await alerts())).not.toMatch(/buyer|number/i);
  await finish('crm', {});
  expect(await keys()).toEqual(['leads-waiting:crm', 'leads-waiting:second']);
  await finish('crm', { state: 'uncertain' });
  // What may have arrived, and is tried no more, still needs a person.
  expect(await keys()).toEqual(['leads-waiting:crm', 'leads-waiting:second']);
});

it('speaks of a destination that is paused until it works again', async () => {
  const { clock, alerts, submit, finish } = openLeads();
  await submit(1);
  const refuse = (until: number) =>
    finish('crm', {
      state: 'queued',
      nextAttemptAt: until,
      pause: { until, reason: 'the server refuses our password' },
    });
  await refuse(clock.time);
  clock.time += 2 * MINUTE - 1;
  expect(await alerts()).toEqual([]);
  const until = NOON + 30 * MINUTE;
  await refuse(until);
  clock.time += 1;
  expect(await alerts()).toMatchObject([
    {
      key: 'destination-paused:crm',
      text: 'The destination crm refuses all leads: the server refuses our password',
    },
  ]);
  clock.time = until;
  expect(await alerts()).toHaveLength(1);
  await finish('crm', { pause: 'lift' });
  expect(await alerts()).toEqual([]);
});

it('speaks of every delivery that was given up until somebody looks after it', async () => {
  const { store, alerts, submit, finish } = openLeads();
  const act = { who: 'me', reason: 'test', now: NOON };
  const [one, two] = [await submit(1), await submit(2)];
  const ids = [await finish('crm', { state: 'dead' }), await finish('crm', { state: 'dead' })];
  expect(await alerts()).toMatchObject([
    {
      key: `delivery-dead:${ids[1]}`,
      text: `The lead ${two} could not be delivered to crm and was given up: status 503`,
      remedy: expect.stringContaining(`leads resend ${two} --destination crm`),
    },
    { key: `delivery-dead:${ids[0]}` },
  ]);
  await store.resend(one, ['crm'], act);
  await store.cancel(two, 'crm', act);
  expect(await alerts()).toEqual([]);
});

it('speaks of every delivery that the CRM refused until somebody looks after it, for a week', async () => {
  const { store, clock, alerts, keys, submit, finish } = openLeads();
  const act = { who: 'me', reason: 'test', now: NOON };
  const leads = [await submit(1), await submit(2), await submit(3)];
  const attempt = {
    startedAt: clock.time,
    finishedAt: clock.time,
    stage: 'http',
    sent: 'yes',
    verdict: 'rejected',
    reason: 'the CRM answered 422',
  } as const;
  const refuse = () => finish('crm', { state: 'rejected', attempt });
  const ids = [await refuse(), await refuse(), await refuse()];
  expect(await alerts()).toMatchObject([
    {
      status: 'warn',
      key: `delivery-rejected:${ids[2]}`,
      text: `The lead ${leads[2]} was refused by crm: the CRM answered 422`,
      remedy: expect.stringContaining(`leads resend ${leads[2]} --destination crm`),
    },
    { key: `delivery-rejected:${ids[1]}` },
    { key: `delivery-rejected:${ids[0]}` },
  ]);
  await store.resend(leads[0]!, ['crm'], act);
  expect(await store.cancel(leads[1]!, 'crm', act)).toMatchObject({ deliveries: [{ outcome: 'cancelled' }] });
  expect(await keys()).toEqual([`delivery-rejected:${ids[2]}`]);
  const WEEK = 7 * 24 * 60 * MINUTE;
  clock.time += WEEK - 1;
  expect(await keys()).toContain(`delivery-rejected:${ids[2]}`);
  clock.time += 1;
  expect(await keys()).not.toContain(`delivery-rejected:${ids[2]}`);
});

it('says nothing of a refused lead whose customer was erased: there is nothing left to send', async () => {
  const { store, keys, submit, finish } = openLeads();
  const lead = await submit(1);
  const id = await finish('crm', { state: 'rejected' });
  await finish('second', { state: 'delivered' });
  expect(await keys()).toEqual([`delivery-rejected:${id}`]);
  expect(await store.erase([lead], { who: 'me', reason: 'test', now: NOON })).toEqual([lead]);
  expect(await keys()).toEqual([]);
});
