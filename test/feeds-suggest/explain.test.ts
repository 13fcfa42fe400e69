import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Explanation } from '../../src/cli/feed-explain-text.ts';
import type { Preview } from '../../src/feeds/preview.ts';
import { caseFile, data, feed, inFolder, useTemporaryFolder } from './feed-command.ts';

useTemporaryFolder();

async function explain(asked: string): Promise<Explanation & { code: number }> {
  const { code, out } = await feed('explain', asked, '--json', ...data());
  return { code, ...(JSON.parse(out) as Explanation) };
}

async function takeIn(name: string): Promise<void> {
  const { code } = await feed('run', name, '--feed', 'homenet', ...data());
  expect(code).not.toBe(3);
}

it('tells where a vehicle stands, since when, and the row it was last seen in', async () => {
  await takeIn(caseFile('quirks/snapshots/day1.csv'));
  for (const asked of ['HP2601', ' hp2601', '1ftfw5l82tfa90101', '1FTFW5L82-TFA90101']) {
    const { code, vehicles, feeds } = await explain(asked);
    expect(code).toBe(0);
    expect(vehicles).toEqual([
      expect.objectContaining({
        rooftopId: 'HPM01',
        feedId: 'homenet',
        vin: '1FTFW5L82TFA90101',
        stock: 'HP2601',
      }),
    ]);
    expect(feeds).toEqual([
      expect.objectContaining({
        feedId: 'homenet',
        lastSeen: expect.objectContaining({
          fileName: 'day1.csv',
          rows: [{ row: 1, line: 2, kind: 'accepted' }],
        }) as object,
      }),
    ]);
  }
  const { out } = await feed('explain', 'HP2601', ...data());
  expect(out).toContain(
    '2026 Ford F-150 XLT (1FTFW5L82TFA90101, stock HP2601)\n  On the lot at HPM01, since ',
  );
  expect(out).toContain('  Last seen in day1.csv, row 1, line 2 (run_');
});

it('tells when a vehicle left and with which file', async () => {
  await takeIn(caseFile('quirks/snapshots/day1.csv'));
  const before = await readFile(caseFile('quirks/snapshots/day1.csv'), 'utf8');
  const file = inFolder('next.csv');
  await writeFile(file, before.replace(/^.*"HP2602".*\r?\n/m, ''));
  await takeIn(file);
  const { code, vehicles, feeds } = await explain('HP2602');
  expect(code).toBe(0);
  expect(vehicles[0]).toMatchObject({ vin: '1FTVW5LV2TWA90102', leftWith: { fileName: 'next.csv' } });
  expect(vehicles[0]?.leftAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(feeds[0]?.lastSeen).toMatchObject({ fileName: 'day1.csv', rows: [{ row: 2, line: 3 }] });
  expect((await feed('explain', 'HP2602', ...data())).out).toContain('  Left the lot of HPM01 at ');
});

it('tells why a row was refused, asked by its stock number or its broken VIN', async () => {
  await takeIn(caseFile('quirks/vins.csv'));
  const refused = JSON.parse(
    (await feed('preview', caseFile('quirks/vins.csv'), '--profile', 'homenet', '--json', ...data())).out,
  ) as Preview;
  const broken = refused.rejections.find(({ code }) => code === 'vin_invalid');
  for (const asked of [broken?.key ?? '', broken?.value ?? '']) {
    const { code, vehicles, feeds } = await explain(asked);
    expect(code).toBe(0);
    expect(vehicles).toEqual([]);
    expect(feeds[0]?.mentions[0]).toMatchObject({
      kind: 'refused',
      code: 'vin_invalid',
      row: broken?.row,
      fileName: 'vins.csv',
    });
  }
  const { out } = await feed('explain', broken?.key ?? '', ...data());
  expect(out).toContain('is not on the lot, and no vehicle that left went by it.');
  expect(out).toContain('vin_invalid');
});

it('tells what a held file has and what it would take off', async () => {
  await takeIn(caseFile('quirks/snapshots/day1.csv'));
  await takeIn(caseFile('quirks/snapshots/day3-shrunk.csv'));
  const kept = await explain('HP2601');
  expect(kept.feeds[0]?.held).toEqual([
    expect.objectContaining({ fileName: 'day3-shrunk.csv', rows: [expect.objectContaining({ row: 1 })] }),
  ]);
  expect((await feed('explain', 'U2003', ...data())).out).toContain(
    'releasing that one would take it off the lot',
  );
});

it('does not call a file waiting that was discarded, or after which a newer one was taken in', async () => {
  const held = async (): Promise<number> => (await explain('U2003')).feeds[0]?.held.length ?? 0;
  await takeIn(caseFile('quirks/snapshots/day1.csv'));
  await takeIn(caseFile('quirks/snapshots/day3-shrunk.csv'));
  expect(await held()).toBe(1);
  const runs = JSON.parse((await feed('runs', '--json', ...data())).out) as { runId: string }[];
  expect((await feed('discard', runs[0]?.runId ?? '', ...data())).code).toBe(0);
  expect(await held()).toBe(0);
  await takeIn(caseFile('quirks/snapshots/day3-shrunk.csv'));
  expect(await held()).toBe(1);
  await takeIn(caseFile('quirks/snapshots/day1.csv'));
  expect(await held()).toBe(0);
  expect((await feed('explain', 'U2003', ...data())).out).not.toContain('held file');
});

it('tells every vehicle that carries a number', async () => {
  const before = await readFile(caseFile('quirks/snapshots/day1.csv'), 'utf8');
  const file = inFolder('twins.csv');
  await writeFile(file, before.replace('"HP2602"', '"HP2601"'));
  await takeIn(file);
  const { vehicles } = await explain('HP2601');
  expect(vehicles.map(({ vin }) => vin).sort()).toEqual(['1FTFW5L82TFA90101', '1FTVW5LV2TWA90102']);
});

it('passes over reports that it cannot read, and knows nothing of what never was', async () => {
  await takeIn(caseFile('quirks/snapshots/day1.csv'));
  await writeFile(inFolder('data/done/homenet/99999999-x.csv.report.json'), '{"half');
  const { code, vehicles, feeds } = await explain('NOSUCHCAR');
  expect({ code, vehicles, feeds }).toEqual({ code: 1, vehicles: [], feeds: [] });
  expect((await feed('explain', 'NOSUCHCAR', ...data())).out).toContain('Nothing is known of NOSUCHCAR');
});

it('says so when no bridge has run with the data folder', async () => {
  const { code, err } = await feed('explain', 'HP2601', ...data());
  expect(code).toBe(1);
  expect(err).toContain('no bridge has run with this data folder');
});

it('tells that the newest file of the feed was refused as a whole, also for what nobody has met', async () => {
  await takeIn(caseFile('quirks/snapshots/day1.csv'));
  await takeIn(caseFile('quirks/html-error-page.csv'));
  const kept = await explain('HP2601');
  expect(kept.feeds[0]?.refusedFile).toMatchObject({ fileName: 'html-error-page.csv', code: 'not_a_feed' });
  expect(kept.vehicles[0]).toMatchObject({ stock: 'HP2601', rooftopId: 'HPM01' });
  const stranger = await explain('NEWCAR1');
  expect({ code: stranger.code, vehicles: stranger.vehicles }).toEqual({ code: 1, vehicles: [] });
  const { out } = await feed('explain', 'NEWCAR1', ...data());
  expect(out).toContain('Nothing is known of NEWCAR1');
  expect(out).toContain('Its newest file, html-error-page.csv (run_');
  expect(out).toContain('was refused as a whole, so nothing of it counts: not_a_feed: ');

  await takeIn(caseFile('quirks/snapshots/day2-normal.csv'));
  expect((await explain('NEWCAR1')).feeds).toEqual([]);
});

it('tells which row of a doubled vehicle lost, and where one stands that moved to another rooftop', async () => {
  const before = await readFile(caseFile('quirks/snapshots/day1.csv'), 'utf8');
  const row = /^.*"HP2601".*\r?\n/m.exec(before)?.[0] ?? '';
  const file = inFolder('twice.csv');
  await writeFile(file, before + row.replace('HP2601', 'HP2699'));
  await takeIn(file);
  const doubled = await explain('1FTFW5L82TFA90101');
  expect(doubled.vehicles).toEqual([expect.objectContaining({ stock: 'HP2699' })]);
  expect(doubled.feeds[0]?.mentions).toEqual([
    expect.objectContaining({ kind: 'refused', code: 'duplicate_vin', row: 1 }),
  ]);
  expect(doubled.feeds[0]?.mentions[0]?.message).toContain('row 15 comes later');

  const moved = inFolder('moved.csv');
  await writeFile(moved, before.replace(row, row.replace('HPM01', 'CRA02')));
  await takeIn(moved);
  const { vehicles } = await explain('1ftfw5l82 tfa90101');
  expect(vehicles.map(({ rooftopId, leftAt }) => [rooftopId, leftAt === undefined])).toEqual([
    ['CRA02', true],
    ['HPM01', false],
  ]);
});

it('tells with which file a vehicle left that its own row calls sold', async () => {
  await takeIn(caseFile('quirks/snapshots/day1.csv'));
  const file = inFolder('statuses.csv');
  const before = await readFile(caseFile('quirks/snapshots/day1.csv'), 'utf8');
  const profile = inFolder('statuses.yaml');
  await writeFile(profile, 'extends: homenet\nmap: { status: Sale State }\n');
  const [head = '', ...rows] = before.split(/\r?\n/);
  const marked = rows.map((each) =>
    each === '' ? each : `${each},${each.includes('"HP2602"') ? 'Sold' : 'In Stock'}`,
  );
  await writeFile(file, [`${head},Sale State`, ...marked].join('\n'));
  const settings = inFolder('bridge.yaml');
  await writeSettings(settings, `  - { id: homenet, profile: ${profile}, rooftop: { from: column } }\n`);
  await feed('run', file, '--feed', 'homenet', '--config', settings, ...data());
  const { out } = await feed('explain', 'HP2602', '--config', settings, ...data());
  expect(out).toContain('  Left the lot of HPM01 at ');
  expect(out).toContain('  Refused in statuses.csv, row 2, line 3 ');
  expect(out).toContain('row 2, line 3 (refused: status_out_of_stock)');
});

it('tells by its stock number why a vehicle with a sound VIN never came to the lot', async () => {
  const file = inFolder('unknown-condition.csv');
  const before = await readFile(caseFile('quirks/snapshots/day1.csv'), 'utf8');
  const changed = before.replace('"1FTVW5LV2TWA90102","New"', '"1FTVW5LV2TWA90102","Zeta"');
  expect(changed).not.toBe(before);
  await writeFile(file, changed);
  await takeIn(file);
  const { code, vehicles, feeds } = await explain('hp2602');
  expect({ code, vehicles }).toEqual({ code: 0, vehicles: [] });
  expect(feeds[0]?.lastSeen?.rows).toEqual([
    expect.objectContaining({ row: 2, kind: 'rejected', code: 'condition_unknown' }),
  ]);
});

it('tells that an overdue feed hides the vehicle', async () => {
  const settings = inFolder('bridge.yaml');
  const line = (overdue: string): string =>
    `  - { id: homenet, profile: homenet, rooftop: { from: column }, expect_every_hours: 0.000001${overdue} }\n`;
  await writeSettings(settings, line(', when_overdue: hide'));
  const file = caseFile('quirks/snapshots/day1.csv');
  expect((await feed('run', file, '--feed', 'homenet', '--config', settings, ...data())).code).toBe(0);
  const hidden = await feed('explain', 'HP2601', '--config', settings, ...data());
  expect(hidden.code).toBe(0);
  expect(hidden.out).toMatch(/ {2}Hidden from buyers: feed homenet is overdue since \d{4}-/);

  await writeSettings(settings, line(''));
  const told = await feed('explain', 'HP2601', '--config', settings, '--json', ...data());
  expect((JSON.parse(told.out) as Explanation).vehicles[0]?.overdue).toMatchObject({ isHidden: false });
});

/** The demo's settings with these feeds in place of its own. */
async function writeSettings(file: string, feeds: string): Promise<void> {
  const demo = await readFile(path.join(import.meta.dirname, '../../config/bridge.yaml'), 'utf8');
  await writeFile(file, demo.replace(/^feeds:\n(?:(?: .*|#.*)?\n)*/m, `feeds:\n${feeds}`));
}
