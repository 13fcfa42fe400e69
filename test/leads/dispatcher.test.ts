import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { CrmAdapter } from '../../src/adapters/crm-adapter.ts';
import type { DestinationConfig } from '../../src/config/config.ts';
import { createDispatcher, type Dispatcher } from '../../src/leads/dispatcher.ts';
import type { AttemptReport, ClaimedDelivery } from '../../src/leads/delivery-records.ts';
import type { LeadStore } from '../../src/leads/lead-store.ts';
import type { LeadSubmitRequest } from '../../src/model/lead.ts';
import { type Log, silentLog } from '../../src/model/log.ts';
import { readMail, startHttp, startSmtp } from './crm-servers.ts';
import {
  answered,
  CEDAR,
  destination,
  fileCrm,
  HARBOR,
  HOUR,
  httpCrm,
  leadOf,
  leadRequest,
  leadsConfig,
  mailCrm,
  MINUTE,
  openDesk,
  openStore,
  setClock,
  smtpServerAt,
  temporaryFolder,
} from './lead-harness.ts';

/** A desk and a dispatcher over one database, on a clock that stands still until it is moved. */
function openBridge(destinations: DestinationConfig[], options: { log?: Log; file?: string } = {}) {
  const store = openStore(options.file);
  const clock = setClock();
  const log = options.log ?? silentLog;
  const dataFolder = temporaryFolder();
  const dispatcher = createDispatcher({
    store,
    destinations,
    rooftops: [HARBOR, CEDAR],
    dataFolder,
    clock,
    log,
  });
  onTestFinished(() => dispatcher.stop());
  const desk = openDesk(store, {
    leads: leadsConfig({ destinations }),
    clock,
    log,
    onQueued: () => dispatcher.wake(),
  });
  const submit = async (request: LeadSubmitRequest) => answered(await desk.submit(request)).answer.lead_id;
  /** Moves the clock and lets the dispatcher see it. */
  const advance = (milliseconds: number) => {
    clock.time += milliseconds;
    dispatcher.wake();
  };
  return { store, clock, dispatcher, dataFolder, submit, advance };
}

const by = (now: number) => ({ who: 'the test', reason: 'because', now });

async function deliveriesOf(store: LeadStore, leadId: string) {
  return (await store.find(leadId))!.deliveries;
}

const stateOf = async (store: LeadStore, leadId: string, index = 0) =>
  (await deliveriesOf(store, leadId))[index]?.state;

/** Waits until a delivery has had so many attempts and none is under way. */
async function untilAttempts(store: LeadStore, leadId: string, attempts: number, index = 0) {
  await vi.waitFor(async () => expect((await deliveriesOf(store, leadId))[index]?.attempts).toBe(attempts), {
    timeout: 20_000,
    interval: 10,
  });
}

async function untilState(store: LeadStore, leadId: string, state: string, index = 0) {
  await vi.waitFor(async () => expect(await stateOf(store, leadId, index)).toBe(state), {
    timeout: 20_000,
    interval: 10,
  });
}

it('sends a lead once whose names are too long to be looked for in the answer, and logs nothing of them', async () => {
  const said: string[] = [];
  const note = (facts: object, text: string) => said.push(JSON.stringify(facts), text);
  const log: Log = { ...silentLog, info: note, warn: note, error: note };
  const http = await startHttp((_request, response) => response.end('taken'));
  const { store, dispatcher, submit } = openBridge([destination('http', httpCrm(http.url))], { log });
  const name = `Wombat${'n'.repeat(100_000)}`;
  const request = leadRequest();
  const lead = await submit({ ...request, customer: { ...request.customer, first_name: name } });
  await dispatcher.start();
  await untilAttempts(store, lead, 1);
  await untilState(store, lead, 'delivered');
  expect(http.received).toHaveLength(1);
  await vi.waitUntil(() => said.includes('lead delivered'));
  expect(said.join()).not.toContain('Wombat');
});

it('delivers by mail, HTTP and file, each on its own, in the order of arrival', async () => {
  const smtp = await startSmtp();
  const http = await startHttp((_request, response, number) => response.end(`crm-${number}`));
  const { store, dispatcher, dataFolder, submit } = openBridge([
    destination('mail', mailCrm(smtpServerAt(smtp.port))),
    destination('http', httpCrm(http.url)),
    destination('file', fileCrm('outgoing')),
  ]);
  const leads = [];
  for (let buyer = 0; buyer < 5; buyer += 1) leads.push(await submit(leadOf(buyer)));
  await dispatcher.start();
  for (const lead of leads) for (const index of [0, 1, 2]) await untilState(store, lead, 'delivered', index);

  expect(smtp.received.map(({ mail }) => mail.messageId)).toEqual(
    leads.map((lead) => `<${lead}@dealer.example>`),
  );
  expect(http.received.map(({ headers }) => headers['idempotency-key'])).toEqual(leads);
  for (const lead of leads) expect(existsSync(join(dataFolder, 'outgoing', `${lead}.txt`))).toBe(true);
  const trail = await deliveriesOf(store, leads[1]!);
  expect(trail[1]).toMatchObject({ reference: 'crm-2', attempts: 1 });
  expect(trail[1]?.history).toMatchObject([
    { stage: 'http', sent: 'yes', verdict: 'delivered', reason: 'taken' },
  ]);
});

it('sends the oldest lead that is due, and lets none that waits for its next attempt hold up the others', async () => {
  const leads: string[] = [];
  const order: number[] = [];
  const http = await startHttp((request, response) => {
    const place = leads.indexOf(String(request.headers['idempotency-key']));
    order.push(place);
    // The first one fails once; the others come meanwhile.
    response.writeHead(place === 0 && order.length === 1 ? 503 : 200).end('crm');
  });
  const { store, clock, dispatcher, submit, advance } = openBridge([destination('http', httpCrm(http.url))]);
  leads.push(await submit(leadOf(0)));
  await dispatcher.start();
  await untilAttempts(store, leads[0]!, 1);
  for (const buyer of [1, 2]) leads.push(await submit(leadOf(buyer)));
  for (const lead of leads.slice(1)) await untilState(store, lead, 'delivered');
  expect(order).toEqual([0, 1, 2]);

  // Both due at the same time: the older one goes first.
  await dispatcher.stop();
  const [waiting] = await deliveriesOf(store, leads[0]!);
  leads.push(await submit(leadOf(3)));
  advance(waiting!.nextAttemptAt! - clock.now());
  const next = createDispatcher({
    store,
    destinations: [destination('http', httpCrm(http.url))],
    rooftops: [HARBOR, CEDAR],
    dataFolder: temporaryFolder(),
    clock,
    log: silentLog,
  });
  await next.start();
  await untilState(store, leads[3]!, 'delivered');
  await next.stop();
  expect(order).toEqual([0, 1, 2, 0, 3]);
});

it('tries again after a fault, not before its time, and then delivers', async () => {
  const http = await startHttp((_request, response, number) => {
    response.writeHead(number === 1 ? 500 : 200).end('crm-1');
  });
  const { store, clock, dispatcher, submit, advance } = openBridge([destination('http', httpCrm(http.url))]);
  const lead = await submit(leadRequest());
  await dispatcher.start();
  await untilAttempts(store, lead, 1);
  const [waiting] = await deliveriesOf(store, lead);
  expect(waiting).toMatchObject({ state: 'queued', reason: 'status 500' });
  const wait = waiting!.nextAttemptAt! - clock.now();
  expect(wait).toBeGreaterThanOrEqual(800);
  expect(wait).toBeLessThanOrEqual(1200);

  const other = await submit(leadOf(1));
  await untilState(store, other, 'delivered');
  expect(await stateOf(store, lead)).toBe('queued');
  advance(wait);
  await untilState(store, lead, 'delivered');
  expect(http.received[2]?.body).toBe(`<lead id="${lead}" resend="false"/>`);
});

it('marks a mail that may have arrived and sends it again with the same Message-ID', async () => {
  let mails = 0;
  const raws: string[] = [];
  const smtp = await startSmtp({
    onData: (stream, _session, done) => {
      void readMail(stream).then((raw) => {
        raws.push(raw);
        mails += 1;
        if (mails > 1) done();
      });
    },
  });
  const server = smtpServerAt(smtp.port, { timeoutMs: 300 });
  const { store, dispatcher, submit, advance } = openBridge([destination('mail', mailCrm(server))]);
  const lead = await submit(leadRequest());
  await dispatcher.start();
  await untilState(store, lead, 'uncertain');
  advance(2000);
  await untilState(store, lead, 'delivered');
  const ids = raws.map((raw) => raw.match(/^(?:Message-ID|Date): .*$/gim));
  expect(ids[0]).toHaveLength(2);
  expect(ids[1]).toEqual(ids[0]);
  expect(raws.map((raw) => /resend: (\w+)/.exec(raw)?.[1])).toEqual(['false', 'true']);
});

it('leaves an uncertain lead to a person where the settings say so, until it is sent again by hand', async () => {
  const http = await startHttp((_request, response, number) => {
    if (number === 1) response.destroy();
    else response.end('crm-1');
  });
  const { store, clock, dispatcher, submit, advance } = openBridge([
    destination('http', httpCrm(http.url), { on_uncertain: 'stop' }),
  ]);
  const lead = await submit(leadRequest());
  await dispatcher.start();
  await untilState(store, lead, 'uncertain');
  expect((await deliveriesOf(store, lead))[0]?.nextAttemptAt).toBeUndefined();
  advance(24 * 60 * MINUTE);
  const later = await submit(leadOf(1));
  await untilState(store, later, 'delivered');
  expect(http.received).toHaveLength(2);

  expect(await store.resend(lead, ['http'], by(clock.now()))).toEqual([
    { destination: 'http', outcome: 'queued' },
  ]);
  dispatcher.wake();
  await untilState(store, lead, 'delivered');
  expect(http.received[2]?.body).toContain('resend="true"');
});

it('notices by itself what another process has queued', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const { store, clock, dispatcher, submit, dataFolder } = openBridge([destination('file', fileCrm('out'))], {
    file,
  });
  const lead = await submit(leadRequest());
  await dispatcher.start();
  await untilState(store, lead, 'delivered');
  const other = openStore(file);
  await other.resend(lead, ['file'], by(clock.now()));
  await untilAttempts(store, lead, 2);
  expect(existsSync(join(dataFolder, 'out', `${lead}.txt`))).toBe(true);
});

it('pauses a destination that refuses the password, and one lead finds out when it works again', async () => {
  const http = await startHttp((_request, response) => response.writeHead(accepts ? 200 : 401).end('crm'));
  let accepts = false;
  const { store, dispatcher, submit, advance, dataFolder } = openBridge([
    destination('http', httpCrm(http.url)),
    destination('file', fileCrm('out')),
  ]);
  const leads = [await submit(leadOf(0)), await submit(leadOf(1)), await submit(leadOf(2))];
  await dispatcher.start();
  for (const lead of leads) await untilState(store, lead, 'delivered', 1);
  await untilAttempts(store, leads[0]!, 1);
  expect(http.received).toHaveLength(1);
  expect(await store.findPause('http')).toMatchObject({ reason: 'bad password' });

  advance(MINUTE);
  await untilAttempts(store, leads[1]!, 1);
  expect(http.received).toHaveLength(2);
  expect((await deliveriesOf(store, leads[2]!))[0]?.attempts).toBe(0);

  accepts = true;
  advance(MINUTE);
  for (const lead of leads) await untilState(store, lead, 'delivered');
  expect(await store.findPause('http')).toBeUndefined();
  expect(existsSync(join(dataFolder, 'out', `${leads[2]}.txt`))).toBe(true);
});

it('sends what waited for the pause at once when a person lifts it, the oldest first', async () => {
  const statuses = [500, 401];
  const http = await startHttp((_request, response, number) =>
    response.writeHead(statuses[number - 1] ?? 200).end('crm'),
  );
  const retry = { first_ms: 10 * MINUTE, max_ms: 30 * MINUTE, give_up_ms: 72 * HOUR };
  const { store, clock, dispatcher, submit } = openBridge([
    destination('http', httpCrm(http.url), { retry }),
  ]);
  const leads = [];
  for (let buyer = 0; buyer < 4; buyer += 1) leads.push(await submit(leadOf(buyer)));
  await dispatcher.start();
  await untilAttempts(store, leads[1]!, 1);
  const [own] = await deliveriesOf(store, leads[0]!);
  clock.time += MINUTE;

  await store.resend(leads[3]!, ['http'], by(clock.now()));
  dispatcher.wake();
  for (const lead of leads.slice(1)) await untilState(store, lead, 'delivered');
  expect(http.received.map(({ headers }) => headers['idempotency-key'])).toEqual([
    leads[0],
    leads[1],
    ...leads.slice(1),
  ]);
  const [still] = await deliveriesOf(store, leads[0]!);
  expect(still).toMatchObject({ state: 'queued', attempts: 1, nextAttemptAt: own!.nextAttemptAt });
});

it('a lead that was under way when the pause began ends it, but does not hurry the one that began it', async () => {
  const store = openStore();
  const desk = openDesk(store, {
    leads: leadsConfig({ destinations: [destination('http', fileCrm('out'))] }),
  });
  const clock = setClock();
  const claimed: ClaimedDelivery[] = [];
  for (const buyer of [0, 1]) {
    await desk.submit(leadOf(buyer));
    const now = clock.now();
    const claim = { destination: 'http', now, owner: 'me', leaseUntil: now + MINUTE, probing: false };
    claimed.push((await store.claimNext(claim))!);
  }
  const finish = async (index: number, report: Pick<AttemptReport, 'state' | 'nextAttemptAt' | 'pause'>) => {
    clock.time += 1000;
    const { deliveryId, startedAt } = claimed[index]!;
    const attempt = { startedAt, finishedAt: clock.now(), stage: 'http', sent: 'yes' as const };
    const told = { ...attempt, verdict: report.state, reason: 'because' };
    await store.finishAttempt({ deliveryId, owner: 'me', attempt: told, mayHaveArrived: false, ...report });
  };
  const until = clock.now() + HOUR;
  await finish(0, { state: 'queued', nextAttemptAt: until, pause: { until, reason: 'refused' } });
  await finish(1, { state: 'delivered', pause: 'lift' });
  expect(await store.findPause('http')).toBeUndefined();
  expect(await store.nextDueAt('http')).toBe(until);
});

it('does not stay paused when the clock is set back', async () => {
  const http = await startHttp((_request, response, number) =>
    response.writeHead(number === 1 ? 401 : 200).end('crm'),
  );
  const { store, dispatcher, submit, advance } = openBridge([destination('http', httpCrm(http.url))]);
  const lead = await submit(leadOf(0));
  await dispatcher.start();
  await untilAttempts(store, lead, 1);
  advance(-365 * 24 * HOUR);
  await untilState(store, lead, 'delivered');
  expect(await store.findPause('http')).toBeUndefined();
});

it('gives a lead up in the end, until a person sends it again', async () => {
  const http = await startHttp((_request, response) => response.writeHead(500).end());
  const { store, clock, dispatcher, submit, advance } = openBridge([
    destination('http', httpCrm(http.url), { retry: { first_ms: 1000, max_ms: 60_000, give_up_ms: MINUTE } }),
  ]);
  const lead = await submit(leadRequest());
  await dispatcher.start();
  for (let attempts = 1; attempts < 5; attempts += 1) {
    await untilAttempts(store, lead, attempts);
    await untilState(store, lead, 'queued');
    advance(1.2 * MINUTE);
  }
  await untilState(store, lead, 'dead');
  expect((await deliveriesOf(store, lead))[0]?.history.map(({ verdict }) => verdict)).toEqual(
    Array(5).fill('retry'),
  );

  // Sent again by hand it has all its time again, is marked as a repeat, and is still certainly not there.
  await store.resend(lead, ['http'], by(clock.now()));
  dispatcher.wake();
  await untilAttempts(store, lead, 6);
  expect(await stateOf(store, lead)).toBe('queued');
  expect(http.received[5]?.body).toContain('resend="true"');
  expect(await store.countDeliveries()).toMatchObject({ queued: 1, dead: 0 });
});

it('is not held up by a lead that breaks the adapter, and logs no customer data', async () => {
  const lines: string[] = [];
  const keep = (facts: object, message: string) => void lines.push(JSON.stringify({ ...facts, message }));
  const good = fileCrm('out');
  const crm: CrmAdapter = {
    ...good,
    build: (lead, options) => {
      const { last_name, email } = lead.request.customer;
      if (last_name === 'Number0')
        throw new Error(`cannot write ${last_name} <${email}>, call +1 (415) 555-0123`);
      return good.build(lead, options);
    },
    classify: (outcome, options) => {
      classified += 1;
      if (classified === 1) throw new Error('cannot judge');
      return good.classify(outcome, options);
    },
  };
  let classified = 0;
  const log = { debug: keep, info: keep, warn: keep, error: keep };
  const { store, dispatcher, submit, advance } = openBridge([destination('file', crm)], { log });
  const poisoned = await submit(leadOf(0));
  const unjudged = await submit(leadOf(1));
  const sound = await submit(leadOf(2));
  await dispatcher.start();
  await untilState(store, sound, 'delivered');
  expect((await deliveriesOf(store, poisoned))[0]).toMatchObject({
    state: 'queued',
    reason: 'the adapter could not build the lead: cannot write [customer] <[customer]>, call [number]',
  });
  expect(await stateOf(store, unjudged)).toBe('uncertain');
  advance(2000);
  await untilState(store, unjudged, 'delivered');
  expect(lines.join('\n')).not.toMatch(/Number0|buyer0|555-0123/);
});

it('finds a lead that a killed bridge left in mid-attempt, and sends it again with the same Message-ID', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const raws: string[] = [];
  let answers = false;
  const smtp = await startSmtp({
    onData: (stream, _session, done) => {
      void readMail(stream).then(
        (raw) => {
          raws.push(raw);
          if (answers) done();
        },
        // A bridge that was killed in the middle of a mail has sent nothing.
        () => undefined,
      );
    },
  });
  const child = fork(new URL('./sending-process.ts', import.meta.url), [file, String(smtp.port)], {
    silent: true,
  });
  const [lead] = (await once(child, 'message')) as [string];
  await vi.waitFor(() => expect(raws).toHaveLength(1), { timeout: 20_000 });
  child.kill('SIGKILL');
  await once(child, 'exit');

  answers = true;
  const { store, clock, dispatcher, advance } = openBridge(
    [destination('mail', mailCrm(smtpServerAt(smtp.port)))],
    {
      file,
    },
  );
  // Its lease has not run out, but the lock of the data folder says that it is dead.
  clock.time = Date.now();
  expect(await stateOf(store, lead)).toBe('sending');
  await dispatcher.start();
  await untilAttempts(store, lead, 1);
  const [recovered] = await deliveriesOf(store, lead);
  expect(recovered).toMatchObject({ state: 'uncertain', reason: 'the bridge stopped during this attempt' });
  advance(MINUTE);
  await untilState(store, lead, 'delivered');
  const messageIds = raws.map((raw) => /^Message-ID: (.*)$/im.exec(raw)?.[1]);
  expect(messageIds).toEqual([`<${lead}@dealer.example>`, `<${lead}@dealer.example>`]);
  expect(raws[1]).toContain('resend: true');
});

it('finishes the attempt under way when it is stopped, and begins no other', async () => {
  let release: (() => void) | undefined;
  const http = await startHttp((_request, response) => {
    release = () => response.end('crm-1');
  });
  const { store, dispatcher, submit } = openBridge([destination('http', httpCrm(http.url))]);
  const lead = await submit(leadOf(0));
  const next = await submit(leadOf(1));
  await dispatcher.start();
  await vi.waitFor(() => expect(release).toBeDefined(), { timeout: 20_000 });
  const stopped: ReturnType<Dispatcher['stop']> = dispatcher.stop();
  release?.();
  await stopped;
  expect(await stateOf(store, lead)).toBe('delivered');
  expect(await stateOf(store, next)).toBe('queued');
});

it('keeps the order and sends no more at once than the settings allow', async () => {
  const waiting: (() => void)[] = [];
  const order: string[] = [];
  let most = 0;
  const http = await startHttp((request, response) => {
    order.push(String(request.headers['idempotency-key']));
    waiting.push(() => response.end('crm'));
    most = Math.max(most, waiting.length);
  });
  const { store, dispatcher, submit } = openBridge([
    destination('http', httpCrm(http.url), { max_at_once: 3 }),
  ]);
  const leads: string[] = [];
  for (let buyer = 0; buyer < 8; buyer += 1) leads.push(await submit(leadOf(buyer)));
  await dispatcher.start();
  await vi.waitFor(() => expect(waiting).toHaveLength(3), { timeout: 20_000, interval: 5 });
  for (const [index] of leads.entries()) {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0), { timeout: 20_000, interval: 5 });
    waiting.shift()!();
    await untilState(store, leads[index]!, 'delivered');
  }
  expect(most).toBe(3);
  // The first three set out together; from then on one after the other.
  expect(order.slice(0, 3).sort()).toEqual(leads.slice(0, 3).sort());
  expect(order.slice(3)).toEqual(leads.slice(3));
  expect(new Set(order).size).toBe(8);
});

it('leaves nothing in mid-attempt of a destination that the settings no longer have', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const { store, dispatcher, submit, clock } = openBridge([destination('gone', fileCrm('out'))], { file });
  const lead = await submit(leadRequest());
  await store.claimNext({
    destination: 'gone',
    now: clock.now(),
    owner: 'a killed bridge',
    leaseUntil: clock.now() + HOUR,
    probing: false,
  });
  await dispatcher.stop();
  const after = openBridge([destination('other', fileCrm('out'))], { file });
  await after.dispatcher.start();
  expect((await deliveriesOf(after.store, lead))[0]).toMatchObject({
    state: 'uncertain',
    attempts: 1,
    reason: 'the bridge stopped during this attempt',
  });
});
