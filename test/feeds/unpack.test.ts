import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_UNPACK_LIMITS, type UnpackLimits } from '../../src/feeds/limits.ts';
import type { UnpackedFile } from '../../src/feeds/records.ts';
import { unpack } from '../../src/feeds/reading/unpack.ts';
import { zip, type ZipSource } from './zip-writer.ts';

const CSV = 'Stock,VIN\r\nT1,1FTFW5L82TFA90101\r\n';
const isWindows = process.platform === 'win32';

let folder = '';
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unpack-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function put(content: Uint8Array | string, name = `file-${files++}.csv`): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function unpacked(path: string, limits: Partial<UnpackLimits> = {}): Promise<UnpackedFile> {
  const result = await unpack(path, { ...DEFAULT_UNPACK_LIMITS, ...limits });
  if (!result.ok) throw new Error(result.problems[0]?.message);
  return result.value;
}

async function refusal(path: string, limits: Partial<UnpackLimits> = {}): Promise<[string, string]> {
  const result = await unpack(path, { ...DEFAULT_UNPACK_LIMITS, ...limits });
  if (result.ok) throw new Error(`${result.value.name} was accepted`);
  const [problem] = result.problems;
  expect(problem?.remedy).toBeTypeOf('string');
  return [problem?.code ?? '', problem?.message ?? ''];
}

const refusalOfZip = async (sources: ZipSource[], limits: Partial<UnpackLimits> = {}): Promise<string> =>
  (await refusal(put(zip(sources)), limits))[0];

describe('a plain file', () => {
  test('is handed on as it is and can be opened more than once', async () => {
    const file = await unpacked(put(CSV, 'inventory.csv'));
    expect(file).toMatchObject({ name: 'inventory.csv', container: 'none' });
    expect((await buffer(file.open())).toString()).toBe(CSV);
    expect((await buffer(file.open())).toString()).toBe(CSV);
  });

  test('that is larger than one chunk arrives whole', async () => {
    const content = Buffer.alloc(700_001, 'abcdefg');
    expect((await buffer((await unpacked(put(content))).open())).equals(content)).toBe(true);
  });

  test('is refused when it is empty, too large, missing or no file', async () => {
    expect((await refusal(put('')))[0]).toBe('empty_file');
    expect((await refusal(put(CSV), { maxFileBytes: CSV.length - 1 }))[0]).toBe('file_too_large');
    expect((await refusal(join(folder, 'nowhere.csv')))[0]).toBe('file_unreadable');
    mkdirSync(join(folder, 'sub'));
    expect((await refusal(join(folder, 'sub')))[0]).toBe('not_a_regular_file');
  });

  test.skipIf(isWindows)('is refused when it is a link, a pipe or a device', async () => {
    symlinkSync(put(CSV), join(folder, 'link.csv'));
    expect((await refusal(join(folder, 'link.csv')))[0]).toBe('not_a_regular_file');
    execFileSync('mkfifo', [join(folder, 'pipe.csv')]);
    expect((await refusal(join(folder, 'pipe.csv')))[0]).toBe('not_a_regular_file');
    expect((await refusal('/dev/zero'))[0]).toBe('not_a_regular_file');
  });

  test('that grows between two readings makes the second one fail', async () => {
    const path = put(CSV);
    const file = await unpacked(path);
    appendFileSync(path, 'T2,1FTVW5LV2TWA90102\r\n');
    await expect(buffer(file.open())).rejects.toThrow('changed while it was read');
  });
});

describe('a gzip file', () => {
  test('is told by its bytes, whatever its name, and all its members count', async () => {
    const file = await unpacked(
      put(Buffer.concat([gzipSync('Stock,VIN\r\n'), gzipSync('T1,x\r\n')]), 'gz.csv'),
    );
    expect(file.container).toBe('gzip');
    expect((await buffer(file.open())).toString()).toBe('Stock,VIN\r\nT1,x\r\n');
    expect((await unpacked(put(gzipSync(CSV), 'feed.csv.gz'))).name).toBe('feed.csv');
  });

  test('is refused when it is cut, damaged, empty or unpacks to too much', async () => {
    const packed = gzipSync(Buffer.alloc(300_000, CSV));
    expect((await refusal(put(packed.subarray(0, packed.length - 20))))[0]).toBe('archive_broken');
    const damaged = Buffer.from(packed);
    damaged.writeUInt8(damaged.readUInt8(40) ^ 0xff, 40);
    expect((await refusal(put(damaged)))[0]).toBe('archive_broken');
    expect((await refusal(put(gzipSync(''))))[0]).toBe('empty_file');
    expect((await refusal(put(packed), { maxUnpackedBytes: 299_999 }))[0]).toBe('archive_too_large');
    expect((await unpacked(put(packed), { maxUnpackedBytes: 300_000 })).container).toBe('gzip');
  });

  test('that unpacks far beyond its size is refused as a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    expect((await refusal(put(bomb)))[0]).toBe('archive_too_large');
  });
});

describe('a zip file', () => {
  test.each(['store', 'deflate'] as const)('with one entry (%s) gives that entry', async (method) => {
    const file = await unpacked(put(zip([{ name: 'out/inventory.csv', content: CSV, method }], 'a comment')));
    expect(file).toMatchObject({ name: 'inventory.csv', container: 'zip' });
    expect((await buffer(file.open())).toString()).toBe(CSV);
    expect((await buffer(file.open())).toString()).toBe(CSV);
  });

  test('may hold litter and notes beside the export', async () => {
    const litter = [
      '__MACOSX/._inventory.csv',
      '.DS_Store',
      'out/.hidden.csv',
      'Thumbs.db',
      'README.txt',
      'Read me.md',
      'LICENSE',
      'out/',
    ];
    const sources = [
      ...litter.map((name) => ({ name, content: '' })),
      { name: 'out/inventory.txt', content: CSV },
    ];
    expect((await unpacked(put(zip(sources)))).name).toBe('inventory.txt');
  });

  test('must hold exactly one export', async () => {
    const two = [
      { name: 'new.csv', content: CSV },
      { name: 'used.csv', content: CSV },
    ];
    const [code, message] = await refusal(put(zip(two)));
    expect(code).toBe('ambiguous_archive');
    expect(message).toContain('new.csv, used.csv');
    expect(await refusalOfZip([{ name: 'README.txt', content: 'hello' }])).toBe('archive_empty');
    expect(await refusalOfZip([])).toBe('archive_empty');
    expect(await refusalOfZip([{ name: 'a.csv', content: '' }])).toBe('empty_file');
  });

  test.each([
    '../evil.csv',
    'a/../../evil.csv',
    '/etc/evil.csv',
    'C:evil.csv',
    'a\\..\\evil.csv',
    '\\evil.csv',
    'C:\\evil.csv',
    '__MACOSX/../../x',
  ])('with an entry that escapes (%s) is refused even beside a good one', async (name) => {
    const good = { name: 'inventory.csv', content: CSV };
    expect(await refusalOfZip([good, { name, content: CSV }])).toBe('archive_unsafe_path');
  });

  test('whose names have the separator of Windows is read, and its litter is litter', async () => {
    const entries = [
      { name: 'export\\inventory.csv', content: CSV },
      { name: '__MACOSX\\._inventory.csv', content: 'x' },
    ];
    expect((await unpacked(put(zip(entries)))).name).toBe('inventory.csv');
  });

  test('with a symbolic link is refused', async () => {
    const link = { name: 'inventory.csv', content: '/etc/passwd', symbolicLink: true };
    expect(await refusalOfZip([link])).toBe('archive_unsafe_path');
  });

  test('that is an office document is told as such', async () => {
    const [code, message] = await refusal(
      put(
        zip([
          { name: '[Content_Types].xml', content: '<Types/>' },
          { name: 'xl/workbook.xml', content: '<workbook/>' },
        ]),
      ),
    );
    expect(code).toBe('not_a_feed');
    expect(message).toContain('an Excel workbook; export the inventory as CSV');
  });

  test('that is locked, damaged or claims what is not so is refused', async () => {
    const entry = { name: 'a.csv', content: CSV };
    expect(await refusalOfZip([{ ...entry, encrypted: true }])).toBe('archive_encrypted');
    expect(await refusalOfZip([{ ...entry, claimedCrc: 1 }])).toBe('archive_broken');
    expect(await refusalOfZip([{ ...entry, claimedBytes: 5 }])).toBe('archive_broken');
    expect(await refusalOfZip([{ ...entry, methodNumber: 12 }])).toBe('archive_broken');
    const whole = zip([{ ...entry, method: 'deflate' }]);
    expect((await refusal(put(whole.subarray(0, whole.length - 10))))[0]).toBe('archive_broken');
  });

  test('is bound in entries, size and ratio', async () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ name: `__MACOSX/${index}`, content: '' }));
    expect(await refusalOfZip(many, { maxArchiveEntries: 10 })).toBe('archive_too_large');
    const bomb = { name: 'a.csv', content: Buffer.alloc(20_000_000), method: 'deflate' as const };
    expect(await refusalOfZip([bomb])).toBe('archive_too_large');
    expect(await refusalOfZip([{ ...bomb, claimedBytes: 100 }])).toBe('archive_too_large');
    expect(await refusalOfZip([{ name: 'a.csv', content: CSV }], { maxUnpackedBytes: 10 })).toBe(
      'archive_too_large',
    );
  });

  test('of the ZIP64 kind is refused in plain words', async () => {
    const archive = zip([{ name: 'a.csv', content: CSV }]);
    archive.writeUInt16LE(0xffff, archive.length - 12);
    expect(await refusal(put(archive))).toEqual(['archive_too_large', expect.stringContaining('ZIP64')]);
  });

  test('cut or flipped at any byte never throws', async () => {
    const archive = zip([{ name: 'a.csv', content: CSV, method: 'deflate' }]);
    for (let at = 0; at < archive.length; at += 1) {
      const flipped = Buffer.from(archive);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 0xa5, at);
      for (const bytes of [flipped, archive.subarray(0, at)]) {
        const result = await unpack(put(bytes, 'broken.zip'), DEFAULT_UNPACK_LIMITS);
        if (result.ok && result.value.container === 'zip') {
          expect((await buffer(result.value.open())).toString()).toBe(CSV);
        }
      }
    }
  });
});
