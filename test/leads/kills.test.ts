import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SMTPServer } from 'smtp-server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createDispatcher } from '../../src/leads/dispatcher.ts';
import type { LeadStore, LeadTrail } from '../../src/leads/lead-store.ts';
import { systemClock } from '../../src/model/clock.ts';
import { silentLog } from '../../src/model/log.ts';
import { readMail, startHttp, startSmtp } from './crm-servers.ts';
import { CEDAR, HARBOR, impatient, openStore, temporaryFolder } from './lead-harness.ts';

/** LEAD_KILLS=200 for a thorough run; LEAD_SEED repeats one. */
const KILLS = Number(process.env.LEAD_KILLS ?? 12);
const SEED = Number(process.env.LEAD_SEED ?? 20_261_130);
const LATEST_KILL_MS = 1_500;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Mood = 'take' | 'refuse' | 'stall' | 'drop' | 'late';

/** Cuts one connection, as a server that crashes does: its kit has no word for that. */
function hangUp(server: SMTPServer, sessionId: string): void {
  const { connections } = server as unknown as { connections: Set<{ id: string; _socket: Socket }> };
  for (const { id, _socket } of connections) if (id === sessionId) _socket.destroy();
}

const nothing = (): void => undefined;

/** Two CRMs that behave badly until they are asked not to, and remember what they have taken. */
async function startMoodyCrms(random: () => number) {
  const moods: Mood[] = ['take', 'take', 'refuse', 'stall', 'drop', 'late'];
  const state = { isGood: false };
  const mood = (): Mood => (state.isGood ? 'take' : moods[Math.floor(random() * moods.length)]!);
  /** What identified each copy to its CRM, by lead. */
  const taken = { mail: new Map<string, string[]>(), http: new Map<string, string[]>() };
  const take = (crm: 'mail' | 'http', lead: string, identity: string) =>
    taken[crm].set(lead, [...(taken[crm].get(lead) ?? []), identity]);

  const smtp = await startSmtp({
    closeTimeout: 100,
    onData: (stream, session, done) => {
      const now = mood();
      void readMail(stream).then(async (raw) => {
        if (now === 'refuse') {
          done(Object.assign(new Error('busy'), { responseCode: 451 }));
          return;
        }
        take('mail', /^lead_\S+/m.exec(raw)![0], /^Message-ID: (.*)$/im.exec(raw)![1]!);
        if (now === 'stall') return;
        // Around the patience of the sender, so that some answers are heard and some are not.
        if (now === 'late') await pause(100 + 100 * random());
        if (now === 'drop') hangUp(smtp.server, session.id);
        else done();
        // A bridge that was killed in the middle of a mail has sent nothing.
      }, nothing);
    },
    onMailFrom: (_address, _session, done) => {
      if (mood() === 'refuse') done(Object.assign(new Error('not now'), { responseCode: 450 }));
      else done();
    },
  });
  const http = await startHttp((request, response) => {
    const now = mood();
    if (now === 'refuse') return void response.writeHead(503).end();
    take('http', /lead_[^"]+/.exec(request.body)![0], String(request.headers['idempotency-key']));
    if (now === 'stall') return;
    if (now === 'drop') return void response.destroy();
    setTimeout(() => response.end('crm-1'), now === 'late' ? 100 + 100 * random() : 0);
  });
  return { smtpPort: smtp.port, httpUrl: http.url, taken, behave: () => (state.isGood = true) };
}

/** Runs a bridge, kills it at an instant that has nothing to do with what it does, and gives what it acknowledged. */
async function runAndKill(afterMs: number, args: readonly string[]): Promise<string[]> {
  const script = fileURLToPath(new URL('./faulty-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const closed = once(child, 'close');
  await pause(afterMs);
  child.kill('SIGKILL');
  await closed;
  return printed.split('\n').filter((line) => /^lead_\S{36}$/.test(line));
}

/** Of a delivery to a CRM that behaves, on a slow machine. */
const MOST_MS_A_LEAD = 100;

async function allTrails(store: LeadStore): Promise<LeadTrail[]> {
  const leads = await store.list({ limit: 1_000_000 });
  return Promise.all(leads.map(async ({ lead_id }) => (await store.find(lead_id))!));
}

it(
  `delivers every acknowledged lead after ${KILLS} kills at random instants, and doubles only what was uncertain (LEAD_SEED=${SEED})`,
  async () => {
    const random = randomNumbers(SEED);
    const { smtpPort, httpUrl, taken, behave } = await startMoodyCrms(randomNumbers(SEED + 1));
    const file = join(temporaryFolder(), 'leads.db');
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const args = [file, String(smtpPort), httpUrl, String(round)];
      acknowledged.push(...(await runAndKill(random() * LATEST_KILL_MS, args)));
    }
    // One that lives long enough, so that no seed and no slow machine makes this test one of nothing.
    acknowledged.push(...(await runAndKill(4 * LATEST_KILL_MS, [file, String(smtpPort), httpUrl, '999'])));
    expect(acknowledged.length).toBeGreaterThan(0);

    behave();
    const store = openStore(file);
    const dispatcher = createDispatcher({
      store,
      destinations: impatient(smtpPort, httpUrl, 10_000),
      rooftops: [HARBOR, CEDAR],
      dataFolder: '.',
      clock: systemClock,
      log: silentLog,
    });
    onTestFinished(() => dispatcher.stop());
    await dispatcher.start();
    // The more kills, the more leads have come in; one mail after the other takes its time.
    const waiting = (await store.countWaiting()).reduce((sum, queue) => sum + queue.waiting, 0);
    await vi.waitFor(async () => expect(await store.countWaiting()).toEqual([]), {
      timeout: 60_000 + waiting * MOST_MS_A_LEAD,
      interval: 50,
    });

    const trails = await allTrails(store);
    const stored = new Set(trails.map(({ lead }) => lead.lead_id));
    expect(acknowledged.filter((lead) => !stored.has(lead))).toEqual([]);
    const faults: string[] = [];
    for (const { lead, deliveries } of trails) {
      for (const { destination, state, history } of deliveries) {
        const copies = taken[destination as 'mail' | 'http'].get(lead.lead_id) ?? [];
        const identity = destination === 'mail' ? `<${lead.lead_id}@dealer.example>` : lead.lead_id;
        const doubts = history.filter(({ sent }) => sent === 'maybe').length;
        const toldOf = `${lead.lead_id} ${destination}: ${state}, ${copies.length} copies, ${doubts} doubts`;
        if (state !== 'delivered' || copies.length === 0) faults.push(toldOf);
        if (copies.some((copy) => copy.trim() !== identity)) faults.push(`${toldOf}, other identity`);
        if (copies.length > 1 + doubts) faults.push(`${toldOf}, doubled`);
      }
    }
    expect(faults).toEqual([]);
    expect(trails.every(({ deliveries }) => deliveries.length === 2)).toBe(true);
    expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: trails.length });
  },
  KILLS * LATEST_KILL_MS * 6 + 240_000,
);
