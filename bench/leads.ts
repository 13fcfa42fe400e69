import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { submitLead } from './lead-requests.ts';
import { end, hold, startBare, startBridge, type LeadServer } from './lead-servers.ts';
import { quantile } from './measure.ts';

/** One row of the bench: medians over the rounds, both sides in turns. */
export interface LeadFigure {
  name: string;
  clients: number;
  leadsPerSecond: number;
  yardstickPerSecond: number;
  /** Ours over the yardstick's, the median of the rounds' own: 0.5 is half its rate. */
  share: number;
  medianMs: number;
  p99Ms: number;
}

interface Side {
  server: LeadServer;
  pool: Pool;
}

const WARM_UP_ROUNDS = 3;
const ROUNDS = 12;
const ROUND_MS = 1_000;

/**
 * lead.submit over HTTP, each lead on disk (synchronous=FULL) before its answer, against a bare express handler that
 * gets such bodies, stores each in a FULL commit of its own and answers as many bytes. Both are processes with a
 * database of their own, measured in turns; the one whose turn it is not stands still. What the bridge does beside
 * accepting counts against it: it also delivers, one lead at a time, to a CRM that takes them by HTTP within 0.2 s.
 */
export async function benchLeads(): Promise<LeadFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-leads-'));
  const servers: LeadServer[] = [];
  try {
    const bridge = await startBridge(folder);
    servers.push(bridge);
    const bare = await startBare(folder, await replyBytesOf(bridge));
    servers.push(bare);
    const figures = [];
    for (const clients of [1, 16]) figures.push(await compare(clients, bridge, bare));
    return figures;
  } finally {
    await Promise.all(servers.map(end));
    rmSync(folder, { recursive: true });
  }
}

async function replyBytesOf({ origin }: LeadServer): Promise<number> {
  const pool = new Pool(origin);
  const bytes = await submitLead(pool);
  await pool.close();
  return bytes;
}

async function compare(clients: number, bridge: LeadServer, bare: LeadServer): Promise<LeadFigure> {
  const ours = { server: bridge, pool: new Pool(bridge.origin, { connections: clients }) };
  const yardstick = { server: bare, pool: new Pool(bare.origin, { connections: clients }) };
  const rounds: { mine: Turn; theirs: Turn }[] = [];
  for (const { server } of [ours, yardstick]) hold(server, true);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const measured = { mine: await turn(ours, clients), theirs: await turn(yardstick, clients) };
    // The first rounds warm both up.
    if (round >= 0) rounds.push(measured);
  }
  for (const { server, pool } of [ours, yardstick]) {
    hold(server, false);
    await pool.close();
  }
  const median = (of: (round: { mine: Turn; theirs: Turn }) => number): number =>
    quantile(rounds.map(of), 0.5);
  const times = rounds.flatMap(({ mine }) => mine.times);
  return {
    name: `lead.submit, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
    clients,
    leadsPerSecond: median(({ mine }) => mine.perSecond),
    yardstickPerSecond: median(({ theirs }) => theirs.perSecond),
    share: median(({ mine, theirs }) => mine.perSecond / theirs.perSecond),
    medianMs: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

interface Turn {
  perSecond: number;
  /** Of each lead, in ms. */
  times: number[];
}

/** So many clients, each sending one lead after the other, while the other side stands still. */
async function turn({ server, pool }: Side, clients: number): Promise<Turn> {
  const times: number[] = [];
  hold(server, false);
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() - started < ROUND_MS) {
        const began = performance.now();
        await submitLead(pool);
        times.push(performance.now() - began);
      }
    }),
  );
  const perSecond = times.length / ((performance.now() - started) / 1_000);
  hold(server, true);
  return { perSecond, times };
}
