import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InventoryStore, openInventoryStore } from '../../src/inventory/store.ts';
import type { FeedMode, RooftopChange } from '../../src/model/intake.ts';
import type { Vehicle } from '../../src/model/vehicle.ts';
import { type CaseFile, readCaseFile, stagedVehicle } from './case-files.ts';

const DAY_MS = 86_400_000;
const DAY_1 = Date.UTC(2026, 8, 14, 6);
const DAY_2 = DAY_1 + DAY_MS;
const DAY_3 = DAY_2 + DAY_MS;

let folder: string;
let store: InventoryStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inventory-store-'));
  store = openInventoryStore(join(folder, 'inventory.db'));
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

interface Import {
  confirmedAt: number;
  feedId?: string;
  mode?: FeedMode;
  removeAbsent?: boolean;
}

async function take(file: Partial<CaseFile>, options: Import): Promise<RooftopChange[]> {
  const { confirmedAt, feedId = 'hpm', mode = 'full', removeAbsent = true } = options;
  const run = await store.beginRun({ runId: 'run', feedId, mode, confirmedAt });
  await run.stage(file.vehicles ?? []);
  await run.stageRemovals(file.removals ?? []);
  return run.apply({ removeAbsent });
}

/** As another process would. */
async function takeElsewhere(file: Partial<CaseFile>, feedId = 'hpm'): Promise<void> {
  const other = openInventoryStore(join(folder, 'inventory.db'));
  const run = await other.beginRun({ runId: 'other', feedId, mode: 'full', confirmedAt: DAY_1 });
  await run.stage(file.vehicles ?? []);
  await run.apply({ removeAbsent: true });
  other.close();
}

function cars(...vehicles: (Vehicle & { at?: string })[]): Partial<CaseFile> {
  return {
    vehicles: vehicles.map(({ at = 'HPM01', ...vehicle }, index) =>
      stagedVehicle({ status: 'available', ...vehicle }, { row: index + 1, rooftopId: at }),
    ),
  };
}

function listed(reference: { vin?: string; stock?: string; vehicle_id?: string }): Vehicle | undefined {
  const found = store.findVehicle(reference);
  return found === undefined || found.leftAt !== undefined ? undefined : (JSON.parse(found.json) as Vehicle);
}

function lot(): string[] {
  return [...store.readAllForLot()].map(
    ({ rooftopId, vehicle }) => `${rooftopId} ${vehicle.vin ?? vehicle.stock ?? ''}`,
  );
}

const CAMRY = '4T1G11AK1LUA90109';
const CIVIC = '19XFL2H81TEA90104';
const CHEROKEE = '1C4RJFBG2JCA90112';
const FRONTIER = '1N6ED1EK6NNA90209';

describe('full snapshots', () => {
  test('day 1 fills the lot', async () => {
    expect(await take(readCaseFile('snapshots/day1.csv'), { confirmedAt: DAY_1 })).toEqual([
      { rooftopId: 'HPM01', before: 0, added: 14, changed: 0, unchanged: 0, removed: 0, moved: 0 },
    ]);
    expect(listed({ vin: CAMRY })).toMatchObject({ list_price: 19_995, updated_at: '2026-09-14T06:00:00Z' });
  });

  test('day 2 removes two, adds one, changes one price and confirms the rest', async () => {
    await take(readCaseFile('snapshots/day1.csv'), { confirmedAt: DAY_1 });
    expect(await take(readCaseFile('snapshots/day2-normal.csv'), { confirmedAt: DAY_2 })).toEqual([
      { rooftopId: 'HPM01', before: 14, added: 1, changed: 1, unchanged: 11, removed: 2, moved: 0 },
    ]);
    expect(lot()).toHaveLength(13);
    expect(listed({ vin: CAMRY })).toMatchObject({ list_price: 18_995, inventory_date: '2026-08-18' });
    expect(listed({ vin: CIVIC })).toMatchObject({
      inventory_date: '2026-09-02',
      updated_at: '2026-09-15T06:00:00Z',
    });
    expect(store.findVehicle({ vin: CHEROKEE })).toMatchObject({ rooftopId: 'HPM01', leftAt: DAY_2 });
  });

  test('comparing tells what applying would do and changes nothing', async () => {
    await take(readCaseFile('snapshots/day1.csv'), { confirmedAt: DAY_1 });
    await take(readCaseFile('snapshots/day2-normal.csv'), { confirmedAt: DAY_2 });
    const run = await store.beginRun({ runId: 'run', feedId: 'hpm', mode: 'full', confirmedAt: DAY_3 });
    await run.stage(readCaseFile('snapshots/day3-shrunk.csv').vehicles);
    const expected = [
      { rooftopId: 'HPM01', before: 13, added: 0, changed: 0, unchanged: 3, removed: 10, moved: 0 },
    ];
    expect(await run.compare()).toEqual(expected);
    await run.discard();
    expect(lot()).toHaveLength(13);
    expect(listed({ vin: CIVIC })?.updated_at).toBe('2026-09-15T06:00:00Z');
  });

  test('a shrunk file that is released removes what it no longer has', async () => {
    await take(readCaseFile('snapshots/day2-normal.csv'), { confirmedAt: DAY_2 });
    const [change] = await take(readCaseFile('snapshots/day3-shrunk.csv'), { confirmedAt: DAY_3 });
    expect(change).toMatchObject({ unchanged: 3, removed: 10 });
    expect(lot()).toHaveLength(3);
  });

  test('a file that may be cut short adds and changes but removes nothing', async () => {
    await take(readCaseFile('snapshots/day1.csv'), { confirmedAt: DAY_1 });
    const [change] = await take(readCaseFile('snapshots/day2-normal.csv'), {
      confirmedAt: DAY_2,
      removeAbsent: false,
    });
    expect(change).toEqual({
      rooftopId: 'HPM01',
      before: 14,
      added: 1,
      changed: 1,
      unchanged: 11,
      removed: 0,
      moved: 0,
    });
    expect(lot()).toHaveLength(15);
  });

  test('the same file again changes nothing but the time of confirmation', async () => {
    const day1 = readCaseFile('snapshots/day1.csv');
    await take(day1, { confirmedAt: DAY_1 });
    const [change] = await take(day1, { confirmedAt: DAY_2 });
    expect(change).toMatchObject({ added: 0, changed: 0, unchanged: 14, removed: 0 });
    expect(listed({ vin: CAMRY })?.updated_at).toBe('2026-09-15T06:00:00Z');
  });

  test('an older file never lowers updated_at', async () => {
    await take(readCaseFile('snapshots/day2-normal.csv'), { confirmedAt: DAY_2 });
    await take(readCaseFile('snapshots/day1.csv'), { confirmedAt: DAY_1 });
    expect(listed({ vin: CIVIC })?.updated_at).toBe('2026-09-15T06:00:00Z');
    // Its content counts all the same: what was taken in last is what the lot shows.
    expect(listed({ vin: CAMRY })).toMatchObject({ list_price: 19_995, updated_at: '2026-09-15T06:00:00Z' });
  });
});

describe('delta files', () => {
  test('change, add and remove only what they name', async () => {
    await take(readCaseFile('snapshots/day1.csv'), { confirmedAt: DAY_1 });
    const changes = await take(readCaseFile('snapshots/delta-changes.csv'), {
      confirmedAt: DAY_2,
      mode: 'delta',
    });
    expect(changes).toEqual([
      {
        rooftopId: 'HPM01',
        before: 14,
        added: 1,
        changed: 1,
        unchanged: 0,
        removed: 1,
        moved: 0,
        named: 1,
        standing: 14,
      },
    ]);
    expect(lot()).toHaveLength(14);
    expect(listed({ vin: CAMRY })?.list_price).toBe(18_495);
    expect(listed({ vin: FRONTIER })?.stock).toBe('U2009');
    expect(store.findVehicle({ vin: CHEROKEE })?.leftAt).toBe(DAY_2);
    expect(listed({ vin: CIVIC })?.updated_at).toBe('2026-09-14T06:00:00Z');
  });

  test('remove a vehicle that another feed of the dealer brought', async () => {
    await take(readCaseFile('snapshots/day1.csv'), { confirmedAt: DAY_1, feedId: 'bulk' });
    const delta = { removals: readCaseFile('snapshots/delta-changes.csv').removals };
    await take(delta, { confirmedAt: DAY_2, feedId: 'changes', mode: 'delta' });
    expect(lot()).toHaveLength(13);
  });

  test('that bring and remove the same vehicle mean what they say last', async () => {
    await take(cars({ vin: CIVIC }, { vin: CAMRY }), { confirmedAt: DAY_1 });
    const brought = cars({ vin: CIVIC, mileage: 9 }, { vin: CAMRY, mileage: 9 });
    const removals = [
      { row: 0, line: 1, key: 'r0', rooftopId: 'HPM01', identity: `vin:${CIVIC}` },
      { row: 7, line: 8, key: 'r7', rooftopId: 'HPM01', identity: `vin:${CAMRY}` },
    ];
    const [change] = await take({ ...brought, removals }, { confirmedAt: DAY_2, mode: 'delta' });
    expect(change).toMatchObject({ changed: 1, removed: 1 });
    expect(lot()).toEqual([`HPM01 ${CIVIC}`]);
    expect(listed({ vin: CIVIC })?.mileage).toBe(9);
  });
});

describe('duplicates in one file', () => {
  test('newest date wins, else the last row, and each loser is told why', async () => {
    const run = await store.beginRun({ runId: 'run', feedId: 'hpm', mode: 'full', confirmedAt: DAY_1 });
    await run.stage(readCaseFile('duplicates.csv').vehicles);
    expect(await run.dropDuplicates()).toEqual([
      { row: 1, line: 2, key: '1FTFW5L82TFA90101', keptRow: 3, reason: 'identical' },
      { row: 4, line: 5, key: '2HKRS6H77THA90103', keptRow: 5, reason: 'older' },
      { row: 6, line: 7, key: '5J6RT6H9XPLA90106', keptRow: 7, reason: 'earlier_row' },
      {
        row: 8,
        line: 9,
        key: '1FM5K8GC3NGA90107',
        keptRow: 9,
        reason: 'earlier_row',
        keptRooftopId: 'CRA02',
      },
    ]);
    expect(await run.sharedStock()).toEqual([
      { row: 10, line: 11, key: '1GCUDDEDXMZA90108', stock: 'HP2601', otherRow: 3 },
    ]);
    await run.apply({ removeAbsent: true });
    expect(lot()).toHaveLength(6);
    expect(listed({ vin: '2HKRS6H77THA90103' })).toMatchObject({
      list_price: 37_995,
      inventory_date: '2026-08-25',
    });
    expect(listed({ vin: '5J6RT6H9XPLA90106' })).toMatchObject({ stock: 'P1001A', condition: 'used' });
    expect(listed({ vin: '1FM5K8GC3NGA90107' })?.dealer_id).toBe('CRA02');
  });

  test('a dated row beats one without date, wherever it stands', async () => {
    const run = await store.beginRun({ runId: 'run', feedId: 'hpm', mode: 'full', confirmedAt: DAY_1 });
    await run.stage(cars({ vin: CIVIC, inventory_date: '2026-01-02' }, { vin: CIVIC }).vehicles ?? []);
    expect(await run.dropDuplicates()).toMatchObject([{ row: 2, keptRow: 1, reason: 'older' }]);
    await run.discard();
  });

  test('the same stock number at two rooftops is two vehicles, the same VIN is one', async () => {
    const file = cars(
      { stock: 'A1' },
      { stock: 'A1', at: 'CRA02' },
      { vin: CIVIC },
      { vin: CIVIC, at: 'CRA02' },
    );
    await take(file, { confirmedAt: DAY_1 });
    expect(lot()).toEqual(['CRA02 A1', 'HPM01 A1', `CRA02 ${CIVIC}`]);
  });
});

describe('what a feed may remove', () => {
  test('only vehicles that it brought itself', async () => {
    await take(cars({ vin: CIVIC }), { confirmedAt: DAY_1, feedId: 'new-cars' });
    await take(cars({ vin: CAMRY }), { confirmedAt: DAY_1, feedId: 'used-cars' });
    const [change] = await take(cars({ vin: CHEROKEE }), { confirmedAt: DAY_2, feedId: 'used-cars' });
    expect(change).toMatchObject({ before: 1, added: 1, removed: 1 });
    expect(lot()).toEqual([`HPM01 ${CIVIC}`, `HPM01 ${CHEROKEE}`]);
  });

  test('a vehicle of two feeds belongs to the one that told it last', async () => {
    await take(cars({ vin: CIVIC }, { vin: CAMRY }), { confirmedAt: DAY_1, feedId: 'one' });
    await take(cars({ vin: CIVIC }), { confirmedAt: DAY_1, feedId: 'other' });
    await take(cars({ vin: CAMRY }), { confirmedAt: DAY_2, feedId: 'one' });
    expect(lot()).toEqual([`HPM01 ${CIVIC}`, `HPM01 ${CAMRY}`]);
    await take(cars({ vin: FRONTIER }), { confirmedAt: DAY_2, feedId: 'other' });
    expect(lot()).toEqual([`HPM01 ${FRONTIER}`, `HPM01 ${CAMRY}`]);
  });

  test('only at rooftops that its file names', async () => {
    await take(cars({ vin: CIVIC }, { vin: CAMRY, at: 'CRA02' }), { confirmedAt: DAY_1 });
    const changes = await take(cars({ vin: CHEROKEE }), { confirmedAt: DAY_2 });
    expect(changes).toEqual([
      { rooftopId: 'HPM01', before: 1, added: 1, changed: 0, unchanged: 0, removed: 1, moved: 0 },
    ]);
    expect(lot()).toEqual([`HPM01 ${CHEROKEE}`, `CRA02 ${CAMRY}`]);
  });

  test('a car that the feed moves to another rooftop leaves the old one, in a delta too', async () => {
    await take(cars({ vin: CIVIC }, { vin: CAMRY }), { confirmedAt: DAY_1 });
    const moved = cars({ vin: CIVIC, at: 'CRA02' });
    expect(await take(moved, { confirmedAt: DAY_2, mode: 'delta' })).toEqual([
      { rooftopId: 'CRA02', before: 0, added: 1, changed: 0, unchanged: 0, removed: 0, moved: 0 },
      { rooftopId: 'HPM01', before: 2, added: 0, changed: 0, unchanged: 0, removed: 1, moved: 1 },
    ]);
    expect(lot()).toEqual([`CRA02 ${CIVIC}`, `HPM01 ${CAMRY}`]);
    expect(store.findVehicle({ vin: CIVIC })?.rooftopId).toBe('CRA02');
  });
});

describe('what is kept of a vehicle', () => {
  test('its inventory date, when a later file does not tell it', async () => {
    await take(cars({ vin: CIVIC, inventory_date: '2026-01-02' }), { confirmedAt: DAY_1 });
    await take(cars({ vin: CIVIC, mileage: 7 }), { confirmedAt: DAY_2 });
    expect(listed({ vin: CIVIC })).toEqual({
      status: 'available',
      vin: CIVIC,
      mileage: 7,
      inventory_date: '2026-01-02',
      updated_at: '2026-09-15T06:00:00Z',
    });
  });

  test('no inventory date is invented', async () => {
    await take(cars({ vin: CIVIC }), { confirmedAt: DAY_1 });
    expect(listed({ vin: CIVIC })).not.toHaveProperty('inventory_date');
  });

  test('a tombstone, from which it comes back as it was', async () => {
    await take(cars({ vin: CIVIC, inventory_date: '2026-01-02' }, { vin: CAMRY }), { confirmedAt: DAY_1 });
    await take(cars({ vin: CAMRY }), { confirmedAt: DAY_2 });
    expect(listed({ vin: CIVIC })).toBeUndefined();
    const [change] = await take(cars({ vin: CAMRY }, { vin: CIVIC }), { confirmedAt: DAY_3 });
    expect(change).toMatchObject({ before: 1, added: 1, unchanged: 1 });
    expect(listed({ vin: CIVIC })).toMatchObject({
      inventory_date: '2026-01-02',
      updated_at: '2026-09-16T06:00:00Z',
    });
  });

  test('text that JSON must escape, untouched', async () => {
    const description = 'Ruby ❤ 20" wheels\n\u2028 "as is" \\ </script> \u0007';
    await take(cars({ vin: CIVIC, description }), { confirmedAt: DAY_1 });
    expect(listed({ vin: CIVIC })?.description).toBe(description);
  });

  test('a vehicle that is not for sale is a bug of the caller', async () => {
    const run = await store.beginRun({ runId: 'run', feedId: 'hpm', mode: 'full', confirmedAt: DAY_1 });
    const [sold] = cars({ vin: CIVIC, status: 'sold' as 'available' }).vehicles ?? [];
    await expect(run.stage(sold === undefined ? [] : [sold])).rejects.toThrow('status sold');
    await run.discard();
  });
});

describe('finding one vehicle', () => {
  test('the most specific identifier decides alone', async () => {
    await take(cars({ vin: CIVIC, stock: 'A1' }, { vin: CAMRY, stock: 'B2', vehicle_id: 'veh_2' }), {
      confirmedAt: DAY_1,
    });
    expect(listed({ vin: ` ${CIVIC.toLowerCase()} `, stock: 'B2' })?.stock).toBe('A1');
    expect(listed({ stock: ' b2 ', vehicle_id: 'nothing' })?.vin).toBe(CAMRY);
    expect(listed({ vehicle_id: 'veh_2' })?.vin).toBe(CAMRY);
    expect(store.findVehicle({ vin: 'UNKNOWN', stock: 'A1' })).toBeUndefined();
    expect(store.findVehicle({})).toBeUndefined();
    expect(store.findVehicle({ stock: ' ' })).toBeUndefined();
  });

  test('of one stock number at several rooftops, a listed vehicle before one that left, then the newest', async () => {
    await take(cars({ stock: 'A1', at: 'CRA02' }), { confirmedAt: DAY_1, feedId: 'cra' });
    await take(cars({ stock: 'A1', at: 'LPO03' }), { confirmedAt: DAY_2, feedId: 'lpo' });
    await take(cars({ stock: 'A1' }, { stock: 'Z9' }), { confirmedAt: DAY_3 });
    await take(cars({ stock: 'Z9' }), { confirmedAt: DAY_3 });
    expect(store.findVehicle({ stock: 'a1' })?.rooftopId).toBe('LPO03');
  });
});

describe('several connections', () => {
  test('a reader notices an import of another connection and sees it whole', async () => {
    await take(cars({ vin: CIVIC }), { confirmedAt: DAY_1 });
    const reader = openInventoryStore(join(folder, 'inventory.db'), { readonly: true });
    const version = reader.dataVersion();
    expect(reader.dataVersion()).toBe(version);
    const run = await store.beginRun({ runId: 'run', feedId: 'hpm', mode: 'full', confirmedAt: DAY_2 });
    await run.stage(cars({ vin: CAMRY }).vehicles ?? []);
    expect(reader.dataVersion()).toBe(version);
    await run.apply({ removeAbsent: true });
    expect(reader.dataVersion()).not.toBe(version);
    expect([...reader.readAllForLot()].map(({ vehicle }) => vehicle.vin)).toEqual([CAMRY]);
    reader.close();
  });

  test('what a reader was asked before is told anew after another connection has changed it', async () => {
    await take(cars({ vin: CIVIC, list_price: 20_000 }, { vin: CAMRY }), { confirmedAt: DAY_1 });
    const reader = openInventoryStore(join(folder, 'inventory.db'), { readonly: true });
    const ids = [...reader.readAllForLot()].map(({ rowId }) => rowId);
    const prices = (): unknown[] =>
      reader.readListingTexts(ids).map((text) => text && (JSON.parse(text) as Vehicle).list_price);
    const found = (): unknown =>
      JSON.parse(reader.findVehicle({ vin: CIVIC })?.json ?? 'null') as Vehicle | null;
    expect([prices(), prices(), found()]).toMatchObject([
      [20_000, undefined],
      [20_000, undefined],
      { list_price: 20_000 },
    ]);
    await take(cars({ vin: CIVIC, list_price: 19_000 }), { confirmedAt: DAY_2 });
    await setImmediate();
    expect([prices(), found()]).toMatchObject([[19_000, undefined], { list_price: 19_000 }]);
    expect(reader.findVehicle({ vin: CAMRY })?.leftAt).toBe(DAY_2);
    await take(cars({ vin: CAMRY }), { confirmedAt: DAY_3 });
    await setImmediate();
    expect(reader.findVehicle({ vin: CIVIC })?.leftAt).toBe(DAY_3);
    reader.close();
  });

  test('a vehicle that another one takes in while a file is compared is known when that is applied', async () => {
    const run = await store.beginRun({ runId: 'run', feedId: 'hpm', mode: 'full', confirmedAt: DAY_2 });
    await run.stage(cars({ vin: CAMRY, list_price: 20_000 }, { vin: CIVIC }).vehicles ?? []);
    expect(await run.compare()).toMatchObject([{ before: 0, added: 2, changed: 0, unchanged: 0 }]);
    await takeElsewhere(cars({ vin: CAMRY, list_price: 19_000 }));
    expect(await run.apply({ removeAbsent: true })).toMatchObject([
      { before: 1, added: 1, changed: 1, unchanged: 0, removed: 0 },
    ]);
    expect(listed({ vin: CAMRY })).toMatchObject({ list_price: 20_000, updated_at: '2026-09-15T06:00:00Z' });
    expect(lot()).toEqual([`HPM01 ${CIVIC}`, `HPM01 ${CAMRY}`]);
  });

  test('recognised vehicles stay recognised when another one takes in something else', async () => {
    const recordHash = new Uint8Array(16).fill(7);
    const [camry] = cars({ vin: CAMRY, list_price: 20_000 }).vehicles ?? [];
    if (camry === undefined) throw new Error('no vehicle');
    await take({ vehicles: [{ ...camry, recordHash }] }, { confirmedAt: DAY_1 });
    const run = await store.beginRun({ runId: 'run', feedId: 'hpm', mode: 'full', confirmedAt: DAY_2 });
    const rowId = (await run.knownRecords?.())?.find(recordHash);
    expect(rowId).toBeDefined();
    await run.stage([{ row: 1, line: 1, rowId: rowId ?? 0, recordHash }]);
    await takeElsewhere(cars({ vin: CIVIC }), 'other');
    expect(await run.apply({ removeAbsent: true })).toMatchObject([{ changed: 0, unchanged: 1, removed: 0 }]);
    expect(listed({ vin: CAMRY })).toMatchObject({ list_price: 20_000, updated_at: '2026-09-15T06:00:00Z' });
    expect(lot()).toEqual([`HPM01 ${CIVIC}`, `HPM01 ${CAMRY}`]);
  });

  test('a page is read in the order asked, with a gap for what is no longer there', async () => {
    await take(cars({ vin: CIVIC }, { vin: CAMRY }), { confirmedAt: DAY_1 });
    const ids = [...store.readAllForLot()].map(({ rowId }) => rowId);
    const texts = store.readListingTexts([...ids.toReversed(), 999]);
    expect(texts.map((text) => text && (JSON.parse(text) as Vehicle).vin)).toEqual([CAMRY, CIVIC, undefined]);
    expect(store.readListingTexts([])).toEqual([]);
  });

  test('everything is there after closing and opening again', async () => {
    await take(readCaseFile('snapshots/day1.csv'), { confirmedAt: DAY_1 });
    await take(readCaseFile('snapshots/day2-normal.csv'), { confirmedAt: DAY_2 });
    const before = [...store.readAllForLot()];
    store.close();
    store = openInventoryStore(join(folder, 'inventory.db'));
    expect([...store.readAllForLot()]).toEqual(before);
    expect(store.findVehicle({ vin: CHEROKEE })?.leftAt).toBe(DAY_2);
  });
});

describe('runs of one connection', () => {
  test('take turns', async () => {
    const first = await store.beginRun({ runId: 'one', feedId: 'hpm', mode: 'full', confirmedAt: DAY_1 });
    const second = store.beginRun({ runId: 'two', feedId: 'cra', mode: 'full', confirmedAt: DAY_1 });
    await first.stage(cars({ vin: CIVIC }).vehicles ?? []);
    await first.discard();
    const run = await second;
    expect(await run.compare()).toEqual([]);
    await run.stage(cars({ vin: CAMRY }).vehicles ?? []);
    await run.apply({ removeAbsent: true });
    expect(lot()).toEqual([`HPM01 ${CAMRY}`]);
  });

  test('cannot be used after their end', async () => {
    const run = await store.beginRun({ runId: 'one', feedId: 'hpm', mode: 'full', confirmedAt: DAY_1 });
    await run.discard();
    await run.discard();
    await expect(run.stage([])).rejects.toThrow('one has been applied or discarded');
  });
});

describe('the record of runs', () => {
  const record = {
    feedId: 'hpm',
    fileName: 'inventory.csv',
    fingerprint: 'ab',
    finishedAt: '2026-09-14T06:00:09Z',
    rows: 14,
    accepted: 14,
    rejected: 0,
    added: 14,
    changed: 0,
    unchanged: 0,
    removed: 0,
  };

  test('is listed newest first, by feed and up to a limit', async () => {
    const held = { code: 'FEED_SHRUNK', message: 'Too few' };
    const first = { ...record, runId: 'run_1', status: 'ok', startedAt: '2026-09-14T06:00:00Z' } as const;
    const second = {
      ...record,
      ...held,
      runId: 'run_2',
      status: 'held',
      startedAt: '2026-09-15T06:00:00Z',
    } as const;
    const other = { ...first, runId: 'run_3', feedId: 'cra', startedAt: '2026-09-14T12:00:00Z' };
    for (const run of [first, second, other]) await store.recordRun(run);
    expect(await store.listRuns()).toEqual([second, other, first]);
    expect(await store.listRuns({ feedId: 'hpm' })).toEqual([second, first]);
    expect(await store.listRuns({ limit: 1 })).toEqual([second]);
  });

  test('is written again when a held run is released', async () => {
    const held = {
      ...record,
      runId: 'run_1',
      startedAt: '2026-09-14T06:00:00Z',
      status: 'held',
      code: 'X',
    } as const;
    await store.recordRun(held);
    const { code: _, ...released } = { ...held, status: 'ok' as const };
    await store.recordRun(released);
    expect(await store.listRuns()).toEqual([released]);
  });

  test('knows the held ones, oldest first, as long as nothing of their feed was taken in since', async () => {
    const run = (runId: string, feedId: string, hour: string, status: 'ok' | 'held' | 'failed') => ({
      ...{ ...record, runId, feedId, status },
      startedAt: `2026-09-14T${hour}:00:00Z`,
    });
    const late = run('late', 'hpm', '10', 'held');
    const early = run('early', 'cra', '09', 'held');
    for (const each of [run('first', 'hpm', '08', 'ok'), late, early]) await store.recordRun(each);
    expect(store.listHeldRuns()).toEqual([early, late]);
    await store.recordRun(run('bad', 'hpm', '11', 'failed'));
    expect(store.listHeldRuns()).toEqual([early, late]);
    await store.recordRun(run('newer', 'hpm', '11', 'ok'));
    expect(store.listHeldRuns()).toEqual([early]);
  });
});

describe('removals that give only a number', () => {
  const delta = { confirmedAt: DAY_2, mode: 'delta' as const };
  const civic = { vin: '1HGCY2F57RA000001', stock: 'T1', vehicle_id: 'v-1' };
  const accord = { vin: '1HGCV1F34NA000002', stock: 'T2' };

  function removal(identity: string, row = 1): Partial<CaseFile> {
    return { removals: [{ row, line: row + 1, key: identity, rooftopId: 'HPM01', identity }] };
  }

  test.each(['stock:T1', 'id:V-1'])(
    '%s takes off the vehicle that is kept under its VIN',
    async (identity) => {
      await take(cars(civic, accord), { confirmedAt: DAY_1 });
      const changes = await take(removal(identity), delta);
      expect(changes).toMatchObject([{ rooftopId: 'HPM01', removed: 1 }]);
      expect(lot()).toEqual([`HPM01 ${accord.vin}`]);
      expect(store.findVehicle({ vin: civic.vin })).toMatchObject({ leftAt: DAY_2 });
    },
  );

  test('the same number at another rooftop stays', async () => {
    await take(cars({ ...civic, at: 'CRA02' }), { confirmedAt: DAY_1 });
    await take(removal('stock:T1'), delta);
    expect(lot()).toEqual([`CRA02 ${civic.vin}`]);
  });

  test('a number that several vehicles carry takes none off and is told', async () => {
    await take(cars(civic, { ...accord, stock: 't1' }), { confirmedAt: DAY_1 });
    const run = await store.beginRun({ runId: 'run', feedId: 'hpm', ...delta });
    await run.stageRemovals(removal('stock:T1', 7).removals ?? []);
    expect(await run.ambiguousRemovals()).toEqual([
      { row: 7, line: 8, key: 'stock:T1', rooftopId: 'HPM01', identity: 'stock:T1', matches: 2 },
    ]);
    expect(await run.apply({ removeAbsent: true })).toMatchObject([{ removed: 0 }]);
    expect(lot()).toHaveLength(2);
  });

  test('of several the one that is kept under the number itself is meant', async () => {
    await take(cars(civic, { stock: 'T1' }), { confirmedAt: DAY_1 });
    const run = await store.beginRun({ runId: 'run', feedId: 'hpm', ...delta });
    await run.stageRemovals(removal('stock:T1').removals ?? []);
    expect(await run.ambiguousRemovals()).toEqual([]);
    await run.apply({ removeAbsent: true });
    expect(lot()).toEqual([`HPM01 ${civic.vin}`]);
  });

  function vinRemoval(vin: string, stock: string): Partial<CaseFile> {
    const identity = `vin:${vin}`;
    return { removals: [{ row: 1, line: 2, key: vin, rooftopId: 'HPM01', identity, stock }] };
  }

  test('a VIN takes off the vehicle that came without one, by the stock number beside it', async () => {
    await take(cars({ stock: 'T1' }, accord), { confirmedAt: DAY_1 });
    const changes = await take(vinRemoval(civic.vin, 't1'), delta);
    expect(changes).toMatchObject([{ removed: 1 }]);
    expect(lot()).toEqual([`HPM01 ${accord.vin}`]);
  });

  test('a VIN that is gone leaves the vehicle alone that has its stock number now', async () => {
    await take(cars({ ...accord, stock: 'T1' }), { confirmedAt: DAY_1 });
    await take(vinRemoval(civic.vin, 'T1'), delta);
    expect(lot()).toEqual([`HPM01 ${accord.vin}`]);
  });

  test('a VIN that is on the lot takes off that one and no namesake of its stock number', async () => {
    await take(cars(civic, { stock: 'T1' }), { confirmedAt: DAY_1 });
    const changes = await take(vinRemoval(civic.vin, 'T1'), delta);
    expect(changes).toMatchObject([{ removed: 1 }]);
    expect(lot()).toHaveLength(1);
    expect(store.findVehicle({ vin: civic.vin })).toMatchObject({ leftAt: DAY_2 });
  });

  test('a vehicle that the same file brings first and removes later does not come', async () => {
    await take({ ...cars(civic), ...removal('stock:T1', 2) }, delta);
    expect(lot()).toEqual([]);
  });

  test('a vehicle that the same file removes first and brings later comes', async () => {
    const [brought] = cars(civic).vehicles ?? [];
    await take({ vehicles: [{ ...brought!, row: 5 }], ...removal('stock:T1', 2) }, delta);
    expect(lot()).toEqual([`HPM01 ${civic.vin}`]);
  });
});
