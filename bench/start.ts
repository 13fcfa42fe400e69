import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { fillInventory, writeGroupConfig } from './http/bridge-process.ts';
import { quantile } from './measure.ts';

export interface StartFigure {
  name: string;
  /** Medians over the rounds: from the start of the process until a search over HTTP answered with all vehicles. */
  seconds: number;
  /** What the process had computed by then, on all cores; undefined where the system does not tell. */
  cpuSeconds: number | undefined;
  slowestSeconds: number;
}

const ROUNDS = 5;
const SIZES = [10_000, 100_000];
const LIMIT_MS = 60_000;
const LOOK_MS = 5;
/** Linux counts the CPU time of a process in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const CLONE = fileURLToPath(new URL('../bin/dealer-bridge.mjs', import.meta.url));

/** A program folder's way to run: of a clone, or of an unpacked package (its own node and launcher). */
export interface ProgramUnderTest {
  node: string;
  launcher: string;
}

/**
 * How long a start takes with a lot kept from before. One start before those that count fills the caches of code and
 * disk, as on any machine on which the bridge has run before.
 */
export async function benchStart(
  program: ProgramUnderTest = { node: process.execPath, launcher: CLONE },
  sizes: readonly number[] = SIZES,
): Promise<StartFigure[]> {
  const figures = [];
  for (const size of sizes) figures.push(await benchSize(program, size));
  return figures;
}

async function benchSize(program: ProgramUnderTest, size: number): Promise<StartFigure> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  try {
    await fillInventory(folder, size);
    const config = writeGroupConfig(folder);
    await startOnce(program, config, folder, size);
    const starts = [];
    for (let round = 0; round < ROUNDS; round++) starts.push(await startOnce(program, config, folder, size));
    const seconds = starts.map((start) => start.seconds);
    const cpu = starts.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
    return {
      name: `start with ${size} vehicles`,
      seconds: quantile(seconds, 0.5),
      cpuSeconds: cpu.length === 0 ? undefined : quantile(cpu, 0.5),
      slowestSeconds: Math.max(...seconds),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function startOnce(
  { node, launcher }: ProgramUnderTest,
  config: string,
  dataFolder: string,
  size: number,
): Promise<{ seconds: number; cpuSeconds: number | undefined }> {
  const port = await freePort();
  const words = ['start', '--config', config, '--data', dataFolder, '--port', String(port)];
  const startedAt = performance.now();
  const child = spawn(node, [launcher, ...words, '--admin-port', '0'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'close');
  try {
    while ((await vehiclesFound(port)) !== size) {
      if (child.exitCode !== null) throw new Error('the bridge did not start');
      if (performance.now() - startedAt > LIMIT_MS) throw new Error(`no vehicles within ${LIMIT_MS} ms`);
      await pause(LOOK_MS);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    return { seconds, cpuSeconds: child.pid === undefined ? undefined : cpuSecondsOf(child.pid) };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** Undefined while nobody answers. */
async function vehiclesFound(port: number): Promise<number | undefined> {
  const data = { type: 'inventory.search.request', filters: {}, pagination: { skip: 0, limit: 20 } };
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ data }] };
  try {
    const response = await fetch(`http://127.0.0.1:${port}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
    });
    const found = /"total":(\d+)/.exec(await response.text())?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

function cpuSecondsOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  // After the command's name, which may hold blanks: utime and stime are the 12th and 13th fields.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
