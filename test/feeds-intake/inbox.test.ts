import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedConfig } from '../../src/config/config.ts';
import { watchInboxes, type InboxOptions, type InboxWatch } from '../../src/feeds/inbox/inbox.ts';
import type { IngestServices } from '../../src/feeds/ingest-services.ts';
import type { RunReport } from '../../src/feeds/reporting/report.ts';
import { CASES_FOLDER, caseNamed, writeProfile } from './case-files.ts';
import { Dealership } from './dealership.ts';

let dealership: Dealership;
let feed: FeedConfig;
let watches: InboxWatch[];
let reports: RunReport[];

const DAY1 = path.join(CASES_FOLDER, 'quirks/snapshots/day1.csv');
const DAY2 = path.join(CASES_FOLDER, 'quirks/snapshots/day2-normal.csv');

beforeEach(async () => {
  dealership = await Dealership.open();
  const profile = await writeProfile(caseNamed('quirks/snapshots/day1.csv'), dealership.folder);
  feed = dealership.feed(profile, { settle_ms: 60_000 });
  watches = [];
  reports = [];
});

afterEach(async () => {
  for (const watch of watches) await watch.stop();
  await dealership.close();
});

async function watchInbox(
  over: Partial<FeedConfig> = {},
  services: Partial<IngestServices> = {},
  options: InboxOptions = {},
): Promise<InboxWatch> {
  const onRun = (report: RunReport): Promise<void> => {
    reports.push(report);
    return Promise.resolve();
  };
  const watch = watchInboxes([{ ...feed, ...over }], dealership.services(services), { onRun, ...options });
  watches.push(watch);
  await watch.scanNow();
  return watch;
}

async function drop(source: string, name = path.basename(source)): Promise<string> {
  const file = path.join(feed.folder, name);
  await copyFile(source, `${file}.part`);
  await rename(`${file}.part`, file);
  return file;
}

/** Two looks, far enough apart by the clock that the test sets. */
async function lookTwice(watch: InboxWatch): Promise<void> {
  await watch.scanNow();
  dealership.now += 61_000;
  await watch.scanNow();
}

async function filesIn(place: string): Promise<string[]> {
  const names = await readdir(path.join(dealership.folder, place, feed.id)).catch(() => []);
  return names.filter((name) => name !== 'by-hand').sort();
}

describe('an inbox', () => {
  it('makes its folder and takes a settled file in', async () => {
    const watch = await watchInbox();
    await drop(DAY1);
    await watch.scanNow();
    expect(reports).toEqual([]);
    dealership.now += 61_000;
    await watch.scanNow();
    expect(reports.map(({ status, file }) => [status, file.name])).toEqual([['ok', 'day1.csv']]);
    expect(dealership.listed().size).toBe(14);
    expect(await readdir(feed.folder)).toEqual([]);
  });

  it('takes a file in by itself, on an event or the next look, with nobody asking', async () => {
    const watch = await watchInbox({ settle_ms: 20 }, { clock: { now: () => Date.now() } });
    await watch.firstRound;
    await drop(DAY1);
    await vi.waitFor(() => expect(reports).toHaveLength(1), { timeout: 30_000 });
    expect(reports[0]?.status).toBe('ok');
  });

  it('does not touch a file that grows', async () => {
    const watch = await watchInbox();
    const file = path.join(feed.folder, 'slow.csv');
    await writeFile(file, 'DealerID,Stock');
    await watch.scanNow();
    dealership.now += 61_000;
    await appendFile(file, ',VIN');
    await watch.scanNow();
    expect(reports).toEqual([]);
    expect(await readdir(feed.folder)).toEqual(['slow.csv']);
  });

  it('gives a file that looks like half of one more time, and takes it whole', async () => {
    const watch = await watchInbox();
    const text = await readFile(DAY1, 'utf8');
    const file = path.join(feed.folder, 'slow.csv');
    await writeFile(file, text.slice(0, text.length / 2));
    await lookTwice(watch);
    expect(reports).toEqual([]);
    await appendFile(file, text.slice(text.length / 2));
    await lookTwice(watch);
    expect(reports).toMatchObject([{ status: 'ok', accepted: 14 }]);
    expect(await readdir(feed.folder)).toEqual([]);
  });

  it('believes a half file in the end, and removes nothing because of it', async () => {
    const watch = await watchInbox();
    await drop(DAY1);
    await lookTwice(watch);
    await writeFile(path.join(feed.folder, 'half.csv'), (await readFile(DAY1, 'utf8')).slice(0, 2000));
    for (let look = 0; look < 6; look += 1) await lookTwice(watch);
    expect(reports[1]).toMatchObject({ status: 'partial', removed: 0, file: { name: 'half.csv' } });
    expect(dealership.listed().size).toBe(14);
  });

  it('takes a file in again that its uploader went on writing after it had been taken', async () => {
    const watch = await watchInbox();
    const lines = (await readFile(DAY1, 'utf8')).split('\n');
    const file = path.join(feed.folder, 'slow.csv');
    const uploader = await open(file, 'w');
    await uploader.write(`${lines.slice(0, 6).join('\n')}\n`);
    await lookTwice(watch);
    expect(reports).toMatchObject([{ status: 'ok', accepted: 5 }]);
    await uploader.write(lines.slice(6).join('\n'));
    await uploader.close();
    await lookTwice(watch);
    expect(reports[1]).toMatchObject({ status: 'ok', accepted: 14, added: 9, removed: 0 });
    const done = await readdir(path.join(dealership.folder, 'done', feed.id));
    expect(done.filter((name) => name.endsWith('slow.csv'))).toHaveLength(1);
    expect(done.filter((name) => name.includes('.report.'))).toHaveLength(2);
  });

  it('waits for the marker where one is agreed, and takes it away with the file', async () => {
    const watch = await watchInbox({ done_marker: '.done' });
    const file = await drop(DAY1);
    await lookTwice(watch);
    expect(reports).toEqual([]);
    await writeFile(`${file}.done`, '');
    await lookTwice(watch);
    expect(reports).toHaveLength(1);
    expect(await readdir(feed.folder)).toEqual([]);
  });

  it('takes the oldest file first', async () => {
    const watch = await watchInbox();
    await utimes(await drop(DAY2, 'a.csv'), 2000, 2000);
    await utimes(await drop(DAY1, 'b.csv'), 1000, 1000);
    await lookTwice(watch);
    expect(reports.map(({ file }) => file.name)).toEqual(['b.csv', 'a.csv']);
    expect(dealership.listed().size).toBe(13);
  });

  it('leaves a link alone and says so once', async () => {
    const watch = await watchInbox();
    await symlink(DAY1, path.join(feed.folder, 'link.csv'));
    await lookTwice(watch);
    await lookTwice(watch);
    expect(reports).toEqual([]);
    const told = dealership.log.filter(({ message }) => message.includes('symbolic link'));
    expect(told.map(({ level, facts }) => [level, facts.file])).toEqual([['warn', 'link.csv']]);
  });

  it('lays the sample out once: when the feed has never brought anything', async () => {
    const first = await watchInbox({ sample: DAY1 });
    await lookTwice(first);
    expect(reports.map(({ status, file }) => [status, file.name])).toEqual([['ok', 'day1.csv']]);
    await first.stop();
    const second = await watchInbox({ sample: DAY1 });
    await lookTwice(second);
    expect(reports).toHaveLength(1);
  });

  it('says once that its folder is gone, and goes on when it is back', async () => {
    const watch = await watchInbox();
    const away = `${feed.folder}-away`;
    await rename(feed.folder, away);
    await lookTwice(watch);
    expect(dealership.log.filter(({ message }) => message.includes('cannot be read'))).toHaveLength(1);
    await rename(away, feed.folder);
    await drop(DAY1);
    await lookTwice(watch);
    expect(reports).toHaveLength(1);
  });

  it.skipIf(process.getuid?.() === 0)('says once that it may not take files out of its folder', async () => {
    const watch = await watchInbox();
    await drop(DAY1);
    await chmod(feed.folder, 0o555);
    await lookTwice(watch);
    await lookTwice(watch);
    await chmod(feed.folder, 0o755);
    expect(reports).toEqual([]);
    expect(dealership.log.filter(({ level }) => level === 'warn')).toMatchObject([
      { facts: { code: 'EACCES' } },
    ]);
    await lookTwice(watch);
    expect(reports).toMatchObject([{ status: 'ok' }]);
  });

  it('goes on after a listener that failed', async () => {
    const watch = await watchInbox({}, {}, { onRun: () => Promise.reject(new Error('no lot')) });
    await drop(DAY1);
    await lookTwice(watch);
    expect(dealership.listed().size).toBe(14);
    expect(await filesIn('work')).toEqual([]);
    await drop(DAY2);
    await lookTwice(watch);
    expect(dealership.listed().size).toBe(13);
  });
});

describe('after a stop in the middle', () => {
  async function leaveInWork(source: string, name: string): Promise<void> {
    const work = path.join(dealership.folder, 'work', feed.id);
    await mkdir(work, { recursive: true });
    await copyFile(source, path.join(work, name));
  }

  it('takes in at once what lies in the work folder, before the inbox', async () => {
    await leaveInWork(DAY1, '20260914T060000.000Z-day1.csv');
    await mkdir(feed.folder, { recursive: true });
    await drop(DAY2);
    const watch = await watchInbox();
    expect(reports.map(({ status, file }) => [status, file.name])).toEqual([['ok', 'day1.csv']]);
    expect(await filesIn('work')).toEqual([]);
    expect(await filesIn('done')).toContain('20260914T060000.000Z-day1.csv');
    await lookTwice(watch);
    expect(dealership.listed().size).toBe(13);
  });

  it('does not take the same held file, met again, for its own confirmation', async () => {
    const watch = await watchInbox();
    await drop(DAY1);
    await lookTwice(watch);
    const shrunk = path.join(CASES_FOLDER, 'quirks/snapshots/day3-shrunk.csv');
    await drop(shrunk);
    for (let look = 0; look < 6; look += 1) await lookTwice(watch);
    expect(reports.at(-1)?.status).toBe('held');
    // As if the bridge had been killed after the run was recorded and before the file was put away.
    await leaveInWork(shrunk, '20260914T060000.000Z-day3-shrunk.csv');
    await watch.scanNow();
    expect(reports.map(({ status }) => status)).toEqual(['ok', 'held', 'held']);
    expect(dealership.listed().size).toBe(14);
  });

  it('tries a run that breaks off again, keeps newer files waiting, and gives it up in the end', async () => {
    const intake = dealership.store;
    let isDiskFull = true;
    const watch = await watchInbox(
      {},
      {
        intake: {
          recordRun: (record) => intake.recordRun(record),
          listRuns: (filter) => intake.listRuns(filter),
          beginRun: (options) =>
            isDiskFull
              ? Promise.reject(new Error('ENOSPC: no space left on device'))
              : intake.beginRun(options),
        },
      },
    );
    await drop(DAY1);
    await lookTwice(watch);
    await drop(DAY2);
    await lookTwice(watch);
    expect(reports).toEqual([]);
    expect(await readdir(feed.folder)).toEqual(['day2-normal.csv']);
    expect(dealership.log.some(({ level, facts }) => level === 'error' && facts.error !== undefined)).toBe(
      true,
    );
    for (let minutes = 0; minutes < 20; minutes += 1) await lookTwice(watch);
    expect(reports[0]).toMatchObject({ status: 'failed', problem: { code: 'internal_error' } });
    isDiskFull = false;
    for (let minutes = 0; minutes < 20; minutes += 1) await lookTwice(watch);
    expect(reports.map(({ status, file }) => [status, file.name])).toEqual([
      ['failed', 'day1.csv'],
      ['failed', 'day2-normal.csv'],
    ]);
  });

  it('stop waits for the run that goes on and leaves its file for the next start', async () => {
    const intake = dealership.store;
    const begun = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    const watch = await watchInbox(
      {},
      {
        intake: {
          recordRun: (record) => intake.recordRun(record),
          listRuns: (filter) => intake.listRuns(filter),
          beginRun: async (options) => {
            begun.resolve(undefined);
            await goOn.promise;
            return intake.beginRun(options);
          },
        },
      },
    );
    await drop(DAY1);
    await watch.scanNow();
    dealership.now += 61_000;
    const look = watch.scanNow();
    await begun.promise;
    const stopped = watch.stop();
    goOn.resolve(undefined);
    await Promise.all([look, stopped]);
    expect(reports).toEqual([]);
    expect(dealership.listed().size).toBe(0);
    expect(await filesIn('work')).toHaveLength(1);

    await watchInbox();
    expect(reports.map(({ status }) => status)).toEqual(['ok']);
  });
});
