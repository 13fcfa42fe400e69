import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { findHeldFile, releaseHeldFile } from '../../src/feeds/held-files.ts';
import { notice } from '../../src/feeds/inbox/notice.ts';
import { ingestFile } from '../../src/feeds/ingest.ts';
import { zip } from '../feeds/zip-writer.ts';
import { codes, faultBench, table, vehicles, XML_PROFILE, xmlVehicles, type Row } from './fault-bench.ts';
import { faultsAt } from './faults.ts';

const bench = faultBench();
const HOUR = 3_600_000;

/** All but these. */
function without(rows: readonly Row[], ...stocks: string[]): Row[] {
  return rows.filter(({ Stock }) => !stocks.includes(Stock ?? ''));
}

faultsAt('files', (fault) => {
  fault(31, async () => {
    const feed = await bench.feed();
    await mkdir(feed.folder, { recursive: true });
    const text = table(vehicles(8));
    for (const name of ['a.csv.part', 'b.csv.tmp', 'c.csv.filepart', '.d.csv', 'e.csv.uploading', '~$f.csv'])
      await writeFile(path.join(feed.folder, name), text);
    expect(await notice(feed.folder, { files: '*' })).toEqual({ files: [], leftAlone: [] });
    const half = path.join(feed.folder, 'half.csv');
    await writeFile(half, text.slice(0, -20));
    const services = bench.dealership.services();
    expect(await ingestFile(half, feed, services, { mayStillGrow: true })).toBeUndefined();
    await writeFile(half, text);
    expect(await ingestFile(half, feed, services, { mayStillGrow: true })).toMatchObject({ accepted: 8 });
  });

  fault(32, async () => {
    await bench.takeRows(vehicles(5));
    expect(await bench.take('')).toMatchObject({ status: 'failed', problem: { code: 'empty_file' } });
    expect(await bench.take(table([]))).toMatchObject({ status: 'held', problem: { code: 'no_rows' } });
    const page = '<!DOCTYPE html><html><body>503 Service Unavailable</body></html>';
    expect(await bench.take(page)).toMatchObject({ status: 'failed', problem: { code: 'not_a_feed' } });
    expect(bench.lot.size).toBe(5);
  });

  fault(33, async () => {
    const here = vehicles(6, 0, { DealerID: 'HPM01' });
    const there = vehicles(6, 100, { DealerID: 'CRA02' });
    await bench.takeRows([...here, ...there]);
    const report = await bench.takeRows(without(here, 'A2'));
    expect(report).toMatchObject({ status: 'ok', removed: 1 });
    expect(bench.keys).toEqual([...without(here, 'A2'), ...there].map(({ Stock }) => Stock).sort());
  });

  fault(34, async () => {
    await bench.takeRows(vehicles(6));
    const before = bench.lot;
    const feed = await bench.feed();
    const file = path.join(feed.folder, 'new.csv');
    await writeFile(file, table(vehicles(6, 3, { SellingPrice: '21000' })));
    const { intake } = bench.dealership.services();
    const broken = {
      recordRun: intake.recordRun.bind(intake),
      listRuns: intake.listRuns.bind(intake),
      beginRun: async (...options: Parameters<typeof intake.beginRun>) => {
        const run = await intake.beginRun(...options);
        return new Proxy(run, {
          get: (target, name) => {
            if (name === 'apply') return () => Promise.reject(new Error('disk full'));
            const member: unknown = Reflect.get(target, name, target);
            return typeof member === 'function' ? (member.bind(target) as unknown) : member;
          },
        });
      },
    };
    await expect(ingestFile(file, feed, bench.dealership.services({ intake: broken }))).rejects.toThrow(
      'disk full',
    );
    expect(bench.lot).toEqual(before);
  });

  fault(35, async () => {
    await bench.takeRows(vehicles(30));
    const report = await bench.takeRows(vehicles(5));
    expect(report).toMatchObject({ status: 'held', removed: 0, problem: { code: 'shrink_guard' } });
    expect(bench.lot.size).toBe(30);
    const feed = await bench.feed();
    const held = await findHeldFile(report.runId, feed.id, bench.dealership.folder);
    const released = await releaseHeldFile(held ?? '', report.runId, feed, bench.dealership.services());
    expect(released).toMatchObject({ status: 'ok', removed: 25, releasedBy: 'person' });
    expect(bench.lot.size).toBe(5);
  });

  fault(36, async () => {
    const all = vehicles(20);
    const blink = without(all, 'A3', 'A7');
    // Without grace: gone at once, and back as the same vehicle.
    await bench.takeRows(all);
    expect(await bench.takeRows(blink)).toMatchObject({ status: 'ok', removed: 2 });
    expect(bench.keys).not.toContain('A3');
    expect(await bench.takeRows(all)).toMatchObject({ status: 'ok', added: 2 });
    expect(bench.dealership.store.findRecords('A3')).toHaveLength(1);

    // With a grace of two files it stays through two that lack it, unconfirmed, and leaves with the third.
    const way = { feed: { grace_files: 2 } };
    const confirmed = bench.lot.get('A3')?.updated_at;
    bench.dealership.now += HOUR;
    const first = await bench.takeRows(blink, { ...way, name: 'first.csv' });
    expect(first).toMatchObject({ status: 'ok', removed: 0, rooftops: [{ missing: 2 }] });
    expect(bench.lot.get('A3')?.updated_at).toBe(confirmed);
    await bench.takeRows(without(all, 'A3'), way);
    expect(bench.dealership.store.findRecords('A3')[0]?.missing).toEqual({
      files: 2,
      runId: first.runId,
      fileName: 'first.csv',
    });
    // A7 came back in between: its count begins anew.
    const third = await bench.takeRows(blink, way);
    expect(third).toMatchObject({ status: 'ok', removed: 1, rooftops: [{ missing: 1 }] });
    expect(bench.keys).not.toContain('A3');
    expect(bench.keys).toContain('A7');
    expect(bench.dealership.store.findRecords('A7')[0]?.missing?.files).toBe(1);

    // The guard asks at the first file that lacks many, not when their grace ends.
    const held = await bench.takeRows(vehicles(5), way);
    expect(held).toMatchObject({ status: 'held', problem: { code: 'shrink_guard' } });
    expect(held.problem?.message).toContain('15 of 19');
    expect(bench.lot.size).toBe(19);
  });

  fault(37, async () => {
    await bench.take(`<lot count="10">${xmlVehicles(10)}</lot>`, { profile: XML_PROFILE });
    expect(bench.lot.size).toBe(10);
    for (const root of ['<lot count="10">', '<lot total="10">', '<lot TotalRecords="10">']) {
      const page = await bench.take(`${root}${xmlVehicles(8)}</lot>`, { profile: XML_PROFILE });
      expect(page).toMatchObject({ status: 'partial', accepted: 8, removed: 0 });
      expect(page.file.warnings.map(({ code }) => code)).toEqual(['possibly_truncated']);
      expect(page.file.warnings[0]?.message).toContain('speaks of 10 vehicles and holds 8');
    }
    for (const count of ['<count>10</count>', '<head><TotalVehicles>10</TotalVehicles></head>']) {
      const page = await bench.take(`<lot>${count}${xmlVehicles(8)}</lot>`, { profile: XML_PROFILE });
      expect(page).toMatchObject({ status: 'partial', accepted: 8, removed: 0 });
    }
    const named = { ...XML_PROFILE, options: { record: 'v', count: { path: '/lot/info/n' } } };
    const told = await bench.take(`<lot><info><n>10</n></info>${xmlVehicles(8)}</lot>`, { profile: named });
    expect(told).toMatchObject({ status: 'partial', removed: 0 });
    expect(bench.lot.size).toBe(10);
    const unasked = { ...XML_PROFILE, options: { record: 'v', count: false } };
    const feed = { guard: { max_removed_percent: 20, max_removed_vehicles: 10, doubt_missing_end: false } };
    expect(
      await bench.take(`<lot total="10">${xmlVehicles(8)}</lot>`, { profile: unasked, feed }),
    ).toMatchObject({
      status: 'ok',
      removed: 2,
    });

    const trailer = { feed: { id: 'table' } };
    const rows = vehicles(10, 50);
    await bench.takeRows(rows, trailer);
    const cut = await bench.take(`${table(rows.slice(0, 8))}Total vehicles: 10\n`, trailer);
    expect(cut).toMatchObject({ status: 'partial', accepted: 8, removed: 0 });
    expect(cut.file.warnings[0]?.message).toContain('speaks of 10 vehicles and holds 8');
    const sold = await bench.take(`${table(rows.slice(1))}Total vehicles: 9`, trailer);
    expect(sold).toMatchObject({ accepted: 9, removed: 1, file: { warnings: [] } });
  });

  fault(38, async () => {
    const { now } = bench.dealership;
    const monday = now - 72 * HOUR;
    const aged = { feed: { max_age_hours: 48 } };
    expect(await bench.takeRows(vehicles(3), { ...aged, at: monday })).toMatchObject({
      status: 'failed',
      problem: { code: 'file_stale' },
    });
    await bench.takeRows(vehicles(3), { at: monday });
    const confirmed = bench.lot.get('A1')?.updated_at;
    expect(Date.parse(confirmed as string)).toBe(Math.floor(monday / 1000) * 1000);
    expect(await bench.takeRows(vehicles(3), { at: monday })).toMatchObject({
      sameAsLast: true,
      unchanged: 3,
    });
    expect(bench.lot.get('A1')?.updated_at).toBe(confirmed);
  });

  fault(52, async () => {
    const text = table(vehicles(3));
    const readings: [Uint8Array, string, string][] = [
      [gzipSync(text), 'lot.csv', 'gzip'],
      [
        zip([
          { name: '__MACOSX/._lot.csv', content: 'x' },
          { name: 'lot.csv', content: text },
        ]),
        'lot.txt',
        'zip',
      ],
      [Buffer.from(text), 'lot.zip', 'none'],
    ];
    for (const [bytes, name, container] of readings) {
      expect(await bench.take(bytes, { name })).toMatchObject({ status: 'ok', rows: 3, file: { container } });
    }
    const refusals: [Uint8Array, string][] = [
      [
        zip([
          { name: 'a.csv', content: text },
          { name: 'b.csv', content: text },
        ]),
        'ambiguous_archive',
      ],
      [zip([{ name: '../../lot.csv', content: text }]), 'archive_unsafe_path'],
      [zip([{ name: 'lot.csv', content: '/etc/passwd', symbolicLink: true }]), 'archive_unsafe_path'],
      [gzipSync(Buffer.alloc(64 * 1024 * 1024)), 'archive_too_large'],
      [gzipSync(text).subarray(0, -4), 'archive_broken'],
    ];
    for (const [bytes, code] of refusals) {
      expect(await bench.take(bytes, { name: 'lot.zip' })).toMatchObject({
        status: 'failed',
        problem: { code },
      });
    }
    expect(bench.lot.size).toBe(3);
    expect((await readdir(bench.dealership.folder)).filter((name) => name.endsWith('lot.csv'))).toEqual([]);
  });

  fault(53, async () => {
    const limits = { ...LIMITS, max_rows: 3, max_columns: 20, max_cell_characters: 1000 };
    const way = { feed: { limits } };
    const long = { Stock: 'L1', Description: 'x'.repeat(1001) };
    const report = await bench.takeRows([...vehicles(2), long], way);
    expect(codes(report.rejections)).toEqual([[3, 'cell_too_large']]);
    expect(report.rejections[0]?.remedy).toContain('max_cell_characters');
    const tooMany = await bench.takeRows(vehicles(4), way);
    expect(tooMany).toMatchObject({ status: 'failed', problem: { code: 'too_many_rows' } });
    expect(tooMany.problem?.remedy).toContain('max_rows');
    const wide = await bench.take(`${Array.from({ length: 21 }, (_, n) => `c${n}`).join(',')}\n`, way);
    expect(wide).toMatchObject({ status: 'failed', problem: { code: 'too_many_columns' } });
    const large = await bench.take('x'.repeat(1024 * 1024 + 1), way);
    expect(large).toMatchObject({ status: 'failed', problem: { code: 'file_too_large' } });
    expect(large.problem?.remedy).toContain('max_file_mb');
    expect(bench.keys).toEqual(['A0', 'A1']);
  });

  fault(54, async () => {
    const report = await bench.takeRows([
      { Stock: 'A1', DealerID: 'HPM01' },
      { Stock: 'A2', DealerID: 'Stranger Motors' },
      { Stock: 'A3', DealerID: 'dvd00002' },
    ]);
    expect(report).toMatchObject({ status: 'partial', accepted: 2 });
    expect(codes(report.rejections)).toEqual([[2, 'rooftop_unknown']]);
    expect(bench.lot.get('A3')).toMatchObject({ dealer_id: 'CRA02', rooftop: 'Cedar Ridge Auto Center' });
    expect(bench.keys).toEqual(['A1', 'A3']);
  });
});

const LIMITS = {
  ...{ max_file_mb: 1, max_unpacked_mb: 10, max_archive_ratio: 200, max_archive_entries: 10, max_rows: 1000 },
  ...{ max_columns: 100, max_cell_characters: 10_000, max_row_characters: 40_000, max_xml_depth: 10 },
  max_photos: 10,
};
