import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ZipFile } from 'yazl';
import { ArchiveEntries } from '../../src/runtime/upgrade/archive-entries.ts';
import { startService } from '../../src/runtime/upgrade/bridge-control.ts';
import { requireFittingVersion } from '../../src/runtime/upgrade/check-version.ts';
import { sha256Of } from '../../src/runtime/upgrade/archive-checksum.ts';
import { unpackArchive } from '../../src/runtime/upgrade/unpack-archive.ts';
import type { UpgradeWork } from '../../src/runtime/upgrade/upgrade-work.ts';
import { versionBefore } from '../../src/runtime/upgrade/upgrade-record.ts';
import { compareVersions, isVersion } from '../../src/runtime/upgrade/version-order.ts';

describe('versions', () => {
  it('are ordered as semver orders them', () => {
    const rising = ['0.1.0-alpha', '0.1.0-alpha.1', '0.1.0-alpha.beta', '0.1.0-rc.2', '0.1.0-rc.10', '0.1.0'];
    const all = [...rising, '0.1.1', '0.2.0', '0.10.0', '1.0.0'];
    expect([...all].reverse().sort(compareVersions)).toEqual(all);
    expect(compareVersions('1.2.3', '1.2.3')).toBe(0);
  });

  it.each(['1.0', '1.0.0+build', '../1.0.0', '1.0.0/..', '', 'v1.0.0', `1.0.0-${'x'.repeat(64)}`])(
    '%j names none',
    (text) => {
      expect(isVersion(text)).toBe(false);
    },
  );

  it('the one before is the one that was left, or else the next older one', () => {
    const done = [{ from: '0.1.0', to: '0.3.0', at: '2026-01-01T00:00:00Z' }];
    expect(versionBefore('0.3.0', { done }, ['0.3.0', '0.2.0', '0.1.0'])).toBe('0.1.0');
    expect(versionBefore('0.3.0', { done }, ['0.3.0', '0.2.0'])).toBe('0.2.0');
    expect(versionBefore('0.3.0', { done: [] }, ['0.3.0'])).toBeUndefined();
  });
});

describe('entries of an archive', () => {
  it.each([
    'dealer-bridge/versions/1.0.0/../../../etc/passwd',
    '../dealer-bridge/versions/1.0.0/a',
    '/dealer-bridge/versions/1.0.0/a',
    'dealer-bridge/versions/1.0.0/a\\..\\b',
    'dealer-bridge/versions/1.0.0/C:/a',
    'dealer-bridge/versions/1.0.0/a:stream',
    'dealer-bridge/versions/1.0.0/aux.js',
    'dealer-bridge/versions/1.0.0//a',
    'dealer-bridge/versions/1.0.0/a.',
  ])('%s leads out', (path) => {
    expect(() => new ArchiveEntries().take(path, 1)).toThrow('it has a path that may lead out of its folder');
  });

  it('of two versions or of something else are refused, and those of a first installation passed over', () => {
    const entries = new ArchiveEntries();
    expect(entries.take('dealer-bridge/current', 6)).toBeUndefined();
    expect(entries.take('dealer-bridge/versions/1.0.0/node/node', 6)).toEqual({
      path: '1.0.0/node/node',
      mode: 0o755,
    });
    expect(entries.take('dealer-bridge/versions/1.0.0/src/a.js', 6)?.mode).toBe(0o644);
    expect(() => entries.take('dealer-bridge/versions/1.0.1/a', 1)).toThrow('beside one version');
    expect(() => entries.take('another/versions/1.0.0/a', 1)).toThrow('beside one version');
    expect(() => new ArchiveEntries().requireVersion()).toThrow('it holds no version');
  });

  it('are bounded in size and number', () => {
    const path = 'dealer-bridge/versions/1.0.0/a';
    expect(() => new ArchiveEntries().take(path, 3 * 1024 ** 3)).toThrow('it holds more than a version');
    const entries = new ArchiveEntries();
    expect(() => {
      for (let number = 0; number < 60_000; number += 1) entries.take(path, 1);
    }).toThrow('it holds more than a version');
  });
});

/** A folder `dealer-bridge` as an archive of either form. */
async function packed(form: 'tar.gz' | 'zip', files: Readonly<Record<string, string>>): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'archive-'));
  const archive = join(place, `a.${form}`);
  if (form === 'zip') {
    const zip = new ZipFile();
    for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path);
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(archive));
    return archive;
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(place, path, '..'), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  await create({ file: archive, cwd: place, gzip: true }, Object.keys(files));
  return archive;
}

const MANIFEST = JSON.stringify({
  name: 'dealer-bridge',
  version: '1.0.0',
  platform: `${process.platform}-${process.arch}`,
});
const FILES = {
  'dealer-bridge/current': '1.0.0\n',
  'dealer-bridge/versions/1.0.0/manifest.json': MANIFEST,
  'dealer-bridge/versions/1.0.0/src/main.js': 'main',
};

describe.each(['tar.gz', 'zip'] as const)('a .%s', (form) => {
  const unpacked = async (files: Readonly<Record<string, string>>): Promise<string> => {
    const folder = join(mkdtempSync(join(tmpdir(), 'unpacked-')), 'unfinished');
    const version = await unpackArchive(await packed(form, files), folder);
    return join(folder, version);
  };

  it('is unpacked into the folder of its version alone', async () => {
    const folder = await unpacked(FILES);
    expect(readdirSync(join(folder, '..'))).toEqual(['1.0.0']);
    expect((readdirSync(folder, { recursive: true }) as string[]).sort()).toEqual([
      'manifest.json',
      'src',
      'src/main.js',
    ]);
  });

  it('with a file of something else is refused', async () => {
    await expect(unpacked({ ...FILES, 'dealer-bridge/adapters/x.js': 'x' })).rejects.toThrow(
      'it holds "dealer-bridge/adapters/x.js" beside one version',
    );
  });

  it('whose files are not those of its SHA256SUMS is refused', async () => {
    const folder = await unpacked(FILES);
    const about = { version: '1.0.0', installed: '0.9.0', mayBeOlder: false };
    const check = (): Promise<void> => requireFittingVersion(folder, about);
    await expect(check()).rejects.toThrow('it has no SHA256SUMS');
    const sum = async (file: string): Promise<string> => `${await sha256Of(join(folder, file))}  ${file}\n`;
    const manifest = await sum('manifest.json');
    const main = await sum('src/main.js');
    writeFileSync(join(folder, 'SHA256SUMS'), manifest + main);
    await check();
    writeFileSync(join(folder, 'SHA256SUMS'), manifest);
    await expect(check()).rejects.toThrow('src/main.js is not as its SHA256SUMS has it');
    writeFileSync(join(folder, 'SHA256SUMS'), `${manifest}${main}${main.replace('main.js', 'gone.js')}`);
    await expect(check()).rejects.toThrow('src/gone.js is missing');
    writeFileSync(join(folder, 'src/main.js'), 'other');
    await expect(check()).rejects.toThrow('src/main.js is not as its SHA256SUMS has it');
    await expect(requireFittingVersion(folder, { ...about, installed: '1.0.1' })).rejects.toThrow('older');
  });
});

it('what is no archive is refused', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'archive-')), 'a.tar.gz');
  writeFileSync(file, 'not an archive');
  await expect(unpackArchive(file, `${file}.unpacked`)).rejects.toThrow('neither a .tar.gz nor a .zip');
});

it('a link in an archive is refused', async () => {
  const place = mkdtempSync(join(tmpdir(), 'archive-'));
  const version = 'dealer-bridge/versions/1.0.0';
  mkdirSync(join(place, version), { recursive: true });
  symlinkSync('/etc/passwd', join(place, version, 'link'));
  const file = join(place, 'a.tar.gz');
  await create({ file, cwd: place, gzip: true }, [`${version}/link`]);
  await expect(unpackArchive(file, join(place, 'unpacked'))).rejects.toThrow('is no plain file');
  expect(readdirSync(join(place, 'unpacked'))).toEqual([]);
});

describe('a service that is started again', () => {
  /** An admin port that says it is of this version; `ready`: whether it is. */
  async function adminPort(answer: { version: string; ready: boolean }): Promise<string> {
    const server = createServer((request, response) => {
      const isReady = request.url === '/health/ready';
      response.statusCode = isReady && !answer.ready ? 503 : 200;
      response.end(JSON.stringify(isReady ? { ready: answer.ready, reason: 'starting' } : answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const started = (adminOrigin: string, start: () => Promise<void>): Promise<string | undefined> => {
    const service = { start, stop: () => Promise.resolve() };
    return startService({ adminOrigin, service, readyLimitMs: 300 } as UpgradeWork, '2.0.0');
  };
  const never = (): Promise<void> => new Promise(() => undefined);

  it('is there when the new version is ready, whatever its manager still waits for', async () => {
    expect(await started(await adminPort({ version: '2.0.0', ready: true }), never)).toBeUndefined();
  });

  it('is not there while it is not ready, of the old version, silent, or refused by its manager', async () => {
    expect(await started(await adminPort({ version: '2.0.0', ready: false }), never)).toMatch(
      /^it was not ready within 0 seconds: .*\/health\/ready says 503 \(starting\)$/,
    );
    expect(await started(await adminPort({ version: '1.0.0', ready: true }), never)).toContain(
      'is answered by version 1.0.0',
    );
    const silent = 'http://127.0.0.1:9';
    expect(await started(silent, never)).toContain('http://127.0.0.1:9 does not answer');
    expect(await started(silent, () => Promise.reject(new Error('access denied')))).toBe(
      'the service does not start: access denied',
    );
  });
});
