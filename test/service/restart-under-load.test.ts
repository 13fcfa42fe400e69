import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { runBridge } from '../cli/bridge-command.ts';
import { BridgeProcess, eventually, payloadOf } from '../e2e/bridge-process.ts';
import { leadRequest, writeDealership } from '../e2e/dealership.ts';

const SENDERS = 4;
const LEADS_BETWEEN = 15;

let bridge: BridgeProcess;
afterEach(() => bridge.dispose());

/** How the bridge is ended while leads come in. */
const ENDINGS: { name: string; end: () => Promise<unknown> }[] = [
  { name: 'SIGTERM', end: () => bridge.stop('SIGTERM') },
  { name: 'kill -9', end: () => bridge.stop('SIGKILL') },
  { name: 'a stop file', end: stopByFile },
];

async function stopByFile(): Promise<void> {
  await runBridge(['stop', '--data', bridge.dataFolder]);
  expect(await bridge.ended()).toBe(0);
}

it('restarts under load: each lead that was acknowledged is delivered, once', async () => {
  bridge = new BridgeProcess({
    configFile: writeDealership('    - { id: crm, adapter: adf-file, options: { folder: out } }'),
  });
  await bridge.start();
  const acknowledged = new Set<string>();
  let url = bridge.url;
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  let sent = 0;

  /** As a buyer's agent does: the same lead with the same message id again, until it is acknowledged. */
  async function sendLeads(): Promise<void> {
    while (!isOver()) {
      const number = ++sent;
      const messageId = crypto.randomUUID();
      let leadId: string | undefined;
      do {
        leadId = await submit(url, messageId, number).catch(() => wait(20, undefined));
      } while (leadId === undefined && !isOver());
      if (leadId !== undefined) acknowledged.add(leadId);
    }
  }

  const senders = Array.from({ length: SENDERS }, sendLeads);
  for (const { name, end } of ENDINGS) {
    const target = acknowledged.size + LEADS_BETWEEN;
    await eventually(`leads come in before ${name}`, () => (acknowledged.size >= target ? true : undefined));
    await end();
    await bridge.start();
    url = bridge.url;
  }
  const target = acknowledged.size + LEADS_BETWEEN;
  await eventually('leads come in again', () => (acknowledged.size >= target ? true : undefined));
  over.abort();
  await Promise.all(senders);

  const delivered = await eventually('all are delivered', () => {
    const leads = deliveredLeads();
    return [...acknowledged].every((leadId) => leads.includes(leadId)) ? leads : undefined;
  });
  expect(delivered).toHaveLength(new Set(delivered).size);
  expect(acknowledged.size).toBeGreaterThanOrEqual((ENDINGS.length + 1) * LEADS_BETWEEN);
  expect(await bridge.stop()).toBe(0);
  // Four starts of the program.
}, 240_000);

/** Answers the id of the lead once it is acknowledged; throws when nobody answers. */
async function submit(url: string, messageId: string, number: number): Promise<string | undefined> {
  const data = leadRequest({
    customer: { first_name: 'Anna', last_name: 'Lee', email: `anna.${number}@example.com` },
  });
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'req-1',
      method: 'SendMessage',
      params: { message: { messageId, role: 'ROLE_USER', parts: [{ data }] } },
    }),
    signal: AbortSignal.timeout(5000),
  });
  if (!response.ok) return undefined;
  const { data: reply } = payloadOf((await response.json()) as Parameters<typeof payloadOf>[0]);
  return reply.status === 'received' || reply.status === 'duplicate' ? (reply.lead_id as string) : undefined;
}

/** The lead ids in the pick-up folder, one for each file. */
function deliveredLeads(): string[] {
  return readdirSync(bridge.path('out'))
    .filter((name) => name.endsWith('.xml'))
    .map((name) => /lead_[0-9a-f-]{36}/.exec(readFileSync(bridge.path('out', name), 'utf8'))?.[0] ?? name);
}
