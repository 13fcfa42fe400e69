import { describe, expect, it } from 'vitest';
import { faultBench, vehicles, type Row, type Way } from '../feeds-faults/fault-bench.ts';

/** Units that are on order have a stock number and no VIN; later they get one. */

const MAP = {
  ...{ dealer_id: 'DealerID', stock: 'Stock', vin: 'VIN', year: 'Year', make: 'Make', model: 'Model' },
  ...{ list_price: 'SellingPrice', condition: 'Type' },
};
const FULL: Way = { profile: { map: MAP } };
const DELTA: Way = {
  feed: { id: 'delta', mode: 'delta' },
  profile: { map: MAP, action: { column: 'Color', delete: ['D'], upsert: ['U', ''] } },
};
const VIN = '1HGCV1F39LA900011';

const bench = faultBench();

function vinOf(index: number): string {
  return `1HGCV1F39LA9${String(10_000 + index)}`;
}

const stocks = (): unknown[] => [...bench.lot.values()].map(({ stock }) => stock).sort();

describe('a unit that gets its VIN', () => {
  it('is the same unit in a full file: nothing is added, nothing goes', async () => {
    const known = vehicles(27).map((row, index) => ({ ...row, VIN: vinOf(index) }));
    const ordered = vehicles(13, 50);
    await bench.takeRows([...known, ...ordered], FULL);
    const firstSeen = bench.dealership.store.findRecords('A50')[0]?.firstSeen;
    bench.dealership.now += 86_400_000;
    const arrived = ordered.map((row, index) => ({ ...row, VIN: vinOf(50 + index) }));
    const report = await bench.takeRows([...known, ...arrived], FULL);
    expect(report).toMatchObject({ status: 'ok', added: 0, changed: 13, unchanged: 27, removed: 0 });
    expect(bench.lot.size).toBe(40);
    expect(bench.lot.get(vinOf(50))).toMatchObject({ stock: 'A50', vin: vinOf(50) });
    expect(bench.dealership.store.findRecords('A50')).toMatchObject([{ firstSeen }]);
    // The next file knows them by their VINs.
    expect(await bench.takeRows([...known, ...arrived], FULL)).toMatchObject({ unchanged: 40 });
  });

  it('is the same unit in a delta, and the full file still decides when it goes', async () => {
    await bench.takeRows(vehicles(4), FULL);
    const report = await bench.takeRows([{ Stock: 'A0', VIN, Color: 'U' }], DELTA);
    expect(report).toMatchObject({ status: 'ok', added: 0, changed: 1 });
    expect(stocks()).toEqual(['A0', 'A1', 'A2', 'A3']);
    bench.dealership.now += 86_400_000;
    expect(await bench.takeRows(vehicles(3, 1), FULL)).toMatchObject({ status: 'ok', removed: 1 });
  });

  it('stays one unit where a delta has lost the VIN again', async () => {
    await bench.takeRows([{ Stock: 'A0', VIN }, ...vehicles(3, 1)], FULL);
    const report = await bench.takeRows([{ Stock: 'A0', Color: 'U', SellingPrice: '18000' }], DELTA);
    expect(report).toMatchObject({ status: 'ok', added: 0, changed: 1 });
    expect(report.warningCounts).toMatchObject({ vin_missing: 1 });
    expect(stocks()).toEqual(['A0', 'A1', 'A2', 'A3']);
    const back = await bench.takeRows([{ Stock: 'A0', VIN, Color: 'U' }], DELTA);
    expect(back).toMatchObject({ status: 'ok', added: 0, changed: 1 });
    expect(bench.lot.get(VIN)).toMatchObject({ stock: 'A0' });
  });

  it('takes the place of what it was when it had that VIN before', async () => {
    await bench.takeRows([{ Stock: 'A9', VIN }, ...vehicles(4)], FULL);
    await bench.takeRows([{ Stock: 'A9' }, ...vehicles(4)], FULL);
    const report = await bench.takeRows([{ Stock: 'A9', VIN }, ...vehicles(4)], FULL);
    expect(report).toMatchObject({ status: 'ok', added: 0, changed: 1, removed: 0 });
    expect(bench.dealership.store.findRecords(VIN)).toHaveLength(1);
  });
});

describe('a VIN with the stock number of a unit that has none', () => {
  const four: Row[] = vehicles(4);

  it.each([
    ['that the file brings, too', [...four, { Stock: 'A0', VIN }], ['A0', 'A0', 'A1', 'A2', 'A3']],
    ['of another make', [{ Stock: 'A0', VIN, Make: 'Ford' }, ...four.slice(1)], ['A0', 'A1', 'A2', 'A3']],
  ])('%s is another unit', async (_, rows, expected) => {
    await bench.takeRows(four, FULL);
    expect(await bench.takeRows(rows, FULL)).toMatchObject({ added: 1, changed: 0 });
    expect(stocks()).toEqual(expected);
  });

  it('that two VINs give tells nothing', async () => {
    await bench.takeRows(four, FULL);
    const two = [{ Stock: 'A0', VIN }, { Stock: 'A0', VIN: vinOf(7) }, ...four.slice(1)];
    expect(await bench.takeRows(two, FULL)).toMatchObject({ status: 'ok', added: 2, removed: 1 });
  });

  it('that the same delta takes off comes in its place', async () => {
    await bench.takeRows(four, FULL);
    const rows = [
      { Stock: 'A0', Color: 'D' },
      { Stock: 'A1', VIN, Color: 'U' },
    ];
    expect(await bench.takeRows(rows, DELTA)).toMatchObject({ changed: 1, removed: 1 });
    expect(stocks()).toEqual(['A1', 'A2', 'A3']);
  });
});
