import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCsvFeed } from './feed-files.ts';
import { startBridgeProcess } from './http/bridge-process.ts';
import { callText, type LoadClient, postText, type ServedLoad, startLoadClient } from './http/load.ts';
import type { MeasuredProcess } from './http/measured-process.ts';
import { quantile } from './measure.ts';
import { atMost, rounded, type Row } from './report.ts';

const ROWS = 100_000;
const ROUND_MS = 500;
const IDLE_ROUNDS = 8;
const LIMIT_MS = 120_000;
const MOST_TIMES_IDLE = 2;
const MOST_BLOCK_MS = 20;

/** More pages than the bridge keeps answers of questions that come again. */
const REQUESTS = Array.from({ length: 2_000 }, (_, skip) =>
  postText('/a2a', callText('inventory.search', { pagination: { skip, limit: 20 } })),
);

/**
 * Searches of one client at the real program: first with nothing else to do, then while it takes in a file of which one
 * row in a hundred is new, and swaps the lot. The worst half second counts.
 */
export async function benchRebuild(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rebuild-'));
  const inbox = join(folder, 'inbox', 'bench');
  mkdirSync(inbox, { recursive: true });
  await writeCsvFeed(join(inbox, 'first.csv'), ROWS, 'first');
  const next = join(folder, 'second.csv');
  await writeCsvFeed(next, ROWS, 'one percent changed');
  const bridge = await startBridgeProcess(folder);
  const client = startLoadClient();
  try {
    await servedUntil(bridge, client, ({ body }) => body.includes(`"total":${ROWS}`));
    // What has been kept from the first file is collected, the engine has compiled what it will.
    for (let round = 0; round < IDLE_ROUNDS; round++) await serve(bridge, client);
    await bridge.look();
    const idle: ServedLoad[] = [];
    for (let round = 0; round < IDLE_ROUNDS; round++) idle.push(await serve(bridge, client));
    const idleBlockMs = Math.max(...idle.map(({ longestBlockMs }) => longestBlockMs));
    renameSync(next, join(inbox, 'second.csv'));
    const done = join(folder, 'done', 'bench');
    const busy = await servedUntil(bridge, client, () =>
      readdirSync(done).some((name) => name.endsWith('second.csv')),
    );
    busy.push(await serve(bridge, client));
    const times = rounded(worstP99(busy) / worstP99(idle), 1);
    const blockMs = rounded(Math.max(...busy.map(({ longestBlockMs }) => longestBlockMs)), 1);
    return [
      { name: 'search, idle', values: valuesOf(idle, idleBlockMs), goals: [] },
      {
        name: 'search, while a file is taken in',
        values: { ...valuesOf(busy, blockMs), 'times idle': times },
        goals: [
          atMost('times idle', times, MOST_TIMES_IDLE),
          atMost('longest block ms', blockMs, MOST_BLOCK_MS),
        ],
      },
    ];
  } finally {
    client.stop();
    await bridge.stop();
    rmSync(folder, { recursive: true });
  }
}

async function servedUntil(
  bridge: MeasuredProcess,
  client: LoadClient,
  isEnough: (load: ServedLoad) => boolean,
): Promise<ServedLoad[]> {
  const loads: ServedLoad[] = [];
  const started = performance.now();
  for (;;) {
    const load = await serve(bridge, client);
    loads.push(load);
    if (isEnough(load)) return loads;
    if (performance.now() - started > LIMIT_MS) throw new Error('the file was not taken in');
  }
}

function serve(bridge: MeasuredProcess, client: LoadClient): Promise<ServedLoad> {
  return client.run(bridge, { requests: REQUESTS, clients: 1, ms: ROUND_MS });
}

function worstP99(loads: readonly ServedLoad[]): number {
  return Math.max(...loads.map(({ p99Ms }) => p99Ms));
}

function valuesOf(loads: readonly ServedLoad[], blockMs: number): Row['values'] {
  return {
    'median ms': rounded(
      quantile(
        loads.map(({ medianMs }) => medianMs),
        0.5,
      ),
      3,
    ),
    'worst p99 ms': rounded(worstP99(loads), 2),
    'longest block ms': rounded(blockMs, 1),
  };
}
