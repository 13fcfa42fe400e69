import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedConfig, SourceConfig } from '../../src/config/config.ts';
import { findHeldFile, releaseHeldFile } from '../../src/feeds/held-files.ts';
import { OverdueWatch } from '../../src/feeds/overdue.ts';
import { hasCome } from '../../src/feeds/sources/look-at-source.ts';
import type { Findings } from '../../src/feeds/sources/look.ts';
import { noteInSourceRecord, successAt } from '../../src/feeds/sources/source-record.ts';
import { buildLot } from '../../src/inventory/lot/build-lot.ts';
import { LotInventory } from '../../src/inventory/lot-inventory.ts';
import { formatInstant } from '../../src/model/clock.ts';
import { Dealership } from '../feeds-intake/dealership.ts';
import { filesIn, takeIn } from './drop-file.ts';

const HOUR = 3_600_000;
const CAR = 'stock,year,make,model,condition,list_price\nA1,2020,Honda,Civic,used,20000\n';
let dealership: Dealership;

beforeEach(async () => {
  dealership = await Dealership.open();
  // Whole seconds, as the run log keeps them.
  dealership.now = Date.parse('2026-05-04T08:00:00Z');
});

afterEach(async () => {
  await dealership.close();
});

describe('a file older than the feed allows', () => {
  it('is refused with its time, and changes nothing', async () => {
    const feed = dealership.feed('aap', { max_age_hours: 48 });
    const report = await takeIn(CAR, feed, dealership, { at: dealership.now - 50.5 * HOUR });
    expect(report).toMatchObject({ status: 'failed', rows: 0, problem: { code: 'file_stale' } });
    expect(report.problem?.message).toBe(
      'the file is older than this feed allows (last changed 2026-05-02T05:30:00Z, 50 hours ago; at most 48)',
    );
    expect(dealership.listed().size).toBe(0);
    expect(await filesIn('failed', feed, dealership)).toHaveLength(3);
  });

  it('is taken up to that age, and at any age without the setting', async () => {
    const feed = dealership.feed('aap', { max_age_hours: 48 });
    expect((await takeIn(CAR, feed, dealership, { at: dealership.now - 48 * HOUR })).status).toBe('ok');
    const other = dealership.feed('aap', { id: 'other' });
    expect((await takeIn(CAR, other, dealership, { at: dealership.now - 9000 * HOUR })).status).toBe('ok');
  });

  it('is taken when it grew old while it waited for a person, who says yes', async () => {
    const feed = dealership.feed('aap', { max_age_hours: 48 });
    const many = Array.from({ length: 9 }, (_, n) => `B${n},2020,Kia,Rio,used,9000\n`).join('');
    await takeIn(CAR + many, feed, dealership);
    const { runId, status } = await takeIn(CAR, feed, dealership);
    expect(status).toBe('held');
    dealership.now += 100 * HOUR;
    // A report that nobody can read stands in nobody's way.
    await writeFile(path.join(dealership.folder, 'held', feed.id, '00-cut.csv.report.json'), '{"runId":');
    const held = await findHeldFile(runId, feed.id, dealership.folder);
    const released = await releaseHeldFile(held!, runId, feed, dealership.services());
    expect(released?.status).toBe('ok');
    expect(dealership.listed().size).toBe(1);
  });
});

describe('a feed that does not come', () => {
  it('is told once, and once when it comes again', async () => {
    const feed = dealership.feed('aap', { expect_every_hours: 24 });
    const watch = new OverdueWatch([feed, dealership.feed('aap', { id: 'any-time' })], dealership.services());
    await takeIn(CAR, feed, dealership);
    const came = dealership.now;
    dealership.now = came + 24 * HOUR;
    expect(await watch.look()).toEqual([]);
    dealership.now += 1000;
    const overdue = [{ feedId: 'lot', since: formatInstant(came + 24 * HOUR), isHidden: false }];
    expect(await watch.look()).toEqual(overdue);
    dealership.now += HOUR;
    expect(await watch.look()).toEqual(overdue);
    expect(dealership.log.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        facts: { feed: 'lot', expect_every_hours: 24, last_good_file: '2026-05-04T08:00:00Z' },
        message: 'feed is overdue: it has brought no good file for too long',
      },
    ]);

    await takeIn(CAR, feed, dealership);
    expect(await watch.look()).toEqual([]);
    expect(await watch.look()).toEqual([]);
    const again = dealership.log.filter(({ message }) => message.includes('has come again'));
    expect(again).toEqual([
      { level: 'info', facts: { feed: 'lot' }, message: 'the feed that was overdue has come again' },
    ]);
  });

  describe('whose source still shows the file taken in last', () => {
    const source = { kind: 'http', url: 'http://127.0.0.1/lot.csv', every_ms: 60_000 } as const;
    let feed: FeedConfig & { source: SourceConfig };
    let watch: OverdueWatch;
    beforeEach(async () => {
      feed = { ...dealership.feed('aap', { expect_every_hours: 24 }), source };
      watch = new OverdueWatch([feed], dealership.services());
      await takeIn(CAR, feed, dealership);
      dealership.now += 20 * HOUR;
    });

    const shows = (isConfirmed: boolean): Promise<unknown> =>
      noteInSourceRecord(dealership.folder, feed, () => successAt(dealership.now, isConfirmed));

    it('counts as having come, and the lot is no younger for that', async () => {
      const updatedAt = dealership.listed().get('A1')?.updated_at;
      await shows(true);
      dealership.now += 20 * HOUR;
      expect(await watch.look()).toEqual([]);
      expect(dealership.listed().get('A1')?.updated_at).toBe(updatedAt);
      dealership.now += 5 * HOUR;
      expect(await watch.look()).toMatchObject([{ since: '2026-05-06T04:00:00Z' }]);
    });

    it('is overdue all the same when that file is too old, or when the source has none', async () => {
      await shows(false);
      dealership.now += 20 * HOUR;
      expect(await watch.look()).toHaveLength(1);
    });

    it('is overdue when what came last was refused', async () => {
      await takeIn('no,feed\n', feed, dealership);
      await shows(true);
      dealership.now += 20 * HOUR;
      expect(await watch.look()).toHaveLength(1);
    });

    it('is overdue when the settings name another source since', async () => {
      await shows(true);
      const moved = { ...feed, source: { ...source, url: 'http://127.0.0.1/other.csv' } };
      dealership.now += 20 * HOUR;
      expect(await new OverdueWatch([moved], dealership.services()).look()).toHaveLength(1);
    });
  });

  it.each([
    ['a file that landed', { landed: ['a.csv'], offered: 1 }, true],
    ['the file of last time', { landed: [], offered: 1, unchanged: { digest: '', modified_at: -47 } }, true],
    [
      'one older than the feed allows',
      { landed: [], offered: 1, unchanged: { digest: '', modified_at: -49 } },
      false,
    ],
    ['one of unknown age', { landed: [], offered: 1, unchanged: { digest: '' } }, true],
    ['nothing', { landed: [], offered: 0 }, false],
  ])('comes with %s: %#', (_name, { unchanged, ...rest }: Findings, expected) => {
    const feed = dealership.feed('aap', { max_age_hours: 48 });
    const at = unchanged?.modified_at;
    const dated = at === undefined ? {} : { modified_at: dealership.now + at * HOUR };
    const findings = unchanged === undefined ? rest : { ...rest, unchanged: { digest: '', ...dated } };
    expect(hasCome(findings, feed, dealership.now)).toBe(expected);
  });

  it('is not helped by files that are refused or held', async () => {
    const feed = dealership.feed('aap', { expect_every_hours: 24 });
    const watch = new OverdueWatch([feed], dealership.services());
    await takeIn(CAR, feed, dealership);
    dealership.now += 30 * HOUR;
    expect((await takeIn('', feed, dealership)).status).toBe('failed');
    const empty = await takeIn('stock,year,make,model,condition,list_price\n', feed, dealership);
    expect(empty.status).toBe('held');
    expect((await watch.look()).map(({ feedId }) => feedId)).toEqual(['lot']);
  });

  it('that never came is counted from the start of the watch', async () => {
    const feed = dealership.feed('aap', { expect_every_hours: 2, when_overdue: 'hide' });
    const watch = new OverdueWatch([feed], dealership.services());
    dealership.now += 2 * HOUR;
    expect(await watch.look()).toEqual([]);
    dealership.now += 1;
    expect(await watch.look()).toEqual([{ feedId: 'lot', since: '2026-05-04T10:00:00Z', isHidden: true }]);
    expect(dealership.log[0]).toMatchObject({
      facts: { last_good_file: 'never' },
      message: expect.stringContaining('its vehicles are not shown until it does') as string,
    });
  });
});

describe('the vehicles of a hidden feed', () => {
  it('are neither found nor counted, told as unavailable, and back with the next lot that shows them', async () => {
    await takeIn(CAR, dealership.feed('aap'), dealership);
    await takeIn(CAR.replace('A1', 'Z9'), dealership.feed('aap', { id: 'other' }), dealership);
    const search = { default_limit: 20, max_limit: 100, include_facets: false, max_facet_values: 100 };
    const inventory = new LotInventory(dealership.store, search);
    const stocks = (): string[] =>
      inventory
        .search({ filters: {}, skip: 0, limit: 20, includeFacets: false })
        .vehicles.map((text) => (JSON.parse(text) as { stock: string }).stock);

    inventory.swap(buildLot(dealership.store, [{ feedId: 'lot', since: '2026-05-05T08:00:00Z' }]));
    expect(stocks()).toEqual(['Z9']);
    expect(inventory.status().vehicles).toBe(1);
    expect(inventory.find({ stock: 'A1' })).toEqual({
      kind: 'gone',
      leftAt: '2026-05-05T08:00:00Z',
      rooftopId: 'HPM01',
    });
    expect(inventory.find({ stock: 'Z9' }).kind).toBe('listed');

    inventory.swap(buildLot(dealership.store));
    expect(stocks().sort()).toEqual(['A1', 'Z9']);
    expect(inventory.find({ stock: 'A1' }).kind).toBe('listed');
  });
});

describe('a file older than the one taken in last', () => {
  const CHEAPER = CAR.replace('20000', '15000');
  const price = (): unknown => dealership.listed().get('A1')?.list_price;

  it('waits for a person, and is taken in when one says so', async () => {
    const feed = dealership.feed('aap');
    await takeIn(CHEAPER, feed, dealership, { at: dealership.now - HOUR });
    const old = await takeIn(CAR, feed, dealership, { at: dealership.now - 120 * HOUR });
    expect(old).toMatchObject({ status: 'held', problem: { code: 'older_than_last' } });
    expect(old.problem?.message).toContain('last changed 2026-04-29T08:00:00Z');
    expect(price()).toBe(15_000);
    // Dropping it once more is no yes.
    const again = await takeIn(CAR, feed, dealership, { at: dealership.now - 120 * HOUR });
    expect(again).toMatchObject({ status: 'held', problem: { code: 'older_than_last' } });
    const held = await findHeldFile(old.runId, feed.id, dealership.folder);
    const released = await releaseHeldFile(held!, old.runId, feed, dealership.services());
    expect(released).toMatchObject({ status: 'ok', changed: 1, releasedBy: 'person' });
    expect(price()).toBe(20_000);
    // From then on the restored one is the last.
    expect(await takeIn(CHEAPER, feed, dealership, { at: dealership.now - HOUR })).toMatchObject({
      status: 'ok',
    });
  });

  it('is told of a delta, too, which stays waiting while newer ones are taken in', async () => {
    const feed = dealership.feed('aap', { mode: 'delta' });
    await takeIn(CHEAPER, feed, dealership);
    const old = await takeIn(CAR, feed, dealership, { at: dealership.now - 2 * HOUR });
    expect(old).toMatchObject({ status: 'held', problem: { code: 'delta_older' } });
    dealership.now += HOUR;
    expect(await takeIn(CAR.replace('A1', 'A2'), feed, dealership)).toMatchObject({ status: 'ok', added: 1 });
    expect(dealership.store.listHeldRuns().map(({ runId }) => runId)).toEqual([old.runId]);
    expect(price()).toBe(15_000);
  });

  it.each([
    ['of the same time', 0],
    ['a few seconds older', 5000],
    ['older by the time in which somebody edits another', 50 * 60_000],
  ])('is no fault when it is %s', async (_, byMs) => {
    const feed = dealership.feed('aap');
    await takeIn(CHEAPER, feed, dealership, { at: dealership.now - HOUR });
    const next = await takeIn(CAR, feed, dealership, { at: dealership.now - HOUR - byMs });
    expect(next.status).toBe('ok');
  });

  it('is no fault when the last one came from a clock that was ahead, here or where it was written', async () => {
    const feed = dealership.feed('aap');
    await takeIn(CHEAPER, feed, dealership, { at: dealership.now + 9000 * HOUR });
    dealership.now += HOUR;
    expect((await takeIn(CAR, feed, dealership)).status).toBe('ok');
    dealership.now -= 48 * HOUR;
    expect((await takeIn(CHEAPER, feed, dealership)).status).toBe('ok');
  });

  it('is no fault behind the sample that a new feed begins with', async () => {
    const sample = path.join(dealership.folder, 'sample.csv');
    const feed = dealership.feed('aap', { sample });
    await takeIn(CHEAPER, feed, dealership, { name: 'sample.csv' });
    expect((await takeIn(CAR, feed, dealership, { at: dealership.now - 9000 * HOUR })).status).toBe('ok');
  });
});
