import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startInventoryThread } from '../../src/bridge/inventory-thread.ts';
import type { FeedConfig } from '../../src/config/config.ts';
import type { LotData } from '../../src/inventory/lot/lot-data.ts';
import { openInventoryStore } from '../../src/inventory/store.ts';
import { silentLog } from '../../src/model/log.ts';
import { stagedVehicle } from '../inventory/case-files.ts';
import { eventually } from '../e2e/bridge-process.ts';
import { rooftop } from '../feeds-mapping/run-profile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'thread-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const DEATH = 'the inventory thread ended and is started again';

const feedOf = (dataFolder: string): FeedConfig => ({
  id: 'f',
  folder: join(dataFolder, 'inbox', 'f'),
  profile: 'homenet',
  files: '*',
  mode: 'full',
  rooftop: { kind: 'column' },
  settle_ms: 5000,
  guard: { max_removed_percent: 20, max_removed_vehicles: 10 },
});

it('a thread that dies is started again and hands over the lot; stop ends it even between death and start', async () => {
  const file = join(folder, 'inventory.db');
  const store = openInventoryStore(file);
  const run = await store.beginRun({ runId: 'r', feedId: 'f', mode: 'full', confirmedAt: 1 });
  await run.stage([stagedVehicle({ stock: 'T1', status: 'available' }, { row: 1, rooftopId: 'ONE' })]);
  await run.apply({ removeAbsent: true });
  store.close();

  const warnings: string[] = [];
  const lots: LotData[] = [];
  const thread = startInventoryThread(
    { dataFolder: folder, rooftops: [rooftop('ONE', 'One')], feeds: [feedOf(folder)] },
    {
      log: { ...silentLog, warn: (_facts, message) => void warnings.push(message) },
      onLot: (lot) => void lots.push(lot),
    },
  );
  await thread.firstLot;
  await thread.ready;

  // Text that is no JSON is what a bug or a damaged page looks like to the thread: it throws and dies.
  const intruder = new Database(file);
  const { json } = intruder.prepare('SELECT json FROM listing').get() as { json: string };
  intruder.prepare('UPDATE listing SET json = ?').run('{broken');
  await eventually('death', () => warnings.find((message) => message === DEATH));
  intruder.prepare('UPDATE listing SET json = ?').run(json);
  intruder.close();
  const again = await eventually('a second lot', () => lots[1]);
  expect(again.rowCount).toBe(1);

  await thread.stop();
  await thread.stop();
});

it('a database that the thread can not read rejects the first lot', async () => {
  const database = new Database(join(folder, 'inventory.db'));
  database.pragma('user_version = 999');
  database.close();
  const thread = startInventoryThread(
    { dataFolder: folder, rooftops: [], feeds: [] },
    { log: silentLog, onLot: () => undefined },
  );
  await expect(thread.firstLot).rejects.toThrow('was written by a newer dealer-bridge');
  await thread.stop();
});
