import { mkdir, open, stat, truncate, utimes } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FeedInbox } from '../../src/feeds/inbox/feed-inbox.ts';
import type { RunReport } from '../../src/feeds/reporting/report.ts';
import { zip } from '../feeds/zip-writer.ts';
import { faultBench, table, vehicles, type Way } from './fault-bench.ts';

/**
 * Uploaders that make a pause of four seconds in mid-file, or make room for the whole file first and fill it later,
 * while the feed takes two seconds without a change for rest. The clock of the inbox is set by hand.
 */
const bench = faultBench();
const ROWS = vehicles(30);
const CSV = Buffer.from(table(ROWS));
const XML = Buffer.from(
  `<lot>${ROWS.map(({ Stock }) => `<v><s>${Stock ?? ''}</s><y>2020</y><m>Kia</m><n>Rio</n><c>used</c></v>`).join('\n')}</lot>`,
);
const XML_WAY: Way = {
  profile: {
    reader: 'xml',
    options: { record: 'v' },
    map: { stock: 's', year: 'y', make: 'm', model: 'n', condition: 'c' },
  },
};
const files: [string, Buffer, Way][] = [
  ['csv', CSV, {}],
  ['xml', XML, XML_WAY],
  ['zip', zip([{ name: 'lot.csv', content: CSV, method: 'deflate' }]), {}],
  ['gz', gzipSync(CSV), {}],
];

/** The inbox looks once a second of its own clock, as often as told. */
async function inboxOf(
  way: Way,
): Promise<{ file: string; reports: RunReport[]; seconds: (n: number) => Promise<void> }> {
  const feed = await bench.feed({ ...way, feed: { settle_ms: 2000 } });
  await mkdir(feed.folder, { recursive: true });
  const inbox = new FeedInbox(feed, bench.dealership.services());
  const reports: RunReport[] = [];
  return {
    file: path.join(feed.folder, 'lot.dat'),
    reports,
    async seconds(count) {
      for (let second = 0; second < count; second += 1) {
        bench.dealership.now += 1000;
        await inbox.scan((report) => Promise.resolve(void reports.push(report)));
      }
    },
  };
}

describe.each(files)('a writer of %s', (_, content, way) => {
  it.each([0.2, 0.5, 0.9])('that pauses four seconds after a share of %f is read whole', async (share) => {
    await bench.take(content, way);
    const { file, reports, seconds } = await inboxOf(way);
    const cut = Math.floor(content.length * share);
    const uploader = await open(file, 'w');
    await uploader.write(content.subarray(0, cut));
    await seconds(4);
    expect(reports).toEqual([]);
    await uploader.write(content.subarray(cut));
    await uploader.close();
    await seconds(4);
    expect(reports).toMatchObject([{ status: 'ok', unchanged: 30, removed: 0 }]);
  });

  it('that makes room first and fills it later is read whole', async () => {
    await bench.take(content, way);
    const { file, reports, seconds } = await inboxOf(way);
    const uploader = await open(file, 'w');
    await truncate(file, content.length);
    await uploader.write(content.subarray(0, content.length >> 1), 0, content.length >> 1, 0);
    await seconds(4);
    expect(reports).toEqual([]);
    await uploader.write(content, 0, content.length, 0);
    await uploader.close();
    await seconds(4);
    expect(reports).toMatchObject([{ status: 'ok', unchanged: 30, removed: 0 }]);
  });
});

describe('a writer that makes room and is away for longer than anybody waits', () => {
  it('has its file refused as cut short, and read again when it is filled at last', async () => {
    await bench.take(CSV);
    const { file, reports, seconds } = await inboxOf({});
    const uploader = await open(file, 'w');
    await truncate(file, CSV.length);
    await uploader.write(CSV, 0, 900, 0);
    const { mtimeMs } = await stat(file);
    await utimes(file, mtimeMs / 1000 - 60, mtimeMs / 1000 - 60);
    await seconds(15);
    expect(reports).toMatchObject([{ status: 'failed', problem: { code: 'truncated_file' } }]);
    expect(bench.lot.size).toBe(30);
    await uploader.write(CSV, 0, CSV.length, 0);
    await uploader.close();
    await seconds(4);
    expect(reports[1]).toMatchObject({ status: 'ok', unchanged: 30 });
  });
});
