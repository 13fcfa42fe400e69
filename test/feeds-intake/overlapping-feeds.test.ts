import { describe, expect, it } from 'vitest';
import { findHeldFile, releaseHeldFile } from '../../src/feeds/held-files.ts';
import { vinCheckDigitFits } from '../../src/model/vin.ts';
import {
  codes,
  COLUMNS,
  faultBench,
  table,
  vehicles,
  type Row,
  type Way,
} from '../feeds-faults/fault-bench.ts';

/** Two feeds that speak of the same cars: a full file each night and changes by day, or two full files. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MAP = {
  ...{ dealer_id: 'DealerID', stock: 'Stock', vin: 'VIN', year: 'Year', make: 'Make', model: 'Model' },
  ...{ list_price: 'SellingPrice', condition: 'Type' },
};
const ACTION = { column: 'Color', delete: ['D'], upsert: ['U', ''] };
const BULK: Way = { feed: { id: 'bulk' }, profile: { map: MAP } };
const DELTA: Way = { feed: { id: 'delta', mode: 'delta' }, profile: { map: MAP, action: ACTION } };

const bench = faultBench();

/** Cars with VINs: A0, A1, … */
function cars(count: number, from = 0, more: Row = {}): Row[] {
  return vehicles(count, from, more).map((row, index) => ({ ...row, VIN: vinOf(from + index) }));
}

/** With a check digit that fits, so that nothing is told of their rows and they are recognised the next time. */
function vinOf(index: number): string {
  const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 'X'];
  const made = digits.map((digit) => `1HGCV1F3${digit}LA9${String(10_000 + index)}`);
  return made.find(vinCheckDigitFits) ?? '';
}

/** A row of a delta about car A<index>. */
function changed(index: number, more: Row = {}): Row {
  return { ...cars(1, index)[0], Color: 'U', ...more };
}

/** What is published of the car with that stock number. */
function listed(stock: string): Record<string, unknown> | undefined {
  return [...bench.lot.values()].find((vehicle) => vehicle.stock === stock);
}

function without(stock: string, rows: readonly Row[]): Row[] {
  return rows.filter((row) => row.Stock !== stock);
}

function ownerOf(key: string): string | undefined {
  return bench.dealership.store.findRecords(key)[0]?.feedId;
}

describe('a full feed and a delta feed of one rooftop', () => {
  const ten = cars(10);

  it('let a car whose price the delta has changed leave with the first full file that lacks it', async () => {
    await bench.takeRows(ten, BULK);
    bench.dealership.now += HOUR;
    const delta = await bench.takeRows([changed(3, { SellingPrice: '17995' })], DELTA);
    expect(delta).toMatchObject({ status: 'ok', changed: 1 });
    expect(listed('A3')).toMatchObject({ list_price: 17_995 });
    expect(ownerOf('A3')).toBe('bulk');
    bench.dealership.now += DAY;
    expect(await bench.takeRows(without('A3', ten), BULK)).toMatchObject({ status: 'ok', removed: 1 });
    expect(listed('A3')).toBeUndefined();
  });

  it('count what the delta has changed among what the full file had', async () => {
    await bench.takeRows(ten, BULK);
    bench.dealership.now += HOUR;
    await bench.takeRows(cars(9, 0, { Color: 'U', SellingPrice: '17995' }), DELTA);
    bench.dealership.now += DAY;
    const report = await bench.takeRows(without('A9', ten), BULK);
    expect(report).toMatchObject({ status: 'ok', removed: 1, rooftops: [{ before: 10 }] });
  });

  it('wait where the delta has lost its price column, although the cars are those of the full feed', async () => {
    await bench.takeRows(ten, BULK);
    bench.dealership.now += HOUR;
    const columns = COLUMNS.filter((column) => column !== 'SellingPrice');
    const report = await bench.take(table([changed(3), changed(4)], { columns }), DELTA);
    expect(report).toMatchObject({ status: 'held', problem: { code: 'delta_changed' } });
    expect(listed('A3')).toMatchObject({ list_price: 20_000 });
  });

  it('keep a car that only the delta has brought, until the full file has had it', async () => {
    await bench.takeRows(ten, BULK);
    bench.dealership.now += HOUR;
    await bench.takeRows([changed(77)], DELTA);
    bench.dealership.now += DAY;
    expect(await bench.takeRows(ten, BULK)).toMatchObject({ status: 'ok', removed: 0 });
    expect(ownerOf('A77')).toBe('delta');
    bench.dealership.now += DAY;
    await bench.takeRows([...ten, ...cars(1, 77)], BULK);
    expect(ownerOf('A77')).toBe('bulk');
    bench.dealership.now += DAY;
    expect(await bench.takeRows(ten, BULK)).toMatchObject({ status: 'ok', removed: 1 });
  });

  it('let a car that the delta has moved to another rooftop leave with the full file, too', async () => {
    const there = cars(10, 50, { DealerID: 'CRA02' });
    await bench.takeRows([...ten, ...there], BULK);
    bench.dealership.now += HOUR;
    const moved = await bench.takeRows([changed(3, { DealerID: 'CRA02' })], DELTA);
    expect(moved).toMatchObject({ status: 'ok', added: 1, removed: 1 });
    bench.dealership.now += DAY;
    const report = await bench.takeRows([...without('A3', ten), ...there], BULK);
    expect(report).toMatchObject({ status: 'ok', removed: 1 });
    expect(listed('A3')).toBeUndefined();
  });

  it('notice a full file that says again what it said before the delta', async () => {
    await bench.takeRows(ten, BULK);
    bench.dealership.now += HOUR;
    await bench.takeRows([changed(3, { SellingPrice: '17995' })], DELTA);
    bench.dealership.now += DAY;
    expect(await bench.takeRows(ten, BULK)).toMatchObject({ status: 'ok', changed: 1, unchanged: 9 });
    expect(listed('A3')).toMatchObject({ list_price: 20_000 });
  });
});

describe('a delta and a feed that the settings have no more', () => {
  it('are one: the delta takes over what it brings', async () => {
    await bench.takeRows(cars(3), BULK);
    bench.dealership.now += HOUR;
    const feed = await bench.feed(DELTA);
    const run = await bench.dealership.store.beginRun({
      ...{ runId: 'r', feedId: feed.id, mode: 'delta', confirmedAt: bench.dealership.now },
      keptFeeds: ['delta'],
    });
    const staged = { vin: vinOf(1), stock: 'A1', status: 'available', year: 2020 } as const;
    await run.stage([
      {
        ...{ row: 1, line: 2, key: 'A1', rooftopId: 'HPM01', identity: `vin:${vinOf(1)}` },
        ...{ vehicle: staged, contentHash: 'new' },
      },
    ]);
    await run.apply({ removeAbsent: false });
    expect([ownerOf('A0'), ownerOf('A1')]).toEqual(['bulk', 'delta']);
  });
});

describe('a full file that comes late, after newer changes', () => {
  const ten = cars(10, 0, { SellingPrice: '21995' });
  const late = (hours: number): Way => ({ ...BULK, at: bench.dealership.now - hours * HOUR });

  it('changes, brings back and removes nothing of which the newer file speaks, and tells it', async () => {
    await bench.takeRows(ten, late(100));
    const news = [
      changed(3, { Color: 'D' }),
      changed(4, { SellingPrice: '17995' }),
      changed(5, { SellingPrice: '18995' }),
    ];
    await bench.takeRows(news, { ...DELTA, at: bench.dealership.now - 50 * HOUR });
    const older = without('A5', ten).map((row) =>
      row.Stock === 'A6' ? { ...row, SellingPrice: '20995' } : row,
    );
    const report = await bench.takeRows(older, late(76));
    expect(report).toMatchObject({ status: 'partial', added: 0, changed: 1, removed: 0 });
    expect(codes(report.rejections)).toEqual([[4, 'gone_since']]);
    expect(codes(report.warnings)).toEqual([[5, 'told_since']]);
    expect(report.warnings[0]?.message).toContain('feed delta');
    expect(listed('A3')).toBeUndefined();
    expect(listed('A4')).toMatchObject({ list_price: 17_995 });
    expect(listed('A5')).toMatchObject({ list_price: 18_995 });
    expect(listed('A6')).toMatchObject({ list_price: 20_995 });
    // The next one is newer than the changes.
    const next = await bench.takeRows(without('A5', older), late(20));
    expect(next).toMatchObject({ status: 'ok', added: 1, changed: 1, removed: 1, warnings: [] });
    expect(listed('A4')).toMatchObject({ list_price: 21_995 });
    expect(listed('A3')).toBeDefined();
  });

  it('does not bring a unit a second time that has its VIN since', async () => {
    const ordered = [...cars(5), { Stock: 'ORD' }];
    await bench.takeRows(ordered, late(100));
    const vin = vinOf(500);
    const delta = { ...DELTA, at: bench.dealership.now - 50 * HOUR };
    expect(await bench.takeRows([{ Stock: 'ORD', VIN: vin, Color: 'U' }], delta)).toMatchObject({
      changed: 1,
    });
    const report = await bench.takeRows(ordered, late(76));
    expect(codes(report.rejections)).toEqual([[6, 'gone_since']]);
    expect(bench.lot.size).toBe(6);
    expect(listed('ORD')).toMatchObject({ vin });
  });

  it('of another feed that brings the same cars does not do it, either, nor a late delta', async () => {
    await bench.takeRows(without('A3', ten), late(10));
    const other: Way = { ...BULK, feed: { id: 'group' }, at: bench.dealership.now - 20 * HOUR };
    const dearer = ten.map((row) => ({ ...row, SellingPrice: '25000' }));
    const report = await bench.takeRows(dearer, other);
    // Nothing is known of A3, so it comes.
    expect(report).toMatchObject({ status: 'ok', added: 1, changed: 0, unchanged: 9 });
    expect(report.warningCounts).toMatchObject({ told_since: 9 });
    const delta = [changed(4, { Color: 'D' }), changed(5, { SellingPrice: '1000' })];
    const lateDelta = await bench.takeRows(delta, { ...DELTA, at: bench.dealership.now - 30 * HOUR });
    expect(lateDelta).toMatchObject({
      status: 'ok',
      changed: 0,
      removed: 0,
      warningCounts: { told_since: 2 },
    });
    expect(listed('A5')).toMatchObject({ list_price: 21_995 });
    expect(listed('A4')).toBeDefined();
  });

  it('is no matter of the same feed, whose older file a person releases as a whole', async () => {
    await bench.takeRows(ten, late(10));
    const older = ten.map((row) => ({ ...row, SellingPrice: '19995' }));
    const held = await bench.takeRows(older, late(30));
    expect(held).toMatchObject({ status: 'held', problem: { code: 'older_than_last' } });
    const feed = await bench.feed(BULK);
    const file = await findHeldFile(held.runId, feed.id, bench.dealership.folder);
    const services = bench.dealership.services();
    const report = await releaseHeldFile(file ?? '', held.runId, feed, services);
    expect(report).toMatchObject({ status: 'ok', changed: 10, warnings: [] });
  });

  it('is not late because a companion file has added photos since', async () => {
    await bench.takeRows(ten, late(10));
    await bench.takeRows(ten, { ...BULK, feed: { id: 'group' }, at: bench.dealership.now - 9 * HOUR });
    const photos = vehicles(10, 0, { ImageList: 'https://i.example/1.jpg' });
    await bench.takeRows(photos, {
      feed: {
        id: 'photos',
        supplements: { feeds: ['bulk', 'group'], fields: ['photos'], when_both: 'replace' },
      },
      profile: { companion: true, map: { stock: 'Stock', photos: 'ImageList' } },
      at: bench.dealership.now - 5 * HOUR,
    });
    const cheaper = ten.map((row) => ({ ...row, SellingPrice: '19995' }));
    expect(await bench.takeRows(cheaper, late(6))).toMatchObject({ status: 'ok', changed: 10, warnings: [] });
  });
});

describe('two full feeds that overlap', () => {
  it('let one car go that is sold, whichever file comes last', async () => {
    const cedar = cars(10, 50, { DealerID: 'CRA02' });
    const group: Way = { ...BULK, feed: { id: 'group' } };
    const own: Way = { ...BULK, feed: { id: 'own' } };
    const all = [...cars(10), ...cedar];
    for (const [rows, way] of [
      [all, group],
      [cedar, own],
    ] as const) {
      expect(await bench.takeRows(rows, way)).toMatchObject({ status: 'ok' });
    }
    bench.dealership.now += DAY;
    const sold = (rows: readonly Row[]): Row[] => without('A55', rows);
    expect(await bench.takeRows(sold(all), group)).toMatchObject({ status: 'ok', removed: 0 });
    const report = await bench.takeRows(sold(cedar), own);
    expect(report).toMatchObject({
      status: 'ok',
      removed: 1,
      rooftops: [{ rooftopId: 'CRA02', before: 10 }],
    });
    expect(listed('A55')).toBeUndefined();
  });

  it('are judged by what each had, where a fifth is sold', async () => {
    const fresh = cars(20, 0, { Type: 'New' });
    const used = cars(10, 50);
    const every: Way = { ...BULK, feed: { id: 'all' } };
    const some: Way = { ...BULK, feed: { id: 'new' } };
    await bench.takeRows([...fresh, ...used], every);
    await bench.takeRows(fresh, some);
    bench.dealership.now += DAY;
    const left = [...fresh, ...used.slice(6)];
    const report = await bench.takeRows(left, every);
    expect(report).toMatchObject({ status: 'ok', removed: 6, rooftops: [{ before: 30 }] });
  });

  it('still wait where one gets the file of the other', async () => {
    const fresh = cars(20, 0, { Type: 'New' });
    const used = cars(5, 50);
    await bench.takeRows(fresh, { ...BULK, feed: { id: 'new' } });
    await bench.takeRows(used, { ...BULK, feed: { id: 'used' } });
    bench.dealership.now += DAY;
    const report = await bench.takeRows(fresh, { ...BULK, feed: { id: 'used' } });
    expect(report).toMatchObject({ status: 'held', problem: { code: 'shrink_guard' } });
    expect(report.problem?.message).toContain('HPM01: 5 of 5');
  });
});
