import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FeedConfig } from '../../src/config/config.ts';
import { ingestFile } from '../../src/feeds/ingest.ts';
import type { RunReport } from '../../src/feeds/reporting/report.ts';
import type { InventoryIntake } from '../../src/model/intake.ts';
import { Dealership } from './dealership.ts';

/**
 * A record that came with the last file too is recognised and not mapped again. Nobody may see a difference: the same
 * files are given to two dealers, of whom one has an inventory that never recognises anything.
 */

const HEADER =
  'VIN,Stock,DealerID,Type,Certified,Year,Make,Model,Body,Internet_Price,Miles,Description,DateInStock';
/** The first two with a check digit that fits: of the others there is something to tell. */
const VINS = ['1HGCM82633A004352', '1M8GDM9AXKP042788', '2T1BURHE0JC123456', 'not a vin', ''];

let dealers: Dealership[];

beforeEach(async () => {
  dealers = [await Dealership.open(), await Dealership.open()];
});

afterEach(async () => {
  for (const dealer of dealers) await dealer.close();
});

const oneOf = (...values: string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const line = fc
  .tuple(
    ...[
      oneOf(...VINS.slice(0, 2), ...VINS),
      oneOf('A1', 'B2', ''),
      oneOf('HPM01', 'HPM01', 'CR-2002', 'nobody'),
      oneOf('Used', 'Used', 'New', '?'),
    ],
    ...[oneOf('True', 'False'), oneOf('2024', '2024', ''), oneOf('Toyota', 'Toyota', 'Tesler')],
    ...[oneOf('Camry'), oneOf('Sedan', 'Sedan', 'Spaceship'), oneOf('20000', '21000', '90000', 'call', '')],
    ...[oneOf('12', '12', 'many'), oneOf('"One owner, clean"', 'plain', '"18"" wheels"', '"two\nlines"')],
    oneOf('05/04/2026', '05/06/2026', ''),
  )
  .map((values) => values.join(','));
/** Mostly what was there before, as exports are. */
const files = fc
  .tuple(
    fc.array(line, { minLength: 3, maxLength: 6 }),
    fc.array(fc.array(fc.nat(9), { maxLength: 7 }), { maxLength: 3 }),
    fc.array(line, { minLength: 4, maxLength: 4 }),
  )
  .map(([first, picks, others]) => [
    first,
    ...picks.map((pick) => pick.flatMap((at) => [...first, ...others][at] ?? [])),
  ]);

it('takes in the same, counts the same and tells the same as one that never recognises a row', async () => {
  const settings = fc.record({
    mode: fc.constantFrom('full' as const, 'delta' as const),
    price_checks: fc.constantFrom({}, { max_change_percent: 20 }),
    endsWithBreak: fc.boolean(),
  });
  let round = 0;
  const property = fc.asyncProperty(files, settings, async (tables, { endsWithBreak, ...over }) => {
    round += 1;
    for (const [number, lines] of tables.entries()) {
      const text = [HEADER, ...lines].join('\r\n') + (endsWithBreak ? '\r\n' : '');
      const told = [];
      for (const [index, dealer] of dealers.entries()) {
        const feed = dealer.feed('homenet', { id: `feed${round}`, guard: LOOSE, ...over });
        const report = await take(dealer, feed, `${number}.csv`, text, { recognises: index === 0 });
        told.push({ ...comparable(report), lot: [...dealer.listed()] });
      }
      expect(told[0]).toEqual(told[1]);
    }
  });
  await fc.assert(property, { numRuns: 15 });
});

it('looks at every row again when the profile, the rooftops or the feed have changed', async () => {
  const [dealer] = dealers;
  if (dealer === undefined) throw new Error('no dealer');
  const text = `${HEADER}\r\n1HGCM82633A004352,A1,HPM01,Used,False,2024,Ford,F-150,Truck,20000,12,plain,05/04/2026\r\n`;
  await take(dealer, dealer.feed('homenet'), 'one.csv', text, { recognises: true });
  await take(dealer, dealer.feed('homenet', { price_basis: 'all_in' }), 'two.csv', text, {
    recognises: true,
  });
  expect(dealer.listed().get('1HGCM82633A004352')).toMatchObject({ price: 20000 });
});

it('hands recognised rows on without their cells, and the others whole', async () => {
  const [dealer] = dealers;
  if (dealer === undefined) throw new Error('no dealer');
  const row = (vin: string, price: string): string =>
    `${vin},S${vin.slice(-3)},HPM01,Used,False,2024,Ford,F-150,Truck,${price},12,plain,05/04/2026\r\n`;
  const staged: number[] = [];
  const intake = counting(dealer.store, staged);
  const feed = dealer.feed('homenet', { guard: LOOSE });
  await takeWith(
    dealer,
    feed,
    'one.csv',
    HEADER + '\r\n' + row('1HGCM82633A004352', '20000') + row('2T1BURHE0JC123456', '1'),
    intake,
  );
  await takeWith(
    dealer,
    feed,
    'two.csv',
    HEADER + '\r\n' + row('1HGCM82633A004352', '20000') + row('1M8GDM9AXKP042788', '9000'),
    intake,
  );
  expect(staged).toEqual([0, 1]);
});

const LOOSE = { max_removed_percent: 100, max_removed_vehicles: 1000 };

function take(
  dealer: Dealership,
  feed: FeedConfig,
  name: string,
  text: string,
  { recognises }: { recognises: boolean },
): Promise<RunReport> {
  return takeWith(dealer, feed, name, text, recognises ? dealer.store : unrecognising(dealer.store));
}

async function takeWith(
  dealer: Dealership,
  feed: FeedConfig,
  name: string,
  text: string,
  intake: InventoryIntake,
): Promise<RunReport> {
  const file = path.join(feed.folder, name);
  await mkdir(feed.folder, { recursive: true });
  await writeFile(file, text);
  const modified = new Date('2026-05-06T08:00:00Z');
  await utimes(file, modified, modified);
  dealer.now = modified.getTime() + 60_000;
  const report = await ingestFile(file, feed, dealer.services({ intake }));
  if (report === undefined) throw new Error(`${name} was not taken`);
  return report;
}

/** Everything that is told but which run it was and how long it took. */
function comparable({ runId: _, durationMs: _ms, ...told }: RunReport): object {
  return told;
}

function unrecognising(store: InventoryIntake): InventoryIntake {
  return over(store, (run) => {
    delete run.knownRecords;
  });
}

/** Notes of every run how many rows the store was handed as recognised. */
function counting(store: InventoryIntake, recognised: number[]): InventoryIntake {
  return over(store, (run, stage) => {
    const place = recognised.push(0) - 1;
    run.stage = (vehicles) => {
      recognised[place] = (recognised[place] ?? 0) + vehicles.filter((vehicle) => 'rowId' in vehicle).length;
      return stage(vehicles);
    };
  });
}

type Run = Awaited<ReturnType<InventoryIntake['beginRun']>>;

/** The store with its runs changed; each member is bound, because the run keeps its state in private fields. */
function over(store: InventoryIntake, change: (run: Run, stage: Run['stage']) => void): InventoryIntake {
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'beginRun') return bound(target, name);
      return async (options: Parameters<InventoryIntake['beginRun']>[0]) => {
        const run = await target.beginRun(options);
        const names = Object.getOwnPropertyNames(Object.getPrototypeOf(run)).filter(
          (key) => key !== 'constructor',
        );
        const copy = Object.fromEntries(names.map((key) => [key, bound(run, key)])) as unknown as Run;
        change(copy, (vehicles) => run.stage(vehicles));
        return copy;
      };
    },
  });
}

function bound(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name, target);
  return typeof member === 'function' ? (member.bind(target) as unknown) : member;
}
