import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantile } from '../measure.ts';
import { type LoadClient, postText, type ServedLoad } from './load.ts';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';

/** One request against the bridge and against the servers that know nothing but its reply; medians of the rounds. */
export interface HttpFigure {
  name: string;
  clients: number;
  replyBytes: number;
  perSecond: number;
  barePerSecond: number;
  expressPerSecond: number;
  medianMs: number;
  p99Ms: number;
  /** Processor time of the bridge for one reply. */
  cpuMicros: number;
  /** By processor time: bare node:http's for a reply over ours. 0.6 = it costs 0.6 of what we cost. */
  ofBare: number;
  ofExpress: number;
}

export interface HttpQuestion {
  name: string;
  /** JSON-RPC texts, asked in turn. */
  calls: readonly [string, ...string[]];
}

/** A bridge that serves, who asks it, and a folder for files of the bench. */
export interface AskedLot {
  bridge: MeasuredProcess;
  client: LoadClient;
  folder: string;
}

const ROUNDS = 5;
const ROUND_MS = 120;
/** Until then the engine has compiled what it will compile: some ten thousand calls. */
const WARM_UP_MS = 3_000;
const WARM_UP_CLIENTS = 16;
const SCRIPT = fileURLToPath(new URL('yardstick-server.ts', import.meta.url));
const SERVES = /serves on (\d+)/;

/** One side of the comparison; `path` is where it answers the n-th question. */
interface Side {
  server: MeasuredProcess;
  path: (index: number) => string;
}

/** Asks everything A B C A B C …: bridge, bare node:http, express. */
export async function compareHttp(
  { bridge, client, folder }: AskedLot,
  questions: readonly HttpQuestion[],
  clientCounts: readonly number[],
): Promise<HttpFigure[]> {
  const bodies: string[] = [];
  for (const { name, calls } of questions) {
    const requests = [postText('/a2a', calls[0])];
    const { body } = await client.run(bridge, { requests, clients: 1, ms: 1 });
    if (!body.includes('"result"')) throw new Error(`${name}: the bridge answered ${body.slice(0, 300)}`);
    bodies.push(body);
  }
  const bare = await startYardstick('bare', folder, bodies);
  const express = await startYardstick('express', folder, bodies);
  const sides: Side[] = [
    { server: bridge, path: () => '/a2a' },
    { server: bare, path: (index) => `/${index}` },
    { server: express, path: (index) => `/${index}` },
  ];
  try {
    for (const side of sides) {
      const ms = WARM_UP_MS / questions.length;
      for (const [index, { calls }] of questions.entries()) {
        const requests = calls.map((call) => postText(side.path(index), call));
        await client.run(side.server, { requests, clients: WARM_UP_CLIENTS, ms });
      }
    }
    const figures: HttpFigure[] = [];
    for (const [index, { name, calls }] of questions.entries()) {
      for (const clients of clientCounts) {
        const loads = sides.map((): ServedLoad[] => []);
        for (let round = 0; round < ROUNDS; round++) {
          for (const [place, { server, path }] of sides.entries()) {
            const requests = calls.map((call) => postText(path(index), call));
            loads[place]?.push(await client.run(server, { requests, clients, ms: ROUND_MS }));
          }
        }
        const label = `${name}, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
        figures.push(figureOf(label, clients, bodies[index] ?? '', loads));
      }
    }
    return figures;
  } finally {
    await Promise.all([bare.stop(), express.stop()]);
  }
}

/** @param bodies what it answers at /0, /1, … */
export function startYardstick(
  kind: 'bare' | 'express' | 'cluster',
  folder: string,
  bodies: readonly string[],
): Promise<MeasuredProcess> {
  const file = join(folder, 'replies.txt');
  writeFileSync(file, bodies.map((body) => Buffer.from(body).toString('base64')).join('\n'));
  return startMeasured(SCRIPT, [kind, file], SERVES);
}

function figureOf(
  name: string,
  clients: number,
  body: string,
  [ours = [], bare = [], express = []]: readonly ServedLoad[][],
): HttpFigure {
  const cpuMicros = median(ours, (load) => load.cpuMicros);
  return {
    name,
    clients,
    replyBytes: Buffer.byteLength(body),
    perSecond: median(ours, ({ perSecond }) => perSecond),
    barePerSecond: median(bare, ({ perSecond }) => perSecond),
    expressPerSecond: median(express, ({ perSecond }) => perSecond),
    medianMs: median(ours, ({ medianMs }) => medianMs),
    p99Ms: median(ours, ({ p99Ms }) => p99Ms),
    cpuMicros,
    ofBare: median(bare, (load) => load.cpuMicros) / cpuMicros,
    ofExpress: median(express, (load) => load.cpuMicros) / cpuMicros,
  };
}

function median(loads: readonly ServedLoad[], value: (load: ServedLoad) => number): number {
  return quantile(loads.map(value), 0.5);
}
