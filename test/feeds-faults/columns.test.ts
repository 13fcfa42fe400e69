import { describe, expect, it } from 'vitest';
import { findHeldFile, releaseHeldFile } from '../../src/feeds/held-files.ts';
import type { RunReport } from '../../src/feeds/reporting/report.ts';
import { COLUMNS, faultBench, table, vehicles, type Column, type Row, type Way } from './fault-bench.ts';

const bench = faultBench();

/** Cars with VINs, so that they are the same cars without their stock numbers and at another rooftop. */
function cars(count: number, from: number, more: Row = {}): Row[] {
  const rows = vehicles(count, from, more);
  return rows.map((row, index) => ({ ...row, VIN: `1HGCV1F39LA9${String(10_000 + from + index)}` }));
}

const LOT = [...cars(8, 0), ...cars(6, 50, { DealerID: 'CRA02' })];

/** The file with one of its columns under another name. */
function renamed(column: Column, name: string, rows = LOT): string {
  const [header = '', ...lines] = table(rows).split('\n');
  return [
    header
      .split(',')
      .map((each) => (each === column ? name : each))
      .join(','),
    ...lines,
  ].join('\n');
}

async function release({ runId }: RunReport, way: Way = {}): Promise<RunReport | undefined> {
  const feed = await bench.feed(way);
  const held = await findHeldFile(runId, feed.id, bench.dealership.folder);
  return releaseHeldFile(held ?? '', runId, feed, bench.dealership.services());
}

describe('a file in which a column was renamed', () => {
  it.each<[Column, string]>([
    ['SellingPrice', 'price: 0 of 14 in the file, 14 of 14 before, no column SellingPrice'],
    ['Stock', 'stock number: 0 of 14 in the file, 14 of 14 before, no column Stock'],
  ])('is held when the vehicles would lose what stood in it: %s', async (column, words) => {
    await bench.takeRows(LOT);
    const before = bench.lot;
    const report = await bench.take(renamed(column, 'Other'));
    expect(report).toMatchObject({ status: 'held', problem: { code: 'values_gone' } });
    expect(report.problem?.message).toContain(words);
    expect(bench.lot).toEqual(before);
    // The same once more is no yes: the export is the same each night.
    expect(await bench.take(renamed(column, 'Other'))).toMatchObject({ status: 'held' });
    expect(await release(report)).toMatchObject({ status: 'ok', changed: 14 });
  });

  it('is held when most of them would, although another column is read, too', async () => {
    const map = { vin: 'VIN', stock: 'Stock', year: 'Year', make: 'Make', model: 'Model', condition: 'Type' };
    const way: Way = { profile: { map: { ...map, list_price: ['SellingPrice', 'MSRP'] } } };
    const rows = cars(10, 0).map((row, index) => ({ ...row, MSRP: index < 3 ? '30000' : '' }));
    await bench.takeRows(rows, way);
    const report = await bench.take(renamed('SellingPrice', 'Sale Price', rows), way);
    expect(report.problem?.message).toContain('price: 3 of 10 in the file, 10 of 10 before');
  });

  it('is held as a delta of one row, too, which waits in its turn', async () => {
    await bench.takeRows(LOT);
    const way: Way = { feed: { mode: 'delta' } };
    const report = await bench.take(renamed('SellingPrice', 'Other', cars(1, 0)), way);
    expect(report).toMatchObject({ status: 'held', problem: { code: 'delta_changed' } });
    // A single car without a price is nothing unusual where the column is there.
    await release(report, way);
    const blank = await bench.takeRows(cars(1, 3, { SellingPrice: '' }), way);
    expect(blank.status).toBe('ok');
  });

  it('is taken in where the feed never had such values, or few vehicles lose them', async () => {
    const free = cars(8, 0, { SellingPrice: '' });
    await bench.takeRows(free);
    expect(await bench.take(renamed('SellingPrice', 'Other', free))).toMatchObject({ status: 'ok' });
    await bench.takeRows(cars(8, 0));
    const some = [...cars(5, 0), ...cars(3, 5, { SellingPrice: '' })];
    expect(await bench.takeRows(some)).toMatchObject({ status: 'ok', changed: 3 });
  });
});

describe('a file that places the vehicles of a rooftop elsewhere', () => {
  const columns = COLUMNS.filter((column) => column !== 'DealerID');

  it('is held when it does so with most of them, and taken in when released', async () => {
    await bench.takeRows(LOT);
    const report = await bench.take(table(LOT, { columns }));
    expect(report).toMatchObject({ status: 'held', problem: { code: 'rooftops_changed' } });
    expect(report.problem?.message).toContain('CRA02: 6 of 6 stand elsewhere');
    expect(bench.lot.get(cars(1, 50)[0]?.VIN ?? '')).toMatchObject({ dealer_id: 'CRA02' });
    expect(await release(report)).toMatchObject({ status: 'ok', added: 6, removed: 6 });
  });

  it('is taken in when a few cars are moved', async () => {
    await bench.takeRows(LOT);
    const moved = LOT.map((row, index) => (index < 3 ? { ...row, DealerID: 'LPO03' } : row));
    expect(await bench.takeRows(moved)).toMatchObject({ status: 'ok', added: 3, removed: 3 });
  });
});
