import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/inventory/schema.ts';
import { openInventoryStore } from '../../src/inventory/store.ts';
import { stagedVehicle } from './case-files.ts';

/** Whose word about a vehicle counts, in a database that an earlier program has filled. */

const BEFORE_TOLD = 7;
const CIVIC = '19XFL2H81TEA90104';
const CAMRY = '4T1G11AK1LUA90109';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inventory-told-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

it('takes the last confirmation for the newest word where no other was kept', async () => {
  const file = join(folder, 'inventory.db');
  const older = new Database(file);
  for (const step of MIGRATIONS.slice(0, BEFORE_TOLD)) older.exec(step);
  const insert = older.prepare(`
    INSERT INTO vehicle (rooftop_id, identity, feed_id, vin, content_hash, first_seen, updated_at, left_at)
    VALUES ('HPM01', 'vin:' || @vin, 'bulk', @vin, 'old', 1000, 2000, @leftAt)`);
  insert.run({ vin: CIVIC, leftAt: null });
  insert.run({ vin: CAMRY, leftAt: 5000 });
  older.exec(`INSERT INTO listing (row_id, json) SELECT row_id, '{}' FROM vehicle`);
  older.pragma(`user_version = ${BEFORE_TOLD}`);
  older.close();

  const store = openInventoryStore(file);
  await store.recordRun({
    ...{
      runId: 'r',
      feedId: 'bulk',
      fileName: 'f',
      fingerprint: 'x',
      status: 'ok',
      startedAt: '',
      finishedAt: '',
    },
    ...{ rows: 0, accepted: 0, rejected: 0, added: 0, changed: 0, unchanged: 0, removed: 0 },
  });
  const bring = async (confirmedAt: number): Promise<boolean[]> => {
    const run = await store.beginRun({ runId: 'd', feedId: 'delta', mode: 'delta', confirmedAt });
    await run.stage(
      [CIVIC, CAMRY].map((vin, row) =>
        stagedVehicle({ vin, status: 'available', mileage: confirmedAt }, { row, rooftopId: 'HPM01' }),
      ),
    );
    const outdated = await run.settleOutdated();
    await run.apply({ removeAbsent: false });
    return outdated.map(({ isLost }) => isLost);
  };
  expect(await bring(1500)).toEqual([false, true]);
  expect(store.findRecords(CIVIC)[0]?.vehicle.mileage).toBeUndefined();
  expect(await bring(3000)).toEqual([true]);
  expect(store.findRecords(CIVIC)[0]).toMatchObject({
    feedId: 'bulk',
    toldBy: 'delta',
    vehicle: { mileage: 3000 },
  });
  expect(await bring(6000)).toEqual([]);
  expect(store.findRecords(CAMRY)[0]).toMatchObject({ feedId: 'delta', vehicle: { mileage: 6000 } });
  store.close();
});
