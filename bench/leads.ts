import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { quantile } from './measure.ts';

/** One row of the bench: medians over the rounds, both sides in turns. */
export interface LeadFigure {
  name: string;
  clients: number;
  leadsPerSecond: number;
  yardstickPerSecond: number;
  /** Ours over the yardstick's: 0.5 is half its rate. */
  share: number;
  medianMs: number;
  p99Ms: number;
}

const ROUNDS = 5;
const ROUND_MS = 2_000;
const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * lead.submit over HTTP, each lead on disk (synchronous=FULL) before its answer, against a bare express handler with
 * one FULL commit a request. Real processes; while leads come in the bridge delivers them to a CRM that takes them by
 * HTTP and answers at once.
 */
export async function benchLeads(): Promise<LeadFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-leads-'));
  const children: ChildProcess[] = [];
  try {
    const bridge = await startBridge(folder, children);
    const bare = await startBare(folder, children);
    const figures = [];
    for (const clients of [1, 16]) figures.push(await compare(clients, bridge, bare));
    return figures;
  } finally {
    for (const child of children) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    }
    rmSync(folder, { recursive: true });
  }
}

async function startBridge(folder: string, children: ChildProcess[]): Promise<string> {
  const settings = readFileSync(join(ROOT, 'config/bridge.yaml'), 'utf8').replaceAll(
    '../samples/',
    join(ROOT, 'samples/'),
  );
  const crm = createHttpServer((request, response) => {
    request.resume().on('end', () => response.end('taken'));
  }).listen(0, '127.0.0.1');
  await once(crm, 'listening');
  crm.unref();
  const address = `http://127.0.0.1:${(crm.address() as AddressInfo).port}/leads`;
  const config = join(folder, 'bridge.yaml');
  writeFileSync(config, `${settings.replace('ADDRESS', address)}\nrate_limits: { enabled: false }\n`);
  const port = await freePort();
  const words = ['start', '--config', config, '--data', join(folder, 'data'), '--port', String(port)];
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), ...words, '--admin-port', '0'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  const origin = `http://127.0.0.1:${port}`;
  const pool = new Pool(origin);
  for (let tries = 0; tries < 300; tries++) {
    // The first files are in when the vehicle of the lead is known.
    const takesLeads = await submit(pool).then(
      () => true,
      () => false,
    );
    if (takesLeads) {
      await pool.close();
      return origin;
    }
    await pause(100);
  }
  throw new Error('the bridge takes no lead');
}

async function startBare(folder: string, children: ChildProcess[]): Promise<string> {
  const script = join(ROOT, 'bench/bare-server.ts');
  const child = spawn(process.execPath, [script, join(folder, 'bare.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return `http://127.0.0.1:${port.toString().trim()}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function compare(clients: number, ours: string, yardstick: string): Promise<LeadFigure> {
  const pools = {
    ours: new Pool(ours, { connections: clients }),
    bare: new Pool(yardstick, { connections: clients }),
  };
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  const times: number[] = [];
  await load(pools.ours, clients, ROUND_MS / 2);
  await load(pools.bare, clients, ROUND_MS / 2);
  for (let round = 0; round < ROUNDS; round++) {
    const mine = await load(pools.ours, clients, ROUND_MS);
    times.push(...mine.times);
    rates.ours.push(mine.perSecond);
    rates.bare.push((await load(pools.bare, clients, ROUND_MS)).perSecond);
  }
  await Promise.all([pools.ours.close(), pools.bare.close()]);
  const [leadsPerSecond, yardstickPerSecond] = [quantile(rates.ours, 0.5), quantile(rates.bare, 0.5)];
  return {
    name: `lead.submit, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
    clients,
    leadsPerSecond,
    yardstickPerSecond,
    share: leadsPerSecond / yardstickPerSecond,
    medianMs: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

/** So many clients, each sending one lead after the other. */
async function load(
  pool: Pool,
  clients: number,
  forMs: number,
): Promise<{ perSecond: number; times: number[] }> {
  const times: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() - started < forMs) {
        const began = performance.now();
        await submit(pool);
        times.push(performance.now() - began);
      }
    }),
  );
  return { perSecond: times.length / ((performance.now() - started) / 1_000), times };
}

async function submit(pool: Pool): Promise<void> {
  const { statusCode, body } = await pool.request({
    path: '/a2a',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: newLead(),
  });
  const text = await body.text();
  if (statusCode !== 200 || !text.includes('"received"')) throw new Error(`no lead was taken: ${text}`);
}

const template = JSON.parse(readFileSync(join(ROOT, 'samples/requests/lead.json'), 'utf8')) as {
  params: {
    message: { messageId: string; parts: { data: Record<string, unknown> & { customer: object } }[] };
  };
};
let buyers = 0;

/** Another buyer each time, or it would be a repeat. */
function newLead(): string {
  buyers += 1;
  const { message } = template.params;
  const parts = message.parts.map(({ data, ...part }) => {
    const { idempotency_key: _key, ...lead } = data;
    return {
      ...part,
      data: {
        ...lead,
        customer: {
          ...data.customer,
          email: `buyer${buyers}@example.com`,
          phone: `+1${2_070_000_000 + buyers}`,
        },
      },
    };
  });
  return JSON.stringify({
    ...template,
    params: { message: { ...message, messageId: `bench-${buyers}`, parts } },
  });
}
