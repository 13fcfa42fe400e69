import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { freePort } from './free-port.ts';
import { submitLead } from './lead-requests.ts';

/** A server in a process of its own. */
export interface LeadServer {
  origin: string;
  process: ChildProcess;
}

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** The demo's own destination is a file, which waits for the disk several times a lead; most CRMs are asked by HTTP. */
const DEMO_DESTINATION = /adapter: adf-file\n\s+options:\n\s+folder: outgoing-leads\n/;

/** As long as a CRM on the internet takes, so that leads are brought out meanwhile, though not faster than in life. */
const CRM_ANSWERS_AFTER_MS = 200;

/** The demo dealership, with one destination: a CRM in this process that takes one lead after the other by HTTP. */
export async function startBridge(folder: string): Promise<LeadServer> {
  const demo = readFileSync(join(ROOT, 'config/bridge.yaml'), 'utf8').replaceAll('\r\n', '\n');
  if (!DEMO_DESTINATION.test(demo))
    throw new Error('the demo no longer has the destination that is replaced here');
  const settings = demo
    .replaceAll('../samples/', join(ROOT, 'samples/').replaceAll('\\', '/'))
    .replace(DEMO_DESTINATION, `adapter: adf-http\n      options:\n        url: ${await startCrm()}\n`);
  const config = join(folder, 'bridge.yaml');
  writeFileSync(config, `${settings}\nrate_limits: { enabled: false }\n`);
  const port = await freePort();
  const words = ['start', '--config', config, '--data', join(folder, 'data'), '--port', String(port)];
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), ...words, '--admin-port', '0'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://127.0.0.1:${port}`;
  await takesLeads(origin);
  return { origin, process: child };
}

/** `replyBytes`: how long its answers are. */
export async function startBare(folder: string, replyBytes: number): Promise<LeadServer> {
  const script = join(ROOT, 'bench/bare-server.ts');
  const child = spawn(process.execPath, [script, join(folder, 'bare.db'), String(replyBytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { origin: `http://127.0.0.1:${port.toString().trim()}`, process: child };
}

/** Stops its clockwork without its noticing, or lets it go on. Windows knows no such signal: there both always run. */
export function hold(server: LeadServer, still: boolean): void {
  if (process.platform !== 'win32') server.process.kill(still ? 'SIGSTOP' : 'SIGCONT');
}

export async function end({ process: child }: LeadServer): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
}

async function startCrm(): Promise<string> {
  const crm = createHttpServer((request, response) => {
    request.resume().on('end', () => setTimeout(() => response.end('taken'), CRM_ANSWERS_AFTER_MS));
  }).listen(0, '127.0.0.1');
  await once(crm, 'listening');
  crm.unref();
  return `http://127.0.0.1:${(crm.address() as AddressInfo).port}/leads`;
}

/** The first files are in when the vehicle of the lead is known. */
async function takesLeads(origin: string): Promise<void> {
  const pool = new Pool(origin);
  for (let tries = 0; tries < 1_200; tries++) {
    const taken = await submitLead(pool).then(
      () => true,
      () => false,
    );
    if (taken) return pool.close();
    await pause(100);
  }
  throw new Error('the bridge takes no lead');
}
