import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createDoor, DoorMemory } from '../../src/agent/door/door.ts';
import { createDispatcher } from '../../src/leads/dispatcher.ts';
import { silentLog } from '../../src/model/log.ts';
import { createPublicServer } from '../../src/web/server.ts';
import { tokenEntry } from '../access/tokens.ts';
import { openDealership } from '../agent/dealership.ts';
import { startHttp } from '../leads/crm-servers.ts';
import {
  answered,
  CEDAR,
  destination,
  fileCrm,
  HARBOR,
  httpCrm,
  leadOf,
  leadsConfig,
  openDesk,
  openStore,
  setClock,
  temporaryFolder,
} from '../leads/lead-harness.ts';

it('a new door knows who has called how often, and the last good state of a token file that is broken now', () => {
  const folder = mkdtempSync(join(tmpdir(), 'door-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'tokens.yaml');
  writeFileSync(file, JSON.stringify({ tokens: [tokenEntry('known')] }));
  const { config } = openDealership();
  const memory = new DoorMemory();
  let now = Date.parse('2026-04-30T10:00:00Z');
  const open = (burst: number) =>
    createDoor({
      access: { ...config.access, tokens_file: file },
      rateLimits: {
        enabled: true,
        limit_local_calls: true,
        max_clients: 10,
        searches: { per_minute: 1, burst, all_clients_per_minute: 600 },
        leads: { per_minute: 1, burst, all_clients_per_minute: 600 },
      },
      memory,
      clock: { now: () => now },
      log: silentLog,
    });
  const caller = { key: '192.0.2.1', isLocal: false };
  const enters = (door: ReturnType<typeof open>) => door.admit('Bearer known', caller).caller.token?.name;

  const before = open(2);
  expect(enters(before)).toBe('known');
  expect([1, 2].map(() => before.charge(caller, 'inventory.search'))).toEqual([0, 0]);

  writeFileSync(file, 'tokens: [');
  now += 5000;
  const after = open(3);
  expect(enters(after)).toBe('known');
  expect(after.status()).toMatchObject({
    tokens: 1,
    fault: expect.stringContaining('tokens.yaml') as string,
  });
  expect(after.charge(caller, 'inventory.search')).toBe(0);
  expect(after.charge(caller, 'inventory.search')).toBeGreaterThan(0);
});

it('an open server answers the next call, also of an open connection, by the other settings', async () => {
  const { agent, config } = openDealership();
  const server = createPublicServer(agent, config, silentLog);
  const { publicUrl } = await server.listen(0, '127.0.0.1');
  onTestFinished(() => server.close());
  const card = async () => (await (await fetch(`${publicUrl}/.well-known/agent-card.json`)).json()) as object;
  const first = await card();

  server.change(agent, config);
  expect(await card()).toEqual(first);

  const changed = openDealership({
    config: (before) => ({
      ...before,
      skills: { ...before.skills, 'inventory.facets': false },
      mcp: { ...before.mcp, enabled: false },
    }),
  });
  server.change(changed.agent, changed.config);
  const second = await card();
  expect(JSON.stringify(first)).toContain('inventory.facets');
  expect(JSON.stringify(second)).not.toContain('inventory.facets');
  expect((await fetch(`${publicUrl}/mcp`, { method: 'POST', body: '{}' })).status).toBe(404);
});

it('a destination that changes in mid-attempt gets no lead twice, and one that stays is not disturbed', async () => {
  const answers: (() => void)[] = [];
  const asked: string[] = [];
  const crm = await startHttp((request, response) => {
    asked.push(String(request.headers['idempotency-key']));
    answers.push(() => response.writeHead(200).end('{}'));
  });
  const slow = destination('slow', httpCrm(crm.url), { max_at_once: 1 });
  const folder = temporaryFolder();
  const files = destination('files', fileCrm(folder));
  const store = openStore();
  const clock = setClock();
  const dispatcher = createDispatcher({
    store,
    destinations: [slow, files],
    rooftops: [HARBOR, CEDAR],
    dataFolder: temporaryFolder(),
    clock,
    log: silentLog,
  });
  onTestFinished(() => dispatcher.stop());
  const desk = openDesk(store, {
    leads: leadsConfig({ destinations: [slow, files] }),
    clock,
    log: silentLog,
    onQueued: () => dispatcher.wake(),
  });
  const submit = async (n: number) => answered(await desk.submit(leadOf(n))).answer.lead_id;
  const states = async (id: string) =>
    (await store.find(id))?.deliveries.map(({ state, attempts }) => `${state} ${attempts}`);

  await dispatcher.start();
  const first = await submit(1);
  await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 20_000 });
  dispatcher.change({ destinations: [{ ...slow, max_at_once: 3 }, files], rooftops: [HARBOR, CEDAR] });
  dispatcher.change({ destinations: [{ ...slow, max_at_once: 2 }, files], rooftops: [HARBOR, CEDAR] });
  const second = await submit(2);
  await vi.waitFor(async () => expect((await states(second))?.[1]).toBe('delivered 1'), { timeout: 20_000 });
  // The old hands still hold the first one: the new ones have not begun.
  expect(asked).toHaveLength(1);
  expect((await states(second))?.[0]).toBe('queued 0');

  answers[0]?.();
  await vi.waitFor(() => expect(asked).toHaveLength(2), { timeout: 20_000 });
  answers[1]?.();
  await vi.waitFor(async () => expect(await states(second)).toEqual(['delivered 1', 'delivered 1']), {
    timeout: 20_000,
  });
  expect(await states(first)).toEqual(['delivered 1', 'delivered 1']);
  expect(new Set(asked).size).toBe(2);
});
