import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { runBridge } from '../cli/bridge-command.ts';
import { BridgeProcess, eventually, payloadOf } from '../e2e/bridge-process.ts';
import { leadRequest, writeDealership } from '../e2e/dealership.ts';

/** A CRM that counts how often it got each lead, and is out of order while `isDown`. */
async function countingCrm() {
  const crm = { got: new Map<string, number>(), isDown: false, url: '' };
  const server = createServer((request, response) => {
    const id = String(request.headers['idempotency-key']);
    request.resume().on('end', () => {
      if (!crm.isDown) crm.got.set(id, (crm.got.get(id) ?? 0) + 1);
      response.statusCode = crm.isDown ? 503 : 200;
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  crm.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/leads`;
  return crm;
}

/** Overwrites pages in the middle, as a dying disk does. */
function damage(file: string): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(60_000, 0xaa), 0, 60_000, 8192);
  closeSync(handle);
}

function statesOf(file: string): Map<string, string> {
  const database = new Database(file, { readonly: true });
  try {
    const rows = database
      .prepare<[], { lead_id: string; state: string }>('SELECT lead_id, state FROM deliveries')
      .all();
    return new Map(rows.map(({ lead_id, state }) => [lead_id, state]));
  } finally {
    database.close();
  }
}

it('a damaged leads.db is refused at the start, and a restore brings the leads back without sending one twice', async () => {
  const crm = await countingCrm();
  const configFile = writeDealership(`    - id: crm
      adapter: adf-http
      on_uncertain: stop
      retry: { first_seconds: 1, max_minutes: 1 }
      options: { url: "${crm.url}" }`);
  const bridge = new BridgeProcess({ configFile });
  onTestFinished(() => bridge.dispose());
  const where = ['--config', configFile, '--data', bridge.dataFolder];
  const leadsFile = bridge.path('leads.db');
  const submit = async (number: number): Promise<string> => {
    const request = leadRequest({ message: `question ${number}`, idempotency_key: `key-${number}` });
    return payloadOf(await bridge.ask(request)).data.lead_id as string;
  };
  const isDelivered = (id: string): Promise<true> =>
    eventually(`${id} is delivered`, () => (statesOf(leadsFile).get(id) === 'delivered' ? true : undefined));

  await bridge.start();
  const before = [await submit(1), await submit(2)];
  for (const id of before) await isDelivered(id);
  crm.isDown = true;
  const waiting = await submit(3);
  const made = await runBridge(['backup', 'now', ...where]);
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toContain('is made and verified');
  expect(made.out).toContain('leads.db (3 leads)');
  crm.isDown = false;
  await isDelivered(waiting);
  const after = [await submit(4), await submit(5)];
  for (const id of after) await isDelivered(id);
  await bridge.stop('SIGKILL');
  // Brings what is in the write-ahead log into the file itself.
  await runBridge(['leads', 'list', ...where]);
  damage(leadsFile);

  const refused = await runBridge(['start', ...where, '--port', '0', '--admin-port', '0']);
  expect(refused.code).toBe(3);
  expect(refused.err).toContain(`${leadsFile} is damaged`);
  expect(refused.err).toContain('"dealer-bridge backup list", then "backup restore NAME"');

  const [name = ''] = readdirSync(bridge.path('backups'));
  const asked = await runBridge(['backup', 'restore', name, ...where]);
  expect(asked.code).toBe(1);
  expect(asked.err).toContain('Nothing was changed. Add --yes to do it.');
  const restored = await runBridge(['backup', 'restore', name, ...where, '--yes']);
  expect(restored.code).toBe(0);
  expect(restored.out).toContain('1 deliveries may have gone out since the backup and wait for a person');

  await bridge.start();
  const another = await submit(6);
  await isDelivered(another);
  expect(statesOf(leadsFile)).toEqual(
    new Map([
      ...before.map((id) => [id, 'delivered'] as const),
      [waiting, 'uncertain'],
      [another, 'delivered'],
    ]),
  );
  expect(await submit(1)).toBe(before[0]);
  expect([...crm.got.values()]).toEqual([1, 1, 1, 1, 1, 1]);
  const audit = await runBridge(['leads', 'audit', ...where]);
  expect(audit.out).toContain('The consent ledger is whole: 4 records');
  const running = await runBridge(['backup', 'restore', name, ...where, '--yes']);
  expect(running.err).toContain('Another dealer-bridge is running');
  const health = (await (await fetch(`${bridge.adminUrl}/health`)).json()) as {
    backup: { last_good: { name: string } };
  };
  expect(health.backup.last_good.name).toBe(name);
});
