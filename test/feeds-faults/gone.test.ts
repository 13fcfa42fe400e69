import { describe, expect, it } from 'vitest';
import {
  discardHeldFile,
  findHeldFile,
  releaseHeldFile,
  releaseThoseBehind,
} from '../../src/feeds/held-files.ts';
import type { RunReport } from '../../src/feeds/reporting/report.ts';
import { codes, faultBench, table, vehicles, type Row, type Way } from './fault-bench.ts';

/** Rows that say of their vehicle that it is gone: by their status, or by what a delta asks. */

const MAP = {
  ...{
    dealer_id: 'DealerID',
    stock: 'Stock',
    year: 'Year',
    make: 'Make',
    model: 'Model',
    list_price: 'SellingPrice',
  },
  ...{ condition: 'Type', status: 'Trim', inventory_date: 'DateInStock' },
};
const FULL: Way = { profile: { map: MAP } };
const DELTA: Way = { profile: { map: MAP }, feed: { mode: 'delta' } };
const ACTION = { column: 'Color', delete: ['D'], upsert: ['U'] };

const bench = faultBench();

function sold(rows: readonly Row[]): Row[] {
  return rows.map((row) => ({ ...row, Trim: 'Sold' }));
}

async function release(report: RunReport, way: Way): Promise<RunReport | undefined> {
  const feed = await bench.feed(way);
  const held = await findHeldFile(report.runId, feed.id, bench.dealership.folder);
  return releaseHeldFile(held ?? '', report.runId, feed, bench.dealership.services());
}

describe('a row that says its vehicle is sold', () => {
  it('takes it off the lot in a delta without an action column', async () => {
    await bench.takeRows(vehicles(6), DELTA);
    const report = await bench.takeRows(sold(vehicles(1, 2)), DELTA);
    expect(report).toMatchObject({
      status: 'partial',
      removed: 1,
      rejectionCounts: { status_out_of_stock: 1 },
    });
    expect(bench.keys).toEqual(['A0', 'A1', 'A3', 'A4', 'A5']);
  });

  it('is a word about its rooftop, too, whose last vehicle may go so', async () => {
    const here = vehicles(6);
    const there = vehicles(1, 50, { DealerID: 'CRA02' });
    await bench.takeRows([...here, ...there], FULL);
    const report = await bench.takeRows([...here, ...sold(there)], FULL);
    expect(report).toMatchObject({ status: 'partial', removed: 1 });
    expect(report.file.warnings).toEqual([]);
    expect(bench.keys).toEqual(here.map(({ Stock }) => Stock));
  });

  it('waits for a person where all vehicles of a rooftop are, and is done when that one says so', async () => {
    const here = vehicles(6);
    const there = vehicles(12, 50, { DealerID: 'LPO03' });
    await bench.takeRows([...here, ...there], FULL);
    const report = await bench.takeRows([...here, ...sold(there)], FULL);
    expect(report).toMatchObject({ status: 'held', problem: { code: 'shrink_guard' } });
    expect(report.problem?.message).toContain('LPO03: 12 of 12');
    expect(await release(report, FULL)).toMatchObject({ status: 'partial', removed: 12 });
    expect(bench.lot.size).toBe(6);
  });

  it('can be released, too, where the file holds no other rows', async () => {
    await bench.takeRows(vehicles(5), FULL);
    const report = await bench.takeRows(sold(vehicles(5)), FULL);
    expect(report).toMatchObject({ status: 'held', problem: { code: 'shrink_guard' } });
    expect(await release(report, FULL)).toMatchObject({ status: 'partial', removed: 5 });
    expect(bench.keys).toEqual([]);
  });

  it.each([
    ['newer, first', '2026-08-05', '2026-08-01', true],
    ['older, last', '2026-08-01', '2026-08-05', false],
    ['of the same day, last', '2026-08-01', '2026-08-01', true],
    ['without a date, last', '', '2026-08-01', true],
  ])(
    'beside another that says it is available counts when it is the newer one: %s',
    async (name, soldOn, date, goes) => {
      const rows = vehicles(6, 0, { DateInStock: '2026-08-01' });
      await bench.takeRows(rows, FULL);
      const gone = { Stock: 'A2', Trim: 'Sold', DateInStock: soldOn };
      const there = { Stock: 'A2', DateInStock: date };
      const both = name.endsWith('first')
        ? [gone, there]
        : name === 'older, last'
          ? [there, gone]
          : [there, gone];
      const report = await bench.takeRows([...rows.filter(({ Stock }) => Stock !== 'A2'), ...both], FULL);
      expect(codes(report.rejections)).toEqual([[name.endsWith('first') ? 6 : 7, 'status_out_of_stock']]);
      expect(bench.keys.includes('A2')).toBe(!goes);
    },
  );

  it('takes its vehicle off in a file that was cut short, which takes off nothing else', async () => {
    await bench.takeRows(vehicles(6), FULL);
    const text = table([...sold(vehicles(1)), ...vehicles(3, 1)]);
    const report = await bench.take(text.slice(0, -20), FULL);
    expect(report).toMatchObject({ status: 'partial', removed: 1 });
    expect(bench.keys).toEqual(['A1', 'A2', 'A3', 'A4', 'A5']);
  });
});

describe('a rooftop all of whose rows are refused', () => {
  it('is left as it is: the file says nothing of it that can be read', async () => {
    const here = vehicles(6);
    const there = vehicles(3, 50, { DealerID: 'CRA02' });
    await bench.takeRows([...here, ...there], FULL);
    const blank = there.map((row) => ({ ...row, Type: '' }));
    const report = await bench.takeRows([...here, ...blank], FULL);
    expect(report).toMatchObject({ status: 'partial', rejected: 3, removed: 0 });
    expect(bench.lot.size).toBe(9);
  });

  it('loses what one of them says is gone, and what the others leave in doubt waits for a person', async () => {
    const here = vehicles(6);
    const there = vehicles(3, 50, { DealerID: 'CRA02' });
    await bench.takeRows([...here, ...there], FULL);
    const blank = there.slice(1).map((row) => ({ ...row, Type: '' }));
    const report = await bench.takeRows([...here, ...sold(there.slice(0, 1)), ...blank], FULL);
    expect(report).toMatchObject({ status: 'held', problem: { code: 'shrink_guard' } });
    expect(report.problem?.message).toContain('CRA02: 3 of 3');
    expect(bench.lot.size).toBe(9);
  });

  it('is not named by a line of totals', async () => {
    const there = vehicles(6, 50, { DealerID: 'CRA02' });
    await bench.takeRows([...vehicles(3), ...there], FULL);
    const report = await bench.take(`${table(there)}Total 6\n`, FULL);
    expect(report).toMatchObject({ status: 'partial', removed: 0 });
    expect(bench.lot.size).toBe(9);
  });
});

describe('a delta that removes', () => {
  const way: Way = { feed: { mode: 'delta' }, profile: { map: MAP, action: ACTION } };
  const removals = (count: number, from = 0): Row[] => vehicles(count, from, { Color: 'D' });

  it('as many as on any night is taken in', async () => {
    await bench.takeRows(vehicles(12, 0, { Color: 'U' }), way);
    expect(await bench.takeRows(removals(8), way)).toMatchObject({ status: 'ok', removed: 8 });
    expect(await bench.takeRows(removals(1, 9), way)).toMatchObject({ status: 'ok', removed: 1 });
  });

  it('counts by its date beside a newer row of the same vehicle, also when it comes later in the file', async () => {
    await bench.takeRows(vehicles(6, 0, { Color: 'U' }), way);
    const back = { Stock: 'A2', Color: 'U', DateInStock: '2026-09-01', SellingPrice: '18000' };
    const gone = { Stock: 'A2', Color: 'D', DateInStock: '2025-01-05' };
    expect(await bench.takeRows([back, gone], way)).toMatchObject({ status: 'ok', changed: 1, removed: 0 });
    expect(bench.lot.get('A2')).toMatchObject({ list_price: 18_000 });
    const goneAgain = { ...gone, DateInStock: '2026-09-02' };
    expect(await bench.takeRows([goneAgain, back], way)).toMatchObject({ status: 'ok', removed: 1 });
  });

  it('unusually many waits, those behind it wait in turn, and follow it when it is released', async () => {
    await bench.takeRows(vehicles(40, 0, { Color: 'U' }), way);
    const first = await bench.takeRows(removals(40), { ...way, name: 'first.csv' });
    expect(first).toMatchObject({ status: 'held', removed: 0, problem: { code: 'delta_shrink' } });
    bench.dealership.now += 60_000;
    const second = await bench.takeRows(vehicles(2, 0, { Color: 'U' }), { ...way, name: 'second.csv' });
    expect(second).toMatchObject({ status: 'held', problem: { code: 'delta_waits' } });
    expect(second.problem?.message).toContain('first.csv');
    const waiting = (): string[] => bench.dealership.store.listHeldRuns().map(({ runId }) => runId);
    expect(waiting()).toEqual([first.runId, second.runId]);
    bench.dealership.now += 60_000;
    expect(await release(first, way)).toMatchObject({ status: 'ok', removed: 40 });
    expect(waiting()).toEqual([second.runId]);
    const services = bench.dealership.services();
    const behind = await releaseThoseBehind(
      bench.dealership.store.listHeldRuns(),
      await bench.feed(way),
      services,
    );
    expect(behind).toMatchObject([{ runId: second.runId, status: 'ok', added: 2 }]);
    expect(waiting()).toEqual([]);
    expect(bench.keys).toEqual(['A0', 'A1']);
    expect(await bench.takeRows(removals(1), way)).toMatchObject({ status: 'ok', removed: 1 });
  });

  it('that waits behind another is looked at for itself, keeps its turn and keeps back those behind it', async () => {
    await bench.takeRows(vehicles(40, 0, { Color: 'U' }), way);
    const shop = bench.dealership;
    const taken: RunReport[] = [];
    for (const rows of [
      removals(40),
      vehicles(3, 0, { Color: 'U' }),
      removals(3),
      vehicles(3, 50, { Color: 'U' }),
    ]) {
      shop.now += 60_000;
      taken.push(await bench.takeRows(rows, way));
    }
    expect(taken[2]).toMatchObject({ problem: { code: 'delta_waits' } });
    const [first, second, third, fourth] = taken as [RunReport, RunReport, RunReport, RunReport];
    shop.now += 60_000;
    const settle = async (report: RunReport): Promise<(string | undefined)[]> => {
      await release(report, way);
      const behind = await releaseThoseBehind(
        shop.store.listHeldRuns(),
        await bench.feed(way),
        shop.services(),
      );
      return behind.map(({ runId, status, problem }) => `${runId} ${problem?.code ?? status}`);
    };
    expect(await settle(first)).toEqual([`${second.runId} ok`, `${third.runId} delta_shrink`]);
    expect(bench.keys).toEqual(['A0', 'A1', 'A2']);
    expect(shop.store.listHeldRuns().map(({ runId }) => runId)).toEqual([third.runId, fourth.runId]);
    const later = await bench.takeRows(vehicles(1, 90, { Color: 'U' }), way);
    expect(later.problem?.message).toContain(third.runId);
    expect(await settle(third)).toEqual([`${fourth.runId} ok`, `${later.runId} ok`]);
    expect(bench.keys).toEqual(['A50', 'A51', 'A52', 'A90']);
  });

  it('that is older than the one released goes on waiting, and lets those behind it pass', async () => {
    const shop = bench.dealership;
    await bench.takeRows(vehicles(40, 0, { Color: 'U' }), { ...way, at: shop.now - 90 * 3_600_000 });
    const brings = (price: string, hours: number, name: string): Promise<RunReport> =>
      bench.takeRows(vehicles(1, 3, { Color: 'U', SellingPrice: price }), {
        ...way,
        name,
        at: shop.now - hours * 3_600_000,
      });
    const first = await bench.takeRows(removals(40), { ...way, at: shop.now - 70 * 3_600_000 });
    const newer = await brings('13333', 60, 'newer.csv');
    const older = await brings('13999', 65, 'older.csv');
    const newest = await brings('13111', 50, 'newest.csv');
    // A person discards the first and releases the next.
    const found = await findHeldFile(first.runId, (await bench.feed(way)).id, shop.folder);
    await discardHeldFile(found ?? '', 'vendor', shop.folder);
    const [record] = shop.store.listHeldRuns();
    if (record !== undefined) await shop.store.recordRun({ ...record, status: 'failed' });
    expect(await release(newer, way)).toMatchObject({ status: 'ok', changed: 1 });
    const behind = await releaseThoseBehind(
      shop.store.listHeldRuns(),
      await bench.feed(way),
      shop.services(),
    );
    expect(behind).toMatchObject([
      { runId: older.runId, status: 'held', problem: { code: 'delta_older' } },
      { runId: newest.runId, status: 'ok', changed: 1 },
    ]);
    expect(bench.lot.get('A3')).toMatchObject({ list_price: 13_111 });
  });

  it('what another feed has brought is guarded by all that stands there', async () => {
    await bench.takeRows(vehicles(40), { ...FULL, feed: { id: 'bulk' } });
    expect(await bench.takeRows(removals(5), way)).toMatchObject({ status: 'ok', removed: 5 });
    const held = await bench.takeRows(removals(30, 5), way);
    expect(held).toMatchObject({ status: 'held', rooftops: [{ before: 0, named: 30, standing: 35 }] });
    // Once more the same file is a yes, and nothing waits any more.
    bench.dealership.now += 60_000;
    expect(await bench.takeRows(removals(30, 5), way)).toMatchObject({ status: 'ok', removed: 30 });
    expect(bench.dealership.store.listHeldRuns()).toEqual([]);
  });
});

describe('a row whose VIN is one vehicle and whose stock number is another', () => {
  const [A, B] = ['4T1G11AK1LUA90109', '1C4RJFBG2JCA90112'];
  const map = { ...MAP, vin: 'VIN' };
  const other = vehicles(4, 10);
  const two: Row[] = [
    { Stock: 'S200', VIN: A },
    { Stock: 'S201', VIN: B },
  ];
  const told = (report: RunReport): string | undefined =>
    report.warnings.find(({ code }) => code === 'stock_of_another')?.message;

  it('is told in a delta, also where it removes; the VIN decides', async () => {
    const way: Way = { feed: { mode: 'delta' }, profile: { map, action: ACTION } };
    await bench.takeRows([...two, ...other], way);
    const changed = await bench.takeRows([{ Stock: 'S201', VIN: A, Color: 'U' }], way);
    expect(changed).toMatchObject({ status: 'ok', changed: 1 });
    expect(told(changed)).toContain(`that number is ${B}'s`);
    await bench.takeRows([{ Stock: 'S200', VIN: A, Color: 'U' }], way);
    const removed = await bench.takeRows([{ Stock: 'S201', VIN: A, Color: 'D' }], way);
    expect(removed).toMatchObject({ status: 'ok', removed: 1 });
    expect(told(removed)).toContain(`that number is ${B}'s`);
    expect(bench.keys).toContain(B);
  });

  it('is told of a new VIN with the number of a car that stays, and in a full file that lacks the other', async () => {
    const way: Way = { profile: { map } };
    await bench.takeRows([...two, ...other], way);
    const report = await bench.takeRows([{ Stock: 'S201', VIN: A }, ...other], way);
    expect(report).toMatchObject({ status: 'ok', removed: 1 });
    expect(told(report)).toContain(`that number is ${B}'s`);
    const delta: Way = { profile: { map }, feed: { mode: 'delta' } };
    expect(told(await bench.takeRows([{ Stock: 'S201', VIN: B }], delta))).toContain(`that number is ${A}'s`);
  });

  it('is no matter where the other car leaves or comes with a number of its own', async () => {
    const way: Way = { profile: { map } };
    await bench.takeRows([...two, ...other], way);
    const swapped = [
      { Stock: 'S201', VIN: A },
      { Stock: 'S200', VIN: B },
    ];
    expect(told(await bench.takeRows([...swapped, ...other], way))).toBeUndefined();
    const next = [{ Stock: 'S201', VIN: '1HGCV1F39LA900011' }, { Stock: 'S200', VIN: B }, ...other];
    const report = await bench.takeRows(next, way);
    expect(report).toMatchObject({ added: 1, removed: 1 });
    expect(told(report)).toBeUndefined();
  });
});

describe('a VIN that two feeds have at two rooftops', () => {
  const VIN = '4T1G11AK1LUA90109';
  const map = { ...MAP, vin: 'VIN' };
  const HOUR = 3_600_000;
  const north: Way = { feed: { id: 'north' }, profile: { map } };
  const south: Way = { feed: { id: 'south' }, profile: { map } };
  const atNorth: Row[] = [{ Stock: 'N1', VIN, SellingPrice: '21000' }, ...vehicles(5)];
  const atSouth: Row[] = [
    { Stock: 'S1', VIN, SellingPrice: '19000', DealerID: 'CRA02' },
    ...vehicles(5, 50, { DealerID: 'CRA02' }),
  ];

  it('is listed once, by the feed whose file is newer, and both runs tell', async () => {
    await bench.takeRows(atNorth, north);
    bench.dealership.now += HOUR;
    const moved = await bench.takeRows(atSouth, south);
    expect(moved).toMatchObject({ status: 'ok', added: 6, removed: 1 });
    expect(codes(moved.warnings)).toContainEqual([1, 'vin_at_two_rooftops']);
    expect(moved.warnings[0]?.message).toContain('rooftop HPM01, feed north');
    expect(bench.lot.get(VIN)).toMatchObject({ dealer_id: 'CRA02', list_price: 19_000 });
    expect(bench.lot.size).toBe(11);

    // The old store's file lacks it, as it should: nothing more happens.
    bench.dealership.now += HOUR;
    const next = await bench.takeRows(atNorth.slice(1), north);
    expect(next).toMatchObject({ status: 'ok', unchanged: 5, removed: 0 });
    expect(bench.lot.get(VIN)).toMatchObject({ dealer_id: 'CRA02' });
  });

  it('is refused in a file that is older than that of the other feed', async () => {
    const before = bench.dealership.now - HOUR;
    await bench.takeRows(atNorth, north);
    const late = await bench.takeRows(atSouth, { ...south, at: before });
    expect(late).toMatchObject({ status: 'partial', accepted: 5, removed: 0 });
    expect(codes(late.rejections)).toEqual([[1, 'vin_at_other_rooftop']]);
    expect(bench.lot.get(VIN)).toMatchObject({ dealer_id: 'HPM01', list_price: 21_000 });
  });

  it('goes back to the rooftop whose newer file has it again', async () => {
    await bench.takeRows(atNorth, north);
    bench.dealership.now += HOUR;
    await bench.takeRows(atSouth, south);
    bench.dealership.now += HOUR;
    const back = await bench.takeRows(atNorth, north);
    expect(back).toMatchObject({ status: 'ok', added: 1, removed: 1 });
    expect(codes(back.warnings)).toContainEqual([1, 'vin_at_two_rooftops']);
    expect(bench.lot.get(VIN)).toMatchObject({ dealer_id: 'HPM01' });
    expect([...bench.lot.values()].filter(({ vin }) => vin === VIN)).toHaveLength(1);
  });

  it('waits for a person where a file claims all cars of another feed', async () => {
    const cars = vehicles(8).map((row, index) => ({ ...row, VIN: `1HGCV1F39LA9${10_000 + index}` }));
    await bench.takeRows(cars, north);
    bench.dealership.now += HOUR;
    const report = await bench.takeRows(
      cars.map((row) => ({ ...row, DealerID: 'CRA02' })),
      south,
    );
    expect(report).toMatchObject({ status: 'held', problem: { code: 'rooftops_changed' } });
    expect(report.problem?.message).toContain('HPM01: 8 of 8 stand elsewhere');
  });
});
