import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  COLUMNS,
  faultBench,
  table,
  vehicles,
  XML_PROFILE,
  xmlVehicles,
  type Column,
  type Row,
  type Way,
} from './fault-bench.ts';

/** What the end of a file says about those vehicles that stood there in the file before. */

const bench = faultBench();

const CRLF = (rows: readonly Row[]): string => table(rows).replaceAll('\n', '\r\n');
/** As some systems write: line breaks between the rows, none behind the last. */
const unended = (rows: readonly Row[]): string => table(rows).trimEnd();

const numbers = (from: number, to: number): string[] =>
  vehicles(to - from + 1, from)
    .map(({ Stock = '' }) => Stock)
    .sort();

describe('a sender that stops writing the last line break', () => {
  it('is believed from the second file on, since that shows that the last row of the first was whole', async () => {
    await bench.take(CRLF(vehicles(12)));
    const first = await bench.take(unended(vehicles(12, 1)));
    expect(first).toMatchObject({ status: 'partial', removed: 0, rejectionCounts: { row_truncated: 1 } });
    for (const day of [2, 3, 4, 5, 6]) {
      const report = await bench.take(unended(vehicles(12, day)));
      expect(report).toMatchObject({ status: 'ok', rejected: 0 });
      expect(bench.keys).toEqual(numbers(day, day + 11));
    }
  });

  it('is not believed where the last row of the first file reads otherwise in the second', async () => {
    await bench.take(CRLF(vehicles(12)));
    const columns: Column[] = [...COLUMNS.filter((column) => column !== 'SellingPrice'), 'SellingPrice'];
    const rows = vehicles(14, 0, { SellingPrice: '19995' });
    const cut = (count: number): string => table(rows.slice(0, count), { columns }).trimEnd().slice(0, -2);
    for (const count of [11, 12, 13]) {
      const report = await bench.take(cut(count));
      expect(report).toMatchObject({ status: 'partial', removed: 0, rejectionCounts: { row_truncated: 1 } });
      expect([...bench.lot.values()].map(({ list_price }) => list_price)).not.toContain(199);
    }
  });

  it('is believed in deltas from the third file on, since none of them repeats a row', async () => {
    const way: Way = { feed: { mode: 'delta' } };
    await bench.take(CRLF(vehicles(12)), way);
    const first = unended(vehicles(1, 1, { SellingPrice: '18000' }));
    // That it comes again shows nothing.
    for (const content of [first, first, first, unended(vehicles(1, 2, { SellingPrice: '18000' }))]) {
      const report = await bench.take(content, way);
      expect(report.rejectionCounts).toEqual({ row_truncated: 1 });
      expect(bench.lot.get('A2')).toMatchObject({ list_price: 20_000 });
    }
    for (const place of [3, 4]) {
      const report = await bench.take(unended(vehicles(1, place, { SellingPrice: '18000' })), way);
      expect(report).toMatchObject({ status: 'ok', changed: 1 });
    }
  });
});

describe('a file that lacks the vehicles that stood last', () => {
  const written: [how: string, (count: number) => string | Uint8Array, Way?][] = [
    ['as XML', (count) => `<lot>${xmlVehicles(count)}</lot>`, { profile: XML_PROFILE }],
    [
      'as XML with a count',
      (count) => `<lot count="${count}">${xmlVehicles(count)}</lot>`,
      { profile: XML_PROFILE },
    ],
    ['as an archive', (count) => gzipSync(table(vehicles(count)))],
    ['with the right total below', (count) => `${table(vehicles(count))}Total vehicles: ${count}\n`],
    ['with its lines counted', (count) => `${table(vehicles(count))}TRAILER,${count + 2}\n`],
    ['with a line that ends it', (count) => `${table(vehicles(count))}END OF FILE\n`],
    ['with such a line that none ends', (count) => `${table(vehicles(count))}*** EOF ***`],
  ];

  it.each(written)('takes them off where it proves to be whole: %s', async (_how, write, way = {}) => {
    await bench.take(write(12), way);
    const report = await bench.take(write(10), way);
    expect(report).toMatchObject({ removed: 2, file: { warnings: [] } });
    expect(bench.keys).toEqual(numbers(0, 9));
  });

  it('keeps them for one file more where it is a table that may have been cut', async () => {
    await bench.take(table(vehicles(12)));
    const report = await bench.take(table(vehicles(10)));
    expect(report).toMatchObject({
      status: 'partial',
      removed: 0,
      file: { warnings: [{ code: 'end_missing' }] },
    });
    expect(await bench.take(table(vehicles(10)))).toMatchObject({ status: 'ok', removed: 2 });
  });

  it('keeps them where a total further up says so much, and the end is not told', async () => {
    await bench.take(table(vehicles(12)));
    const glued = `${table(vehicles(4))}Total vehicles: 4\n${table(vehicles(6, 4))}`;
    expect((await bench.take(glued)).file.warnings).toMatchObject([{ code: 'end_missing' }]);
  });

  it('takes them off where it is in another order, since a cut would have lost others', async () => {
    await bench.take(table(vehicles(12)));
    const report = await bench.take(table(vehicles(10).reverse()));
    expect(report).toMatchObject({ status: 'ok', removed: 2 });
  });

  it('keeps them where a vehicle has gone to another place in the same order', async () => {
    await bench.take(table(vehicles(12)));
    const [changed = {}, ...others] = vehicles(10);
    const report = await bench.take(table([...others, { ...changed, SellingPrice: '18000' }]));
    expect(report).toMatchObject({ status: 'partial', removed: 0 });
  });

  it('lets those go whose rows are there and refused', async () => {
    await bench.take(table(vehicles(25)));
    const unknown = vehicles(5, 20, { Type: 'Mystery' });
    const report = await bench.take(table([...vehicles(20), ...unknown]));
    expect(report).toMatchObject({ status: 'partial', removed: 5, rejected: 5 });
    expect(report.file.warnings.map(({ code }) => code)).toEqual(['refused_and_removed']);
  });

  it('lets those go that stood before one whose row is there and refused', async () => {
    await bench.take(table(vehicles(25)));
    const report = await bench.take(table([...vehicles(22), ...vehicles(1, 24, { Type: 'Mystery' })]));
    expect(report).toMatchObject({ removed: 3 });
    expect(bench.keys).toEqual(numbers(0, 21));
  });

  it('keeps those behind a refused row, which is the last of the file', async () => {
    await bench.take(table(vehicles(25)));
    const cut = table([...vehicles(20), ...vehicles(1, 20, { Type: 'Mystery' })]);
    const report = await bench.take(cut);
    expect(report.file.warnings.map(({ code }) => code)).toEqual(['end_missing']);
    expect(bench.keys).toEqual(numbers(0, 24).filter((stock) => stock !== 'A20'));
  });
});
