import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedLimits } from '../../src/config/config.ts';
import { FeedInbox } from '../../src/feeds/inbox/feed-inbox.ts';
import { codes, faultBench, table } from './fault-bench.ts';

const MEBIBYTE = 1024 * 1024;
const HEADER = 'stock,year,make,model,condition,list_price,description\n';
const run = promisify(execFile);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hostile-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Repeats a piece up to so many bytes between a beginning and an end, without ever having it all in memory. */
function* repeated(beginning: string, piece: string, bytes: number, end = ''): Generator<string> {
  yield beginning;
  const block = piece.repeat(Math.ceil(MEBIBYTE / piece.length));
  for (let written = 0; written < bytes; written += block.length) yield block;
  yield end;
}

async function takeInSmallMemory(
  text: Iterable<string>,
  {
    profile = 'aap',
    packed = false,
    limits = {},
  }: { profile?: string; packed?: boolean; limits?: Partial<FeedLimits> },
): Promise<Record<string, unknown>> {
  const file = path.join(folder, 'hostile.csv');
  const target = createWriteStream(file);
  if (packed) await pipeline(Readable.from(text), createGzip({ level: 1 }), target);
  else await pipeline(Readable.from(text), target);
  const script = path.join(import.meta.dirname, 'hostile-reader.ts');
  const options = ['--max-old-space-size=96', script, file, profile, JSON.stringify(limits)];
  const { stdout } = await run(process.execPath, options);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('a hostile file, with 96 megabytes of memory to read it in', () => {
  const xml = { profile: 'dealerspike' };
  const vast = { packed: true, limits: { max_archive_ratio: 100_000 } };
  const lol = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
  const cases: [string, () => Iterable<string>, Parameters<typeof takeInSmallMemory>[1], string, string][] = [
    [
      'an entity bomb',
      () => [
        `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY l0 "lol">${lol}]><r><item><vin>&l9;</vin></item></r>`,
      ],
      xml,
      'xml_doctype_refused',
      'DOCTYPE',
    ],
    [
      'an external entity',
      () => ['<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r><item><vin>&x;</vin></item></r>'],
      xml,
      'xml_doctype_refused',
      'DOCTYPE',
    ],
    ['a bare DOCTYPE', () => ['<!DOCTYPE r><r><item/></r>'], xml, 'xml_doctype_refused', 'DOCTYPE'],
    [
      'elements nested a million deep',
      () => repeated('', '<a>', 3 * MEBIBYTE),
      xml,
      'xml_too_deep',
      'max_xml_depth',
    ],
    ['a tag with a million attributes', () => attributes(), xml, 'row_too_large', 'max_row_characters'],
    [
      'one text of 32 megabytes in XML',
      () => repeated('<r><item><vin>', 'x', 32 * MEBIBYTE, '</vin></item></r>'),
      { ...xml, ...vast },
      'row_too_large',
      'max_row_characters',
    ],
    [
      'one cell of 300 megabytes',
      () => repeated(`${HEADER}A1,2020,Kia,Rio,used,9000,`, 'x', 300 * MEBIBYTE),
      vast,
      'row_too_large',
      'max_row_characters',
    ],
    [
      'one quoted cell of 32 megabytes that never ends',
      () => repeated(`${HEADER}A1,2020,Kia,Rio,used,9000,"`, 'x', 32 * MEBIBYTE),
      vast,
      'row_too_large',
      'max_row_characters',
    ],
    [
      'a row of ten million columns',
      () => repeated(HEADER, ',', 10 * MEBIBYTE),
      {},
      'row_too_large',
      'max_row_characters',
    ],
    [
      'a header of ten million columns',
      () => repeated('', 'a,', 20 * MEBIBYTE),
      {},
      'row_too_large',
      'max_row_characters',
    ],
    ['a header of 400,000 names', () => [columnNames(400_000)], {}, 'too_many_columns', 'max_columns'],
    [
      'a gzip bomb',
      () => repeated(HEADER, '\n', 300 * MEBIBYTE),
      { packed: true },
      'archive_too_large',
      'max_archive_ratio',
    ],
    [
      'a file beyond the limit',
      () => repeated(HEADER, 'x', 2 * MEBIBYTE),
      { limits: { max_file_mb: 1 } },
      'file_too_large',
      'max_file_mb',
    ],
  ];

  it.each(cases)('%s is refused with a reason', async (_, text, way, code, named) => {
    const report = await takeInSmallMemory(text(), way);
    expect(report).toMatchObject({ status: 'failed', code });
    expect(report.remedy).toContain(named);
  });
});

function* attributes(): Generator<string> {
  yield '<r><item ';
  for (let at = 0; at < 1_000_000; at += 1000)
    yield Array.from({ length: 1000 }, (_, n) => `a${at + n}="1" `).join('');
  yield '/></r>';
}

function columnNames(count: number): string {
  return `${Array.from({ length: count }, (_, n) => `c${n}`).join(',')}\n`;
}

describe('limits of single vehicles', () => {
  const bench = faultBench();

  it('leave photos beyond the limit out and say so', async () => {
    const ImageList = Array.from({ length: 300 }, (_, n) => `https://p.example/${n}.jpg`).join(',');
    const report = await bench.takeRows([{ ImageList }]);
    expect(bench.lot.get('A1')?.photos).toHaveLength(250);
    expect(codes(report.warnings)).toContainEqual([1, 'too_many_photos']);
    expect(report.warnings.find(({ code }) => code === 'too_many_photos')).toMatchObject({
      value: '300 photos',
      remedy: expect.stringContaining('max_photos') as string,
    });
  });
});

describe.skipIf(process.platform === 'win32')('a hostile inbox', () => {
  const bench = faultBench();

  it('takes in nothing but plain files, whatever lies there', async () => {
    const feed = await bench.feed({ feed: { settle_ms: 0 } });
    await mkdir(path.join(feed.folder, 'folder.csv'), { recursive: true });
    const outside = path.join(folder, 'outside.csv');
    await writeFile(outside, table([{ Stock: 'OUT' }]));
    await symlink(outside, path.join(feed.folder, 'link.csv'));
    await symlink('/dev/zero', path.join(feed.folder, 'device.csv'));
    execFileSync('mkfifo', [path.join(feed.folder, 'pipe.csv')]);
    const socket = createServer().listen(path.join(feed.folder, 'socket.csv'));
    await once(socket, 'listening');
    await writeFile(path.join(feed.folder, 'good.csv'), table([{ Stock: 'A1' }]));
    try {
      const files: string[] = [];
      const inbox = new FeedInbox(feed, bench.dealership.services());
      for (let look = 0; look < 3; look += 1) {
        await inbox.scan((report) => Promise.resolve(void files.push(report.file.name)));
        bench.dealership.now += 60_000;
      }
      expect(files).toEqual(['good.csv']);
    } finally {
      socket.close();
    }
    expect(bench.keys).toEqual(['A1']);
    const told = bench.dealership.log.filter(({ level }) => level === 'warn').map(({ facts }) => facts.file);
    expect(told.sort()).toEqual(['device.csv', 'link.csv', 'pipe.csv', 'socket.csv']);
  });

  it('is not led astray by names', async () => {
    const feed = await bench.feed({ feed: { settle_ms: 0, mode: 'delta' } });
    await mkdir(feed.folder, { recursive: true });
    const names = [
      ...[
        'line\nbreak.csv',
        '..\\..\\up.csv',
        '...csv..',
        'colon:in:name.csv',
        'bell\u0007\u001b[31mred.csv',
      ],
      ...['%2e%2e%2fup.csv', '-rf.csv', '$(reboot).csv', 'right\u202eleft.csv', `${'n'.repeat(251)}.csv`],
      ...['con', 'name with blanks .csv', "'quoted';DROP TABLE vehicle.csv"],
    ].filter((name) => !name.startsWith('.'));
    for (const [index, name] of names.entries())
      await writeFile(path.join(feed.folder, name), table([{ Stock: `N${index}` }]));
    const notUtf8 = Buffer.concat([
      Buffer.from(`${feed.folder}/M`),
      Buffer.from([0xe4]),
      Buffer.from('rz.csv'),
    ]);
    await writeFile(notUtf8, table([{ Stock: 'BAD' }]));
    const inbox = new FeedInbox(feed, bench.dealership.services());
    let taken = 0;
    for (let look = 0; look < 3; look += 1) {
      await inbox.scan(() => Promise.resolve(void (taken += 1)));
      bench.dealership.now += 60_000;
    }
    expect(taken).toBe(names.length);
    expect(bench.keys).toEqual(names.map((_, index) => `N${index}`).sort());
    const done = await readdir(path.join(bench.dealership.folder, 'done', feed.id));
    expect(done.filter((name) => !name.includes('.report.'))).toHaveLength(names.length);
    for (const name of done) {
      expect(name).toMatch(/^\d{8}T\d{6}\.\d{3}Z-[^\p{Cc}\p{Cf}<>:"/\\|?*]+$/u);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    }
    expect(await readdir(bench.dealership.folder)).not.toContain('up.csv');
    const logged = JSON.stringify(bench.dealership.log.map(({ facts }) => facts.file));
    expect(logged).not.toMatch(/\\n|\\u0007|\\u001b|\u202e/);
    // What is no UTF-8 cannot be named safely: it stays, and a person is told.
    expect(await readdir(feed.folder)).toHaveLength(1);
  });
});
