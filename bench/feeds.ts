import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeCsvFeed, writeXmlFeed } from './feed-files.ts';
import type { TaskResult } from './feed-task.ts';
import { quantile } from './measure.ts';
import { benchServing, type ServingFigure } from './search-during-import.ts';

/** One row of the bench: medians of all rounds, ours against the parser alone on the same file in the same rounds. */
export interface FeedFigure {
  name: string;
  rows: number;
  seconds: number;
  rowsPerSecond: number;
  /** Our rows a second over those of the yardstick: 0.5 is half its speed. Absent for the yardsticks themselves. */
  share?: number;
  /** The same by processor time, which other programs on the machine disturb less. */
  cpuShare?: number;
  /** Highest of all rounds. */
  peakRssMegabytes: number;
}

const ROWS = 100_000;
const ROUNDS = 3;
/** The worker thread's memory for short-lived values (inventory-thread.ts), a third of it. */
const AS_IN_WORKER = '--max-semi-space-size=16';
const TASK = fileURLToPath(new URL('feed-task.ts', import.meta.url));

/**
 * Taking in a whole file, up to the lot swapped, against csv-parse and saxes alone, turn by turn; each measurement is
 * a process. And searches on the main thread while a worker takes a file in.
 */
export async function benchFeeds(
  rows = ROWS,
  rounds = ROUNDS,
): Promise<{ intake: FeedFigure[]; serving: ServingFigure[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-feeds-'));
  try {
    const csv = await benchCsv(folder, rows, rounds);
    const serving = await benchServing(csvFiles(folder), 'homenet', mkdtempSync(join(folder, 'data-')));
    const xml = await benchXml(folder, rows, rounds);
    return { intake: [...csv, ...xml], serving };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function csvFiles(folder: string): { first: string; second: string } {
  return { first: join(folder, 'first.csv'), second: join(folder, 'second.csv') };
}

async function benchCsv(folder: string, rows: number, rounds: number): Promise<FeedFigure[]> {
  const { first, second } = csvFiles(folder);
  await writeCsvFeed(first, rows, 'first');
  await writeCsvFeed(second, rows, 'one percent changed');
  const [alone, whole, again]: [TaskResult[], TaskResult[], TaskResult[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const data = mkdtempSync(join(folder, 'data-'));
    alone.push(await perform('csv-parse', first));
    whole.push(await perform('import', first, 'homenet', data));
    again.push(await perform('import', second, 'homenet', data));
    rmSync(data, { recursive: true });
  }
  return [
    figure('csv-parse alone', alone),
    figure('CSV taken in', whole, alone),
    figure('CSV, 1 % changed', again, alone),
  ];
}

async function benchXml(folder: string, rows: number, rounds: number): Promise<FeedFigure[]> {
  const [first, second] = [join(folder, 'first.xml'), join(folder, 'second.xml')];
  await writeXmlFeed(first, rows, 'first');
  await writeXmlFeed(second, rows, 'one percent changed');
  const [alone, whole, again]: [TaskResult[], TaskResult[], TaskResult[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const data = mkdtempSync(join(folder, 'data-'));
    alone.push(await perform('saxes', first));
    whole.push(await perform('import', first, 'dealerspike', data));
    again.push(await perform('import', second, 'dealerspike', data));
    rmSync(data, { recursive: true });
  }
  return [
    figure('saxes alone', alone),
    figure('XML taken in', whole, alone),
    figure('XML, 1 % changed', again, alone),
  ];
}

function figure(name: string, rounds: TaskResult[], yardstick?: TaskResult[]): FeedFigure {
  const ms = median(rounds, (round) => round.ms);
  const rows = rounds[0]?.rows ?? 0;
  const shares =
    yardstick === undefined
      ? {}
      : {
          share: median(yardstick, (round) => round.ms) / ms,
          cpuShare: median(yardstick, (round) => round.cpuMs) / median(rounds, (round) => round.cpuMs),
        };
  return {
    name,
    rows,
    seconds: ms / 1_000,
    rowsPerSecond: (rows / ms) * 1_000,
    ...shares,
    peakRssMegabytes: Math.max(...rounds.map((round) => round.peakRssBytes)) / 2 ** 20,
  };
}

function median(rounds: TaskResult[], value: (round: TaskResult) => number): number {
  return quantile(rounds.map(value), 0.5);
}

/** Runs feed-task.ts; throws with what it printed when it fails. */
export function perform(...args: string[]): Promise<TaskResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [AS_IN_WORKER, TASK, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.on('error', reject).on('close', (code) => {
      if (code === 0) resolve(JSON.parse(printed) as TaskResult);
      else reject(new Error(`${args.join(' ')} ended with ${String(code)}`));
    });
  });
}
