import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globMatcher, notice } from '../../src/feeds/inbox/notice.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'notice-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function drop(name: string, modifiedAt = 1000): Promise<void> {
  await writeFile(path.join(folder, name), 'text');
  await utimes(path.join(folder, name), modifiedAt, modifiedAt);
}

describe('looking into an inbox', () => {
  it('lists the oldest file first', async () => {
    await drop('b.csv', 3000);
    await drop('a.csv', 2000);
    await drop('c.csv', 1000);
    const { files } = await notice(folder, { files: '*' });
    expect(files.map((file) => file.name)).toEqual(['c.csv', 'a.csv', 'b.csv']);
    expect(files[0]).toEqual({
      path: path.join(folder, 'c.csv'),
      name: 'c.csv',
      size: 4,
      modifiedAt: 1_000_000,
    });
  });

  it('lists files of the same time as people count', async () => {
    for (const number of [10, 9, 2, 12, 1]) await drop(`INV_${number}.csv`);
    const { files } = await notice(folder, { files: '*' });
    const inOrder = [1, 2, 9, 10, 12].map((number) => `INV_${number}.csv`);
    expect(files.map((file) => file.name)).toEqual(inOrder);
  });

  it('takes names that only resemble those of operating systems', async () => {
    for (const name of ['thumbs.csv', 'desktop.csv', 'desktop.ini.csv', 'icon.csv']) await drop(name);
    expect((await notice(folder, { files: '*' })).files).toHaveLength(4);
  });

  it('passes over unfinished, hidden, marker and report files without a word', async () => {
    const names = [
      '.hidden.csv',
      'a.csv.part',
      'a.csv.TMP',
      'a.csv.filepart',
      'a.csv.crdownload',
      'a.csv.uploading',
      'a.csv.incomplete',
      '~$a.csv',
      'a.csv.done',
      'desktop.ini',
      'Thumbs.db',
      'ehthumbs.db',
      '.DS_Store',
    ];
    for (const name of [...names, 'a.csv.report.txt', 'a.csv.report.json']) await drop(name);
    await mkdir(path.join(folder, 'subfolder'));
    expect(await notice(folder, { files: '*', doneMarker: '.done' })).toEqual({ files: [], leftAlone: [] });
  });

  it('takes a file only with its marker where one is agreed', async () => {
    for (const name of ['a.csv', 'b.csv', 'b.csv.done']) await drop(name);
    const { files, leftAlone } = await notice(folder, { files: '*.csv', doneMarker: '.done' });
    expect(files.map((file) => file.name)).toEqual(['b.csv']);
    expect(leftAlone).toEqual([]);
  });

  it('leaves backups and locks alone and says so, since one may hold the lot of last month', async () => {
    const names = ['a.csv.bak', 'a.csv.OLD', 'a.csv.orig', 'a.csv.lock'];
    for (const name of [...names, '.~lock.a.csv', '.a.lock']) await drop(name);
    await mkdir(path.join(folder, 'months.old'));
    const { files, leftAlone } = await notice(folder, { files: '*' });
    expect(files).toEqual([]);
    expect(leftAlone.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(leftAlone[0]?.reason).toBe('its name says that it is a backup or a lock; rename it if not');
  });

  it('says of a link and of a name that does not match why they stay', async () => {
    await drop('notes.docx');
    await symlink('/etc/hostname', path.join(folder, 'link.csv'));
    const { files, leftAlone } = await notice(folder, { files: '*.csv' });
    expect(files).toEqual([]);
    expect(leftAlone.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'link.csv', reason: 'it is a symbolic link; links are never followed' },
      { name: 'notes.docx', reason: 'its name does not match *.csv' },
    ]);
  });

  it.skipIf(process.platform !== 'linux')(
    'says of a name that is no UTF-8 that it must be renamed',
    async () => {
      await writeFile(
        Buffer.concat([Buffer.from(`${folder}/M`), Buffer.from([0xe4]), Buffer.from('rz.csv')]),
        'x',
      );
      const { leftAlone } = await notice(folder, { files: '*' });
      expect(leftAlone).toEqual([{ name: 'M\uFFFDrz.csv', reason: 'its name is not UTF-8; rename it' }]);
    },
  );
});

describe('file patterns', () => {
  it.each([
    ['*', 'anything.csv', true],
    ['*_INV.csv', 'DVD00002_20260916_0808_INV.csv', true],
    ['*_INV.csv', 'DVD00002_20260916_0808_INV.csv.bak', false],
    ['*.csv', 'EXPORT.CSV', true],
    ['lot?.xml', 'lot1.xml', true],
    ['lot?.xml', 'lot.xml', false],
    ['a.csv', 'aXcsv', false],
    ['(a|b)+.csv', 'a.csv', false],
    ['*', 'with\nnewline.csv', true],
  ])('%s and %j: %s', (pattern, name, matches) => {
    expect(globMatcher(pattern)(name)).toBe(matches);
  });
});
