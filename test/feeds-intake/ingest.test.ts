import { copyFile, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { releaseHeldFile, discardHeldFile, findHeldFile } from '../../src/feeds/held-files.ts';
import { ingestCopy, ingestFile } from '../../src/feeds/ingest.ts';
import type { RunReport } from '../../src/feeds/reporting/report.ts';
import type { FeedConfig } from '../../src/config/config.ts';
import { CASES_FOLDER, caseNamed, writeProfile } from './case-files.ts';
import { DISCARDED_BY_HAND } from '../../src/model/intake.ts';
import { Dealership } from './dealership.ts';

let dealership: Dealership;
let feed: FeedConfig;

const SNAPSHOTS = path.join(CASES_FOLDER, 'quirks/snapshots');

beforeEach(async () => {
  dealership = await Dealership.open();
  const profile = await writeProfile(caseNamed('quirks/snapshots/day1.csv'), dealership.folder);
  feed = dealership.feed(profile);
  await mkdir(feed.folder, { recursive: true });
});

afterEach(async () => {
  await dealership.close();
});

/** Puts a copy of the file into the inbox under that name, written at that time, and takes it in. */
async function ingest(source: string, options: { name?: string; at?: number; feed?: FeedConfig } = {}) {
  const name = options.name ?? path.basename(source);
  const file = path.join(feed.folder, name);
  await copyFile(source, file);
  const at = (options.at ?? dealership.now) / 1000;
  await utimes(file, at, at);
  const report = await ingestFile(file, options.feed ?? feed, dealership.services());
  if (report === undefined) throw new Error('the file was not taken');
  return report;
}

async function day(
  name: string,
  options: { name?: string; at?: number; feed?: FeedConfig } = {},
): Promise<RunReport> {
  return ingest(path.join(SNAPSHOTS, name), options);
}

async function filesIn(place: string): Promise<string[]> {
  const names = await readdir(path.join(dealership.folder, place, feed.id)).catch(() => []);
  return names.sort();
}

function changes(report: RunReport) {
  return report.rooftops.map(({ rooftopId, added, changed, unchanged, removed }) => {
    return { rooftopId, added, changed, unchanged, removed };
  });
}

describe('three days of one feed', () => {
  it('brings the first snapshot, then only what changed', async () => {
    const first = await day('day1.csv');
    expect(first.status).toBe('ok');
    expect(changes(first)).toEqual([{ rooftopId: 'HPM01', added: 14, changed: 0, unchanged: 0, removed: 0 }]);

    const second = await day('day2-normal.csv');
    expect(second.status).toBe('ok');
    expect(changes(second)).toEqual([
      { rooftopId: 'HPM01', added: 1, changed: 1, unchanged: 11, removed: 2 },
    ]);
    const listed = dealership.listed();
    expect(listed.size).toBe(13);
    expect(listed.get('4T1G11AK1LUA90109')).toMatchObject({
      list_price: 18995,
      inventory_date: '2026-08-18',
    });
    expect(listed.has('1C4RJFBG2JCA90112')).toBe(false);
    expect(listed.has('1G1FB1RX6H0A90207')).toBe(true);
  });

  it('holds the shrunk snapshot and keeps the day before', async () => {
    await day('day1.csv');
    await day('day2-normal.csv');
    const before = dealership.listed();
    const third = await day('day3-shrunk.csv');
    expect(third.status).toBe('held');
    expect(third.problem?.code).toBe('shrink_guard');
    expect(third.problem?.message).toContain('HPM01: 10 of 13');
    expect(dealership.listed()).toEqual(before);
    const [file, json, text] = await filesIn('held');
    expect([file, json, text]).toEqual([file, `${file}.report.json`, `${file}.report.txt`]);
    expect(file).toMatch(/^\d{8}T\d{6}\.\d{3}Z-day3-shrunk\.csv$/);
    const [run] = await dealership.store.listRuns({ feedId: 'lot' });
    expect(run).toMatchObject({
      status: 'held',
      code: 'shrink_guard',
      removed: 0,
      fileName: 'day3-shrunk.csv',
    });
  });

  it('takes the held file in when a person releases it, under the same run', async () => {
    await day('day1.csv');
    await day('day2-normal.csv');
    const { runId } = await day('day3-shrunk.csv');
    const held = await findHeldFile(runId, feed.id, dealership.folder);
    expect(held).toBeDefined();
    const released = await releaseHeldFile(held ?? '', runId, feed, dealership.services());
    expect(released).toMatchObject({ runId, status: 'ok', accepted: 3, releasedBy: 'person' });
    expect(changes(released!)).toEqual([
      { rooftopId: 'HPM01', added: 0, changed: 0, unchanged: 3, removed: 10 },
    ]);
    expect(dealership.listed().size).toBe(3);
    expect(await filesIn('held')).toEqual([]);
    expect(await filesIn('done')).toHaveLength(9);
    const runs = await dealership.store.listRuns({ feedId: 'lot' });
    expect(runs.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  });

  it('takes it in when the same bytes come a second time with nothing in between', async () => {
    await day('day1.csv');
    await day('day3-shrunk.csv');
    const again = await day('day3-shrunk.csv');
    expect(again).toMatchObject({ status: 'ok', releasedBy: 'same file again' });
    expect(dealership.listed().size).toBe(3);
  });

  it('does not take a good file in between for a yes', async () => {
    await day('day1.csv');
    await day('day3-shrunk.csv');
    await day('day1.csv');
    expect((await day('day3-shrunk.csv')).status).toBe('held');
  });

  it('does not take a discarded file that comes once more for a yes, however often', async () => {
    await day('day1.csv');
    await day('day3-shrunk.csv');
    const [run] = await dealership.store.listRuns({ feedId: feed.id });
    const message = `${run?.message ?? ''}; ${DISCARDED_BY_HAND}`;
    await dealership.store.recordRun({ ...run!, status: 'failed', message });
    for (const _again of [1, 2, 3]) expect((await day('day3-shrunk.csv')).status).toBe('held');
    expect(dealership.listed().size).toBe(14);
  });

  it('puts a discarded file to the failed ones', async () => {
    await day('day1.csv');
    const { runId } = await day('day3-shrunk.csv');
    const held = await findHeldFile(runId, feed.id, dealership.folder);
    const target = await discardHeldFile(held ?? '', feed.id, dealership.folder);
    expect(await filesIn('held')).toEqual([]);
    expect(await filesIn('failed')).toHaveLength(3);
    expect(await readFile(target)).toEqual(await readFile(path.join(SNAPSHOTS, 'day3-shrunk.csv')));
    expect(dealership.listed().size).toBe(14);
  });

  it('applies a delta by its action column', async () => {
    await day('day1.csv');
    const profile = await writeProfile(caseNamed('quirks/snapshots/delta-changes.csv'), dealership.folder);
    const delta = await day('delta-changes.csv', { feed: { ...feed, profile, mode: 'delta' } });
    expect(delta).toMatchObject({
      status: 'ok',
      rows: 3,
      accepted: 2,
      rejected: 0,
      removalsAsked: 1,
      mode: 'delta',
    });
    expect(changes(delta)).toEqual([{ rooftopId: 'HPM01', added: 1, changed: 1, unchanged: 0, removed: 1 }]);
    const listed = dealership.listed();
    expect(listed.size).toBe(14);
    expect(listed.get('4T1G11AK1LUA90109')).toMatchObject({ list_price: 18495 });
    expect(listed.has('1C4RJFBG2JCA90112')).toBe(false);
  });

  it('holds the same delta when it is read as a full file', async () => {
    await day('day1.csv');
    expect((await day('delta-changes.csv')).status).toBe('held');
    expect(dealership.listed().size).toBe(14);
  });

  it('confirms what it brings again, and an older file does not turn the time back', async () => {
    const monday = Date.UTC(2026, 8, 14, 6);
    const tuesday = Date.UTC(2026, 8, 15, 6);
    await day('day1.csv', { at: tuesday });
    expect(dealership.listed().get('1FTFW5L82TFA90101')?.updated_at).toBe('2026-09-15T06:00:00Z');
    const older = await day('day1.csv', { at: monday });
    expect(older).toMatchObject({ status: 'ok', sameAsLast: true });
    expect(dealership.listed().get('1FTFW5L82TFA90101')?.updated_at).toBe('2026-09-15T06:00:00Z');
  });

  it('does not believe a file that says it was written tomorrow', async () => {
    dealership.now = Date.UTC(2026, 8, 15, 6);
    await day('day1.csv', { at: Date.UTC(2026, 8, 16, 6) });
    expect(dealership.listed().get('1FTFW5L82TFA90101')?.updated_at).toBe('2026-09-15T06:00:00Z');
  });

  it('removes nothing because of a file that was cut short', async () => {
    await day('day1.csv');
    const report = await ingest(path.join(CASES_FOLDER, 'quirks/truncated.csv'));
    expect(report).toMatchObject({ status: 'partial', accepted: 11, rejected: 1 });
    expect(report.file.warnings.map(({ code }) => code)).toEqual(['possibly_truncated']);
    expect(changes(report)).toEqual([
      { rooftopId: 'HPM01', added: 0, changed: 0, unchanged: 11, removed: 0 },
    ]);
    expect(dealership.listed().size).toBe(14);
  });

  it('leaves rooftops alone that the file does not name', async () => {
    await ingest(path.join(CASES_FOLDER, 'vauto.csv'), { feed: { ...feed, profile: 'vauto' } });
    expect(dealership.listed().size).toBe(30);
    const text = await readFile(path.join(CASES_FOLDER, 'vauto.csv'), 'utf8');
    const withoutLakeview = text.split('\n').filter((line) => !line.includes('LPO03'));
    const file = path.join(dealership.folder, 'two-rooftops.csv');
    await writeFile(file, withoutLakeview.join('\n'));
    const report = await ingest(file, { feed: { ...feed, profile: 'vauto' } });
    expect(report.rooftops.map(({ rooftopId }) => rooftopId)).toEqual(['CRA02', 'HPM01']);
    expect(dealership.listed().size).toBe(30);
  });
});

describe('a file without rows', () => {
  async function headerOnly(): Promise<string> {
    const header = (await readFile(path.join(SNAPSHOTS, 'day1.csv'), 'utf8')).split('\n')[0] ?? '';
    const file = path.join(dealership.folder, 'header-only.csv');
    await writeFile(file, `${header}\n`);
    return file;
  }

  it('is held, also when it comes again, and tells what it would empty', async () => {
    await day('day1.csv');
    const file = await headerOnly();
    const report = await ingest(file);
    expect(report).toMatchObject({ status: 'held', rows: 0, problem: { code: 'no_rows' } });
    expect(report.rooftops).toMatchObject([{ rooftopId: 'HPM01', before: 14, removed: 14 }]);
    expect(await ingest(file)).toMatchObject({ status: 'held', problem: { code: 'no_rows' } });
    expect(dealership.listed().size).toBe(14);
  });

  it('empties the lot of its feed when a person releases it', async () => {
    await day('day1.csv');
    const { runId } = await ingest(await headerOnly());
    const held = await findHeldFile(runId, feed.id, dealership.folder);
    const report = await releaseHeldFile(held ?? '', runId, feed, dealership.services());
    expect(report).toMatchObject({ status: 'ok', releasedBy: 'person', rows: 0, removed: 14 });
    expect(dealership.listed().size).toBe(0);
  });

  it('of a delta feed says that nothing has changed', async () => {
    await day('day1.csv');
    const delta: FeedConfig = { ...feed, mode: 'delta' };
    expect(await ingest(await headerOnly(), { feed: delta })).toMatchObject({
      status: 'ok',
      rows: 0,
      removed: 0,
    });
    expect(dealership.listed().size).toBe(14);
  });
});

describe('files that are refused as a whole', () => {
  it.each([
    ['quirks/zero-bytes.csv', 'empty_file'],
    ['quirks/html-error-page.csv', 'not_a_feed'],
    ['quirks/zip-slip.zip', 'archive_unsafe_path'],
    ['quirks/columns-renamed.csv', 'missing_required_column'],
    ['quirks/xml-truncated.xml', 'not_a_feed'],
  ])('%s: %s, and the lot stays', async (name, code) => {
    await day('day1.csv');
    const before = dealership.listed();
    const report = await ingest(path.join(CASES_FOLDER, name));
    expect(report).toMatchObject({ status: 'failed', accepted: 0, problem: { code } });
    expect(report.problem?.remedy).not.toBe('');
    expect(dealership.listed()).toEqual(before);
    expect(await filesIn('failed')).toHaveLength(3);
    expect((await dealership.store.listRuns({}))[0]).toMatchObject({ status: 'failed', code });
  });

  it('a file of which every row is refused lists the rows', async () => {
    const lines = (await readFile(path.join(SNAPSHOTS, 'day1.csv'), 'utf8')).split(/\r?\n/).slice(0, 3);
    const file = path.join(dealership.folder, 'strangers.csv');
    await writeFile(file, lines.join('\n').replaceAll('HPM01', 'XYZ99'));
    const report = await ingest(file);
    expect(report).toMatchObject({
      status: 'failed',
      rows: 2,
      rejected: 2,
      problem: { code: 'no_vehicles' },
    });
    expect(report.rejectionCounts).toEqual({ rooftop_unknown: 2 });
  });

  it('a profile that cannot be used names its fault', async () => {
    const profile = path.join(dealership.folder, 'broken.yaml');
    await writeFile(profile, 'reader: csv\nmap: { vin: VIN }\n');
    const report = await day('day1.csv', { feed: { ...feed, profile } });
    expect(report.problem?.code).toBe('profile_invalid');
    expect(report.problem?.message).toContain('broken.yaml:');
  });

  it('a link that took the place of the file is moved away and not followed', async () => {
    const link = path.join(feed.folder, 'link.csv');
    await symlink(path.join(SNAPSHOTS, 'day1.csv'), link);
    const report = await ingestFile(link, feed, dealership.services());
    expect(report?.problem?.code).toBe('not_a_regular_file');
    expect(dealership.listed().size).toBe(0);
  });
});

describe('where files end', () => {
  it('done, with two reports that say the same', async () => {
    const report = await day('day1.csv');
    const names = await filesIn('done');
    expect(names).toHaveLength(3);
    const [file = ''] = names;
    const folder = path.join(dealership.folder, 'done', feed.id);
    expect(JSON.parse(await readFile(path.join(folder, `${file}.report.json`), 'utf8'))).toEqual(report);
    const text = await readFile(path.join(folder, `${file}.report.txt`), 'utf8');
    expect(text).toContain('OK: all 14 rows taken in.');
    expect(text).toContain(report.runId);
    expect(await readdir(feed.folder)).toEqual([]);
    expect(await filesIn('work')).toEqual([]);
  });

  it.each([
    ['a\nb.csv', 'a_b.csv'],
    ['..\\..\\x.csv', '__.._x.csv'],
    [`${'n'.repeat(240)}.csv`, `${'n'.repeat(146)}.csv`],
  ])('under a name that is safe: %j', async (name, safe) => {
    const report = await day('day1.csv', { name });
    expect(report.status).toBe('ok');
    expect(report.file.name).toBe(safe);
    expect((await filesIn('done'))[0]?.slice(21)).toBe(safe);
  });

  it('two files of one name and one moment both stay', async () => {
    await day('day1.csv');
    await day('day1.csv');
    expect(await filesIn('done')).toHaveLength(6);
  });

  it('a file that is gone, or never was, is no run', async () => {
    expect(await ingestFile(path.join(feed.folder, 'gone.csv'), feed, dealership.services())).toBeUndefined();
    expect(await dealership.store.listRuns({})).toEqual([]);
  });

  it('one log line a run, with its counts', async () => {
    const { runId } = await day('day1.csv');
    const lines = dealership.log.filter(({ facts }) => facts.run_id === runId);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'info',
      facts: { feed: 'lot', status: 'ok', rows: 14, accepted: 14, rejected: 0, added: 14, removed: 0 },
    });
  });

  it('tells which vehicles leave because their rows are refused', async () => {
    const text = await readFile(path.join(SNAPSHOTS, 'day1.csv'), 'utf8');
    await day('day1.csv');
    const [header, first = '', ...rest] = text.split(/(?<=\n)/);
    const year = /(?<=,)"20\d\d"(?=,)/;
    expect(first).toMatch(year);
    await writeFile(
      path.join(feed.folder, 'next.csv'),
      [header, first.replace(year, '"soon"'), ...rest].join(''),
    );
    const report = await ingestFile(path.join(feed.folder, 'next.csv'), feed, dealership.services());
    const vin = /[A-HJ-NPR-Z0-9]{17}/.exec(first)?.[0];
    expect(report).toMatchObject({
      status: 'partial',
      removed: 1,
      rejectionCounts: { missing_required: 1 },
      file: {
        warnings: [{ code: 'refused_and_removed', message: expect.stringContaining(vin ?? '-') as string }],
      },
    });
  });

  it('a file taken in by hand stays where it is', async () => {
    const file = path.join(SNAPSHOTS, 'day1.csv');
    const report = await ingestCopy(file, feed, dealership.services());
    expect(report.status).toBe('ok');
    expect((await stat(file)).isFile()).toBe(true);
    expect(await filesIn('done')).toHaveLength(3);
  });
});

describe('a run that breaks off', () => {
  it('between staging and applying leaves the old lot and the file in the work folder', async () => {
    await day('day1.csv');
    const before = dealership.listed();
    const stopping = new AbortController();
    const { intake } = dealership.services();
    const file = path.join(feed.folder, 'day2.csv');
    await copyFile(path.join(SNAPSHOTS, 'day2-normal.csv'), file);
    const services = dealership.services({
      signal: stopping.signal,
      intake: {
        recordRun: (record) => intake.recordRun(record),
        listRuns: (filter) => intake.listRuns(filter),
        beginRun: async (options) => {
          const staged = await intake.beginRun(options);
          return {
            stage: (vehicles) => staged.stage(vehicles),
            stageRemovals: (removals) => staged.stageRemovals(removals),
            lastPrices: (vehicles) => staged.lastPrices(vehicles),
            dropDuplicates: () => staged.dropDuplicates(),
            sharedStock: () => staged.sharedStock(),
            lackedEnd: (refusedKeys) => staged.lackedEnd(refusedKeys),
            listedValues: () => staged.listedValues(),
            lostValues: () => staged.lostValues(),
            contentOf: (row) => staged.contentOf(row),
            hasContent: (content, otherThanRow) => staged.hasContent(content, otherThanRow),
            repeatsListed: (row) => staged.repeatsListed(row),
            withdraw: (row) => staged.withdraw(row),
            settleElsewhere: () => staged.settleElsewhere(),
            settleOutdated: () => staged.settleOutdated(),
            stockOfOthers: () => staged.stockOfOthers(),
            ambiguousRemovals: () => staged.ambiguousRemovals(),
            joins: () => staged.joins(),
            absentAmong: (keys) => staged.absentAmong(keys),
            compare: async () => {
              stopping.abort(new Error('stopped'));
              return staged.compare();
            },
            apply: (applied) => staged.apply(applied),
            discard: () => staged.discard(),
          };
        },
      },
    });
    await expect(ingestFile(file, feed, services)).rejects.toThrow('stopped');
    expect(dealership.listed()).toEqual(before);
    const [left] = await filesIn('work');
    expect(left).toMatch(/Z-day2\.csv$/);
    // The staging area is free again: the next run is not blocked.
    expect((await day('day2-normal.csv')).status).toBe('ok');
  });
});
