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
    ['SellingPrice', 'price: gone from 14 of 14 vehicles, no column SellingPrice'],
    ['Stock', 'stock number: gone from 14 of 14 vehicles, no column Stock'],
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
    expect(report.problem?.message).toContain('price: gone from 7 of 10 vehicles');
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

describe('vehicles of a full file that come without a price or stock number, and never had one', () => {
  const unpriced = { SellingPrice: '' };

  it('are taken in however many of them arrive', async () => {
    await bench.takeRows(cars(3, 0));
    const arrived = [...cars(3, 0), ...cars(4, 10, unpriced)];
    expect(await bench.takeRows(arrived)).toMatchObject({ status: 'ok', added: 4 });
    // The same bytes, and the day after that.
    expect(await bench.takeRows(arrived)).toMatchObject({ status: 'ok', unchanged: 7 });
    const more = [...arrived, ...cars(1, 20, unpriced)];
    expect(await bench.takeRows(more)).toMatchObject({ status: 'ok', added: 1 });
  });

  it('are taken in when they have no stock number yet', async () => {
    await bench.takeRows(cars(10, 0));
    const inTransit = cars(11, 20, { Stock: '' });
    expect(await bench.takeRows([...cars(10, 0), ...inTransit])).toMatchObject({ status: 'ok', added: 11 });
  });

  it('are taken in when they make a rooftop of their own', async () => {
    await bench.takeRows(cars(10, 0));
    const joining = cars(15, 50, { ...unpriced, DealerID: 'CRA02' });
    expect(await bench.takeRows([...cars(10, 0), ...joining])).toMatchObject({ status: 'ok', added: 15 });
  });

  it('are left when the priced ones are sold', async () => {
    const onRequest = cars(3, 10, unpriced);
    await bench.takeRows([...onRequest, ...cars(4, 0)]);
    const report = await bench.takeRows([...onRequest, ...cars(1, 3)]);
    expect(report).toMatchObject({ status: 'ok', removed: 3 });
  });

  it('may become most of the lot one by one', async () => {
    const way: Way = { feed: { price_checks: { max_change_percent: 50 } } };
    await bench.takeRows(cars(5, 0), way);
    for (const onRequest of [1, 2, 3, 4]) {
      const rows = [...cars(onRequest, 0, unpriced), ...cars(5 - onRequest, onRequest)];
      expect(await bench.takeRows(rows, way)).toMatchObject({ status: 'ok', changed: 1 });
    }
  });

  it('are no reason to wait where a price is held back that was too far from the last one', async () => {
    const way: Way = { feed: { price_checks: { max_change_percent: 50 } } };
    await bench.takeRows(cars(5, 0), way);
    const report = await bench.takeRows(cars(5, 0, { SellingPrice: '99000' }), way);
    expect(report).toMatchObject({ status: 'ok', warningCounts: { price_implausible: 5 } });
  });

  it('hide none that lose their prices among them', async () => {
    await bench.takeRows(cars(4, 0));
    const report = await bench.takeRows([...cars(4, 0, unpriced), ...cars(20, 10)]);
    expect(report).toMatchObject({ status: 'held', problem: { code: 'values_gone' } });
    expect(report.problem?.message).toContain('price: gone from 4 of 4 vehicles');
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

describe('a file without the column for photos', () => {
  const photographed = cars(4, 0, { ImageList: 'https://img.example.com/1.jpg' });

  it('is taken in, and tells that the vehicles lose their photos', async () => {
    await bench.takeRows(photographed);
    const report = await bench.take(renamed('ImageList', 'Pictures', photographed));
    expect(report).toMatchObject({ status: 'ok', changed: 4, file: { warnings: [{ code: 'photos_gone' }] } });
    expect(report.file.warnings[0]?.message).toContain('no column ImageList; 4 of 4 had some');
  });

  it('says nothing where there were none', async () => {
    await bench.takeRows(LOT);
    expect((await bench.take(renamed('ImageList', 'Pictures'))).file.warnings).toEqual([]);
  });
});

describe('the dealer column', () => {
  const locked: Way = { feed: { rooftop: { kind: 'fixed', id: 'HPM01' } } };

  it('may name the rooftop by its legal name', async () => {
    await bench.takeRows(cars(2, 0, { DealerID: 'Harbor Point Motors, LLC' }));
    expect([...bench.lot.values()].map(({ dealer_id }) => dealer_id)).toEqual(['HPM01', 'HPM01']);
  });

  it('of a feed of one rooftop may name it as the vendor does', async () => {
    const report = await bench.takeRows(cars(3, 0, { DealerID: 'VENDOR-7' }), locked);
    expect(report).toMatchObject({ status: 'ok', added: 3, file: { warnings: [] } });
  });

  it('of a feed of one rooftop tells when it names strangers, too', async () => {
    const rows = [...cars(3, 0), ...cars(1, 10, { DealerID: 'UNKNOWN9' })];
    const report = await bench.takeRows(rows, locked);
    expect(report).toMatchObject({ added: 4, file: { warnings: [{ code: 'several_dealers' }] } });
    expect(report.file.warnings[0]?.message).toContain('HPM01: 3 rows, UNKNOWN9: 1 row');
  });

  it('tells a stranger among rows that are those of yesterday, each day until it is gone', async () => {
    const known = cars(4, 0);
    await bench.takeRows(known, locked);
    const strangers = [...known, ...cars(1, 10, { DealerID: 'UNKNOWN9' })];
    for (const day of [2, 3]) {
      const { file } = await bench.takeRows(strangers, locked);
      expect([day, ...file.warnings.map(({ message }) => message)]).toEqual([
        day,
        expect.stringContaining('HPM01: 4 rows, UNKNOWN9: 1 row'),
      ]);
    }
    expect((await bench.takeRows([...known, ...cars(1, 20)], locked)).file.warnings).toEqual([]);
  });

  it("is no stranger's where it has always borne the name that the vendor uses", async () => {
    const named = { DealerID: 'VENDOR-7' };
    await bench.takeRows(cars(3, 0, named), locked);
    for (const more of [1, 2]) {
      const { file } = await bench.takeRows([...cars(3, 0, named), ...cars(more, 10, named)], locked);
      expect(file.warnings).toEqual([]);
    }
  });

  it('may change its name for all vehicles at once', async () => {
    await bench.takeRows(cars(3, 0, { DealerID: 'VENDOR-7' }), locked);
    for (const _ of [1, 2])
      expect((await bench.takeRows(cars(3, 0, { DealerID: 'VENDOR-8' }), locked)).file.warnings).toEqual([]);
  });
});

it('a file without a header line is refused as such', async () => {
  const report = await bench.take(table(LOT).split('\n').slice(1).join('\n'));
  expect(report).toMatchObject({ status: 'failed', problem: { code: 'header_missing' } });
});
