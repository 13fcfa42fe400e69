import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { zip } from '../feeds/zip-writer.ts';
import { COLUMNS, faultBench, table, vehicles, type FaultBench, type Way } from './fault-bench.ts';

/**
 * A file of 30 vehicles is on the lot, and the same export comes again, cut off at any byte. What is promised:
 *
 * - no vehicle leaves the lot and none is changed, whatever the cut;
 * - the run is `failed`, `held` or `partial`. It is `ok` only where nothing but the very end of the file's syntax is
 *   gone and every vehicle is there whole (blanks after the root of an XML file, the LF of a last CRLF).
 *
 * How a cut is found out: XML, archives, open quotes, half characters and short rows tell it by themselves. A row
 * that is complete but lacks its line break is half a row in a feed whose last file ended with one. A cut right
 * behind a line break leaves a sound file; it lacks what stood at the end of the file before, and such vehicles
 * leave only when a second file lacks them.
 *
 * Not promised, because nothing can tell: a cut that takes the last row alone, and all of it, which looks as if that
 * vehicle had been sold; a feed whose files never end with a line break, cut within the last value
 * of its very last row; and whole vehicles lost in the cut of an export whose order changes from file to file, up to
 * what the shrink guard lets pass.
 */

const ROWS = vehicles(30).map((row, index) => ({
  ...row,
  SellingPrice: String(20_000 + index),
  Color: index % 3 === 0 ? 'Grün' : 'Red',
  DateInStock: '2026-03-01',
  Options: 'Heated seats,Bose',
  ImageList: `https://p.example/${index}.jpg?size=large`,
}));
const PLAIN = table(ROWS);
const QUOTED = PLAIN.split('\n')
  .slice(0, -1)
  .map(
    (line) =>
      `${splitLine(line)
        .map((value) => `"${value}"`)
        .join(',')}\n`,
  )
  .join('');

function splitLine(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"(?:,|$)|([^",]*)(?:,|$)/g)]
    .slice(0, COLUMNS.length)
    .map((m) => m[1] ?? m[2] ?? '');
}

const XML = `<?xml version="1.0"?>\n<lot>\n${ROWS.map(
  ({ Stock, SellingPrice, Color }) =>
    `<v id="${Stock ?? ''}"><y>2020</y><m>Kia</m><n>Rio</n><c>used</c><p>${SellingPrice}</p><k>${Color}</k></v>\n`,
).join('')}</lot>\n`;
const XML_WAY: Way = {
  profile: {
    reader: 'xml',
    options: { record: 'v' },
    map: {
      stock: '@id',
      year: 'y',
      make: 'm',
      model: 'n',
      condition: 'c',
      list_price: 'p',
      exterior_color: 'k',
    },
  },
};

const bench = faultBench();

function lotOf({ lot }: FaultBench): Record<string, unknown> {
  return Object.fromEntries([...lot].map(([key, { updated_at: _, ...listing }]) => [key, listing]));
}

/** Where a cut takes the last row alone, with its own line break and whole: with CRLF also between the two. */
function startsOfLastRow(whole: Uint8Array): number[] {
  const text = Buffer.from(whole);
  const start = text.lastIndexOf('\n', text.length - 2) + 1;
  if (text[start] === 0) return [start + 1]; // the second half of a line break in UTF-16
  return text[start - 2] === 13 ? [start - 1, start] : [start];
}

/** Takes the whole file in, then the cut one, and puts the lot right again where the cut one was taken in. */
async function cutAnywhere(
  whole: Uint8Array,
  way: Way,
  cuts: fc.Arbitrary<number>,
  runs: number,
): Promise<void> {
  await bench.take(whole, way);
  const before = lotOf(bench);
  const lastRowStarts = startsOfLastRow(whole);
  expect(Object.keys(before)).toHaveLength(30);
  let last: number | undefined;
  await fc.assert(
    fc.asyncProperty(
      cuts.filter((at) => !lastRowStarts.includes(at)),
      async (at) => {
        // The same held file twice in a row is a yes, by the settings.
        fc.pre(at !== last);
        last = at;
        const report = await bench.take(whole.subarray(0, at), way);
        expect(report.removed).toBe(0);
        expect(lotOf(bench)).toEqual(before);
        if (report.status === 'failed' || report.status === 'held') return;
        if (report.status === 'ok') expect(report).toMatchObject({ unchanged: 30, changed: 0 });
        expect(await bench.take(whole, way)).toMatchObject({ status: 'ok', unchanged: 30 });
      },
    ),
    { numRuns: runs },
  );
}

describe('an export that is cut off', () => {
  const plain = Buffer.from(PLAIN);
  const written: [string, Uint8Array, Way][] = [
    ['a table without quotes', plain, {}],
    ['a table whose values are all quoted', Buffer.from(QUOTED), {}],
    ['a table with CRLF', Buffer.from(PLAIN.replaceAll('\n', '\r\n')), {}],
    ['a table in windows-1252', Buffer.from(PLAIN, 'latin1'), {}],
    ['a table in UTF-16', Buffer.from(`\uFEFF${PLAIN}`, 'utf16le'), {}],
    ['a table in gzip', gzipSync(plain), {}],
    ['a table in zip', zip([{ name: 'lot.csv', content: plain, method: 'deflate' }]), {}],
    ['a table in zip, stored', zip([{ name: 'lot.csv', content: plain }]), {}],
    ['XML', Buffer.from(XML), XML_WAY],
  ];
  it.each(written)(
    '%s, at any byte, takes no vehicle off the lot and changes none',
    async (_, whole, way) => {
      await cutAnywhere(whole, way, fc.integer({ min: 0, max: whole.length - 1 }), 20);
    },
  );

  it.each([
    ['a table without quotes', PLAIN],
    ['a table whose values are all quoted', QUOTED],
  ])('%s, near and behind its line ends', async (_, text) => {
    const ends = [...text.matchAll(/\n/g)].map(({ index }) => Buffer.byteLength(text.slice(0, index)));
    const near = fc.tuple(fc.constantFrom(...ends), fc.integer({ min: -4, max: 1 }));
    const cuts = near.map(([end, offset]) => end + offset);
    await cutAnywhere(Buffer.from(text), {}, cuts, 25);
  });

  it('without a line break at the end of its files keeps the vehicles, and the row of the cut as it was', async () => {
    const whole = Buffer.from(PLAIN.trimEnd());
    const lastRow = whole.lastIndexOf('\n');
    await cutAnywhere(whole, {}, fc.integer({ min: 0, max: lastRow }), 20);
  });
});

describe('another export that is cut off behind a line break', () => {
  it('lets go what was sold before the cut, and keeps what stood behind it until a second file lacks it', async () => {
    await bench.takeRows(ROWS);
    const today = [{ Stock: 'NEW' }, ...ROWS.filter(({ Stock }) => Stock !== 'A4')];
    const cut = today.slice(0, -6);
    const first = await bench.takeRows(cut);
    expect(first).toMatchObject({ status: 'partial', added: 1, removed: 1, rooftops: [{ missing: 6 }] });
    expect(first.file.warnings).toMatchObject([{ code: 'end_missing' }]);
    expect(first.file.warnings[0]?.message).toContain('the last 6 vehicles');
    expect(bench.keys).toEqual(today.map(({ Stock }) => Stock).sort());
    const second = await bench.takeRows(cut);
    expect(second).toMatchObject({ status: 'ok', removed: 6 });
    expect(bench.keys).toEqual(cut.map(({ Stock }) => Stock).sort());
  });

  it('takes a single vehicle that is missing at the end for sold', async () => {
    await bench.takeRows(ROWS);
    expect(await bench.takeRows(ROWS.slice(0, -1))).toMatchObject({ status: 'ok', removed: 1 });
  });

  it('forgets what was missing when the next file has it again', async () => {
    await bench.takeRows(ROWS);
    await bench.takeRows(ROWS.slice(0, -3));
    expect(await bench.takeRows(ROWS)).toMatchObject({ status: 'ok', unchanged: 30, added: 0 });
    expect(await bench.takeRows(ROWS.slice(0, -3))).toMatchObject({ status: 'partial', removed: 0 });
  });

  it('is believed at once where the settings say so, and when a person says so', async () => {
    const guard = { max_removed_percent: 20, max_removed_vehicles: 10, doubt_missing_end: false };
    await bench.takeRows(ROWS);
    const report = await bench.takeRows(ROWS.slice(0, -3), { feed: { guard } });
    expect(report).toMatchObject({ status: 'ok', removed: 3 });
  });

  it('is held by the guard as any other when it lacks too many', async () => {
    await bench.takeRows(ROWS);
    const report = await bench.takeRows(ROWS.slice(0, -11));
    expect(report).toMatchObject({ status: 'held', problem: { code: 'shrink_guard' } });
  });
});

describe('a line break that is missing at the end', () => {
  it('is what the feed shows, also after a file that was cut off right behind a line break', async () => {
    const without = PLAIN.trimEnd();
    await bench.take(without);
    const cut = PLAIN.split('\n').slice(0, -4).concat('').join('\n');
    expect(await bench.take(cut)).toMatchObject({ status: 'partial', removed: 0 });
    expect(await bench.take(without)).toMatchObject({ status: 'ok', unchanged: 30 });
  });

  it('costs nothing where the last row says what the lot says, and is believed of others after two such files', async () => {
    await bench.takeRows(ROWS);
    const without = PLAIN.trimEnd();
    expect(await bench.take(without)).toMatchObject({ status: 'ok', unchanged: 30 });
    const cheaper = [...ROWS.slice(0, -1), { ...ROWS[29], SellingPrice: '19000' }];
    const changed = table(cheaper).trimEnd();
    const doubted = await bench.take(changed);
    expect(doubted).toMatchObject({ status: 'partial', rejectionCounts: { row_truncated: 1 }, changed: 0 });
    expect(doubted.file.warnings.map(({ code }) => code)).toEqual(['possibly_truncated']);
    expect(bench.lot.get('A29')?.list_price).toBe(20_029);
    await bench.take(without);
    expect(await bench.take(without)).toMatchObject({ status: 'ok', unchanged: 30 });
    expect(await bench.take(changed)).toMatchObject({ status: 'ok', changed: 1 });
    expect(bench.lot.get('A29')?.list_price).toBe(19_000);
  });

  it('never publishes a price that was cut, however many cut files come in a row', async () => {
    const columns = [...COLUMNS.filter((column) => column !== 'SellingPrice'), 'SellingPrice' as const];
    const whole = Buffer.from(table(ROWS, { columns }));
    await bench.take(whole);
    const before = lotOf(bench);
    const cuts = [1, 3, 3, 2, 1, 4, 3].map((bytes) => whole.subarray(0, whole.length - bytes));
    const statuses = [];
    for (const cut of cuts) {
      statuses.push((await bench.take(cut)).status);
      expect(lotOf(bench)).toEqual(before);
    }
    expect(statuses).toEqual(['ok', 'partial', 'partial', 'partial', 'ok', 'partial', 'partial']);
  });

  it('refuses a row of a delta that may ask to remove another vehicle than it names', async () => {
    const map = { stock: 'S', year: 'Y', make: 'K', model: 'M', condition: 'C' };
    const action = { column: 'Do', delete: ['D'], upsert: ['U'] };
    const way: Way = { feed: { mode: 'delta' }, profile: { map, action } };
    const whole = 'Do,Y,K,M,C,S\nU,2020,Kia,Rio,used,A1\nU,2020,Kia,Rio,used,A12\n';
    await bench.take(whole, way);
    const again = 'U,2020,Kia,Rio,used,A12\n';
    const report = await bench.take(`${whole.slice(0, whole.indexOf('\n'))}\n${again}D,,,,,A1`, way);
    expect(report).toMatchObject({ status: 'partial', removed: 0, rejectionCounts: { row_truncated: 1 } });
    expect(bench.keys).toEqual(['A1', 'A12']);
  });

  it('is no fault in the first file of a feed', async () => {
    expect(await bench.take(PLAIN.trimEnd())).toMatchObject({ status: 'ok', added: 30 });
  });
});
