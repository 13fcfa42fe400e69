import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LogCaps, LogFiles } from '../../src/runtime/log-files.ts';

const DAY = 86_400_000;
const NOON = new Date(2026, 10, 30, 12).getTime();
const LINE = `${'x'.repeat(99)}\n`;
const CAPS: LogCaps = { maxFileBytes: 1000, maxFiles: 5, maxTotalBytes: 100_000, keepDays: 30 };

let folder: string;
let now: number;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'log-')), 'logs');
  now = NOON;
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const open = (caps: Partial<LogCaps> = {}): LogFiles =>
  new LogFiles(folder, { ...CAPS, ...caps }, { now: () => now });
const names = (): string[] => readdirSync(folder).sort();
const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
function write(files: LogFiles, lines: number): void {
  for (let line = 0; line < lines; line++) files.write(LINE);
}

describe('a new file begins', () => {
  it('when one is full, and no line is divided', () => {
    const files = open();
    write(files, 25);
    expect(names().map((name) => [name, statSync(join(folder, name)).size])).toEqual([
      ['bridge-20261130-0001.log', 1000],
      ['bridge-20261130-0002.log', 1000],
      ['bridge-20261130-0003.log', 500],
    ]);
    expect(files.file).toBe(join(folder, 'bridge-20261130-0003.log'));
  });

  it('with the day of this machine', () => {
    const files = open();
    files.write('today\n');
    now = new Date(2026, 11, 1, 0, 0, 0).getTime() - 1;
    files.write('today, late\n');
    now += 1;
    files.write('tomorrow\n');
    expect(names().map((name) => [name, text(name)])).toEqual([
      ['bridge-20261130-0001.log', 'today\ntoday, late\n'],
      ['bridge-20261201-0001.log', 'tomorrow\n'],
    ]);
  });

  it('for a line that is larger than a file may be, which stands in one of its own', () => {
    const files = open();
    files.write('first\n');
    files.write(`${'y'.repeat(3000)}\n`);
    files.write('last\n');
    expect(names().map((name) => text(name).length)).toEqual([6, 3001, 5]);
  });

  it('not with a start: it goes on in the last one while that has room', () => {
    write(open(), 12);
    write(open(), 3);
    expect(names().map((name) => text(name).length)).toEqual([1000, 500]);
    write(open(), 5);
    open().write('after a full one\n');
    expect(names().map((name) => text(name).length)).toEqual([1000, 1000, 17]);
  });

  it('in the file of its day when the clock is set back by days', () => {
    const files = open();
    files.write('now\n');
    now -= 10 * DAY;
    files.write('long ago\n');
    expect(text('bridge-20261120-0001.log')).toBe('long ago\n');
  });
});

describe('the oldest go', () => {
  it('when there are more files than may be, the one of the first versions included', () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'bridge.log'), 'old\n');
    writeFileSync(join(folder, 'notes.txt'), 'not ours\n');
    write(open({ maxFiles: 3 }), 45);
    expect(names()).toEqual([
      'bridge-20261130-0003.log',
      'bridge-20261130-0004.log',
      'bridge-20261130-0005.log',
      'notes.txt',
    ]);
  });

  it('when all together are larger than they may be, counting the new one as full', () => {
    write(open({ maxFiles: 100, maxTotalBytes: 3500 }), 95);
    expect(names()).toEqual([
      'bridge-20261130-0008.log',
      'bridge-20261130-0009.log',
      'bridge-20261130-0010.log',
    ]);
  });

  it('when nothing was written to them for long', () => {
    write(open(), 12);
    utimesSync(join(folder, 'bridge-20261130-0001.log'), (now - 31 * DAY) / 1000, (now - 31 * DAY) / 1000);
    utimesSync(join(folder, 'bridge-20261130-0002.log'), (now - 29 * DAY) / 1000, (now - 29 * DAY) / 1000);
    now += DAY / 2;
    open();
    expect(names()).toEqual(['bridge-20261130-0002.log', 'bridge-20261201-0001.log']);
  });
});

describe('what cannot be written', () => {
  // Linux gives a device on which every write ends with "no space left".
  it.skipIf(!existsSync('/dev/full'))('for want of room is lost, counted and told', () => {
    mkdirSync(folder);
    symlinkSync('/dev/full', join(folder, 'bridge-20261130-0001.log'));
    const files = open();
    write(files, 2);
    expect([files.lostLines, files.fault]).toEqual([2, 'ENOSPC']);
  });

  it('for want of a folder is lost until there is one, which is looked for every ten seconds', () => {
    writeFileSync(folder, 'a file stands in the way');
    const files = open();
    files.write('lost\n');
    rmSync(folder);
    files.write('lost, too soon\n');
    now += 10_000;
    files.write('written\n');
    expect([files.lostLines, files.fault]).toEqual([2, undefined]);
    expect(names().map(text)).toEqual(['written\n']);
  });
});

it('takes no file away for its age while the clock is not believed, and others for their number still', () => {
  let isBelieved = false;
  const openDoubtful = (caps: Partial<LogCaps> = {}) =>
    new LogFiles(folder, { ...CAPS, ...caps }, { now: () => now }, () => isBelieved);
  openDoubtful().write('old\n');
  now += 400 * 24 * 3_600_000;
  const ages = new Date(NOON);
  utimesSync(join(folder, names()[0] ?? ''), ages, ages);
  openDoubtful().write('new\n');
  expect(names()).toHaveLength(2);
  isBelieved = true;
  openDoubtful();
  expect(names()).toHaveLength(1);
});
