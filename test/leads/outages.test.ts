import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { CrmAdapter } from '../../src/adapters/crm-adapter.ts';
import type { DestinationConfig } from '../../src/config/config.ts';
import { createDispatcher } from '../../src/leads/dispatcher.ts';
import { silentLog } from '../../src/model/log.ts';
import {
  answered,
  CEDAR,
  destination,
  fileCrm,
  HARBOR,
  HOUR,
  leadOf,
  leadsConfig,
  MINUTE,
  NOON,
  openDesk,
  openStore,
  setClock,
  temporaryFolder,
} from './lead-harness.ts';

const DAY = 24 * HOUR;
const RETRY = { first_ms: 30_000, max_ms: 30 * MINUTE, give_up_ms: 72 * HOUR };
/** Seven waits from 30 s until they are half an hour, then one each half hour; jitter takes off a fifth at most. */
const MOST_ATTEMPTS = 8 + Math.ceil((72 * HOUR) / (0.8 * 30 * MINUTE));
const LEAST_ATTEMPTS = Math.floor((72 * HOUR) / (1.2 * 30 * MINUTE));

/** A CRM whose mood is set from outside, and which keeps the time of each attempt by lead. */
function moodyCrm(clock: { now(): number }) {
  const good = fileCrm('out');
  const state = { isUp: false, attempts: new Map<string, number[]>() };
  const crm: CrmAdapter = {
    ...good,
    build: (lead, options) => {
      const earlier = state.attempts.get(lead.lead_id) ?? [];
      state.attempts.set(lead.lead_id, [...earlier, clock.now()]);
      if (!state.isUp) throw new Error('the CRM is down');
      return good.build(lead, options);
    },
  };
  return { crm, state };
}

function openBridge(destinations: (clock: { now(): number }) => DestinationConfig[]) {
  const store = openStore();
  const clock = setClock();
  const configured = destinations(clock);
  const dispatcher = createDispatcher({
    store,
    destinations: configured,
    rooftops: [HARBOR, CEDAR],
    dataFolder: temporaryFolder(),
    clock,
    log: silentLog,
  });
  onTestFinished(() => dispatcher.stop());
  const desk = openDesk(store, { leads: leadsConfig({ destinations: configured }), clock });
  const submit = async (buyer: number) => {
    const request = leadOf(buyer);
    request.consent.granted_at = new Date(clock.time).toISOString();
    return answered(await desk.submit(request)).answer.lead_id;
  };
  /** Lets everything that is due now be tried. */
  const work = async () => {
    dispatcher.wake();
    await vi.waitFor(
      async () => {
        const due = await Promise.all(configured.map(({ id }) => store.nextDueAt(id)));
        expect(due.every((time) => time === undefined || time > clock.time)).toBe(true);
        expect((await store.countDeliveries()).sending).toBe(0);
      },
      { timeout: 30_000, interval: 1 },
    );
  };
  /** Moves the clock from one due attempt to the next, up to a time. */
  const workUntil = async (end: number) => {
    await work();
    for (;;) {
      const due = (await Promise.all(configured.map(({ id }) => store.nextDueAt(id)))).filter(
        (time) => time !== undefined,
      );
      const next = Math.min(...due);
      if (next > end) break;
      clock.time = next;
      await work();
    }
    clock.time = end;
    await work();
  };
  return { store, clock, dispatcher, desk, submit, work, workUntil };
}

it('carries every lead over a CRM that is down for three days, with no more attempts than the rule has', async () => {
  let crm: ReturnType<typeof moodyCrm> | undefined;
  const { store, dispatcher, submit, workUntil } = openBridge((clock) => {
    crm = moodyCrm(clock);
    return [destination('crm', crm.crm, { retry: RETRY })];
  });
  const leads = [await submit(0), await submit(1)];
  await dispatcher.start();
  await workUntil(NOON + 72 * HOUR - 1);
  expect(await store.countDeliveries()).toMatchObject({ queued: 2, dead: 0 });
  for (const lead of leads) {
    const times = crm!.state.attempts.get(lead)!;
    expect(times.length).toBeLessThanOrEqual(MOST_ATTEMPTS);
    expect(times.length).toBeGreaterThanOrEqual(LEAST_ATTEMPTS);
    const longest = Math.max(...times.slice(1).map((time, index) => time - times[index]!));
    expect(longest).toBeLessThanOrEqual(1.2 * 30 * MINUTE);
  }
  crm!.state.isUp = true;
  await workUntil(NOON + 73 * HOUR);
  expect(await store.countDeliveries()).toMatchObject({ delivered: 2, queued: 0, dead: 0 });
});

it('lists every lead of a CRM that stays down, and replays them all when it is back', async () => {
  let crm: ReturnType<typeof moodyCrm> | undefined;
  const { store, clock, dispatcher, submit, work, workUntil } = openBridge((clock) => {
    crm = moodyCrm(clock);
    return [destination('crm', crm.crm, { retry: RETRY })];
  });
  for (let buyer = 0; buyer < 2; buyer += 1) await submit(buyer);
  await dispatcher.start();
  await workUntil(NOON + 4 * DAY);
  expect(await store.countDeliveries()).toMatchObject({ dead: 2, queued: 0 });
  expect(Math.max(...[...crm!.state.attempts.values()].map(({ length }) => length))).toBeLessThanOrEqual(
    MOST_ATTEMPTS,
  );
  crm!.state.isUp = true;
  const filter = { state: 'dead', since: NOON, destinations: ['crm'] } as const;
  const act = { who: 'me', reason: 'the CRM is back', now: clock.time };
  expect(await store.replay(filter, act)).toHaveLength(2);
  await work();
  expect(await store.countDeliveries()).toMatchObject({ delivered: 2, dead: 0 });
});

it.each([
  ['an hour back', -HOUR],
  ['a year back', -365 * DAY],
  ['a day forward', DAY],
  ['a year forward', 365 * DAY],
])('neither storms nor starves when the clock jumps %s', async (_, jump) => {
  let crm: ReturnType<typeof moodyCrm> | undefined;
  const { store, clock, dispatcher, submit, work, workUntil } = openBridge((clock) => {
    crm = moodyCrm(clock);
    return [destination('crm', crm.crm, { retry: RETRY })];
  });
  const leads = [await submit(0), await submit(1)];
  await dispatcher.start();
  await workUntil(NOON + 3 * HOUR);
  const before = leads.map((lead) => crm!.state.attempts.get(lead)!.length);

  clock.time += jump;
  // At most one attempt more at once, then the waits of the rule again, counted on the new clock.
  dispatcher.wake();
  await vi.waitFor(
    async () => {
      for (const lead of leads) {
        const { state, nextAttemptAt } = (await store.find(lead))!.deliveries[0]!;
        if (state !== 'dead') expect(nextAttemptAt).toBeLessThan(clock.time + 36 * MINUTE);
      }
    },
    {
      timeout: 30_000,
      interval: 1,
    },
  );
  await workUntil(clock.time + 5 * HOUR);
  for (const [index, lead] of leads.entries()) {
    const more = crm!.state.attempts.get(lead)!.length - before[index]!;
    if ((await store.find(lead))!.deliveries[0]!.state === 'dead') continue;
    expect(more).toBeLessThanOrEqual(1 + Math.ceil((5 * HOUR) / (0.8 * 30 * MINUTE)));
    expect(more).toBeGreaterThanOrEqual(Math.floor((5 * HOUR) / (1.2 * 30 * MINUTE)));
  }
  crm!.state.isUp = true;
  const fresh = await submit(2);
  await work();
  expect((await store.find(fresh))!.deliveries[0]!.state).toBe('delivered');
  await workUntil(clock.time + HOUR);
  const { queued, sending, uncertain } = await store.countDeliveries();
  expect({ queued, sending, uncertain }).toEqual({ queued: 0, sending: 0, uncertain: 0 });
});

it('holds 10,000 waiting leads on disk and not in memory, and goes on taking leads', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const usedMegabytes = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 2 ** 20;
  };
  const { store, dispatcher, submit } = openBridge(() => [
    destination('file', fileCrm('out')),
    destination(
      'down',
      {
        ...fileCrm('out'),
        build: () => {
          throw new Error('the CRM is down');
        },
      },
      { retry: RETRY },
    ),
  ]);
  const submitMany = async (from: number, to: number) => {
    for (let start = from; start < to; start += 100)
      await Promise.all(Array.from({ length: 100 }, (_, index) => submit(start + index)));
  };
  await submitMany(0, 1000);
  const before = usedMegabytes();
  await submitMany(1000, 10_000);
  expect(await store.countDeliveries()).toMatchObject({ queued: 20_000 });
  await dispatcher.start();
  // While it works off the queue it answers.
  const fresh = await Promise.all([submit(20_001), submit(20_002), submit(20_003)]);
  expect(new Set(fresh).size).toBe(3);
  expect((await store.countDeliveries()).queued).toBeGreaterThan(10_000);
  await vi.waitFor(async () => expect((await store.countDeliveries()).delivered).toBeGreaterThan(500), {
    timeout: 50_000,
  });
  expect(usedMegabytes() - before).toBeLessThan(20);
  await dispatcher.stop();
}, 120_000);
