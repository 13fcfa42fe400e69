import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Preview } from '../../src/feeds/preview.ts';
import type { RunRecord } from '../../src/model/intake.ts';
import type { Finished } from '../cli/bridge-command.ts';
import { runCommand } from '../cli/run-command.ts';
import { CASES_FOLDER } from './case-files.ts';

let folder: string;
let data: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'feed-commands-'));
  data = path.join(folder, 'data');
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** With the demo's settings, which know the rooftops of the case files. */
function feed(...words: string[]): Promise<Finished> {
  return runCommand(['feed', ...words, '--data', data]);
}

function caseFile(name: string): string {
  return path.join(CASES_FOLDER, name);
}

describe('feed preview', () => {
  it('prints the whole outcome as JSON and creates nothing', async () => {
    const { code, out, err } = await feed('preview', caseFile('vauto.csv'), '--profile', 'vauto', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const preview = JSON.parse(out) as Preview;
    expect(preview.file).toEqual({ status: 'accepted', encoding: 'utf-8', delimiter: ',' });
    expect(preview).toMatchObject({ rows: 30, accepted: 30, rejected: 0, rejections: [], warnings: [] });
    const accord = preview.vehicles.find(({ vin }) => vin === '1HGCV1F31KAA90301');
    expect(accord).toMatchObject({
      stock: '00417',
      dealer_id: 'LPO03',
      status: 'available',
      list_price: 19750,
    });
    expect(accord?.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('prints for people what comes out, with five vehicles', async () => {
    const { code, out } = await feed('preview', caseFile('homenet-iol.csv'), '--profile', 'homenet');
    expect(code).toBe(0);
    expect(out).toContain('All 14 rows would be taken in.');
    expect(out).toContain('The first 5 of 14 vehicles, as agents would see them');
    expect(out.match(/^ {4}vin: /gm)).toHaveLength(5);
    expect(out).not.toContain('OK: all');
  });

  it('refuses a file as a whole with code, message and exit code 1', async () => {
    const { code, out } = await feed(
      'preview',
      caseFile('quirks/html-error-page.csv'),
      '--profile',
      'homenet',
      '--json',
    );
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      file: {
        status: 'rejected',
        code: 'not_a_feed',
        message: expect.stringContaining('web page') as string,
      },
      rows: 0,
      accepted: 0,
      rejected: 0,
      rejections: [],
      warnings: [],
      vehicles: [],
    });
  });

  it('takes a profile by its path and a rooftop by its id', async () => {
    const profile = path.join(folder, 'mine.yaml');
    await writeFile(profile, 'extends: homenet\nmap: { dealer_id: null }\n');
    const { code, out } = await feed(
      'preview',
      caseFile('quirks/snapshots/day1.csv'),
      ...['--profile', profile, '--rooftop', 'CRA02', '--json'],
    );
    expect(code).toBe(0);
    const { vehicles } = JSON.parse(out) as Preview;
    expect(new Set(vehicles.map(({ dealer_id }) => dealer_id))).toEqual(new Set(['CRA02']));
  });

  it('shows a stranger’s file as if it belonged to the first rooftop, and says so', async () => {
    const file = path.join(folder, 'stranger.csv');
    const columns = 'DealerID,Stock,VIN,Type,Year,Make,Model,SellingPrice';
    await writeFile(file, `${columns}\n77,A1,1HGCV1F31KAA90301,Used,2019,Honda,Accord,19750\n`);
    const { code, out, err } = await feed('preview', file, '--profile', 'homenet', '--json');
    expect(code).toBe(0);
    expect(err).toBe('No row names a rooftop of the settings; shown as if all belonged to HPM01.\n');
    expect((JSON.parse(out) as Preview).vehicles[0]).toMatchObject({
      vin: '1HGCV1F31KAA90301',
      dealer_id: 'HPM01',
    });
  });

  it.each([
    [['--profile', 'homnet'], 1, 'no profile "homnet"; did you mean "homenet"?'],
    [['--profile', 'homenet', '--rooftop', 'HPM9'], 1, 'there is no rooftop HPM9'],
    [['--profile', 'homenet', '--mode', 'half'], 2, 'Allowed choices are full, delta'],
    [[], 2, '--profile'],
  ])('%j ends with %i', async (words, exitCode, message) => {
    const { code, out, err } = await feed('preview', caseFile('homenet-iol.csv'), ...words);
    expect(code).toBe(exitCode);
    expect(out + err).toContain(message);
  });
});

describe('feed run, runs, release and discard', () => {
  async function runs(): Promise<RunRecord[]> {
    return JSON.parse((await feed('runs', '--json')).out) as RunRecord[];
  }

  it('take a file in, hold the next one, and take it in on a person’s word', async () => {
    const first = await feed('run', caseFile('quirks/snapshots/day1.csv'), '--feed', 'homenet');
    expect(first.code).toBe(0);
    expect(first.out).toContain('OK: all 14 rows taken in.');
    expect((await stat(caseFile('quirks/snapshots/day1.csv'))).isFile()).toBe(true);

    const second = await feed('run', caseFile('quirks/snapshots/day3-shrunk.csv'), '--feed', 'homenet');
    expect(second.code).toBe(1);
    expect(second.out).toContain('HELD: nothing was changed');
    const [held] = await runs();
    expect(held).toMatchObject({ status: 'held', code: 'shrink_guard', feedId: 'homenet' });
    const listed = (await feed('runs')).out;
    expect(listed).toContain(`feed release ${held?.runId}`);
    expect(listed).toMatch(
      / {2}HELD {5}homenet {2}day3-shrunk\.csv {2}.*\n.*\n.*\n.* {2}ok {7}homenet {2}day1\.csv {2}14 rows, /,
    );

    const released = await feed('release', held?.runId ?? '');
    expect(released.code).toBe(0);
    expect(released.out).toContain('Released by  person');
    expect((await runs()).map(({ status, removed }) => [status, removed])).toEqual([
      ['ok', 11],
      ['ok', 0],
    ]);
    const twice = await feed('release', held?.runId ?? '');
    expect(twice.code).toBe(1);
    expect(twice.err).toContain('is not held but ok');
  });

  it('give a held file up', async () => {
    await feed('run', caseFile('quirks/snapshots/day1.csv'), '--feed', 'homenet');
    await feed('run', caseFile('quirks/snapshots/day3-shrunk.csv'), '--feed', 'homenet');
    const [held] = await runs();
    const discarded = await feed('discard', held?.runId ?? '');
    expect(discarded.code).toBe(0);
    expect((await runs())[0]).toMatchObject({ status: 'failed', runId: held?.runId });
    expect(await readdir(path.join(data, 'held', 'homenet'))).toEqual([]);
    expect(await readdir(path.join(data, 'failed', 'homenet'))).toHaveLength(3);
  });

  it.each([
    ['run', 'missing.csv', '--feed', 'homenet'],
    ['preview', 'missing.csv', '--profile', 'homenet'],
  ])('%s tells a mistyped name before anything else', async (...words) => {
    expect((await feed(...words)).code).toBe(2);
  });

  it('never show a run with refused rows like one without', async () => {
    const file = path.join(folder, 'two.csv');
    const columns = 'DealerID,Stock,VIN,Type,Year,Make,Model,SellingPrice';
    const rows = 'HPM01,A1,1HGCV1F31KAA90301,Used,2019,Honda,Accord,1\nHPM01,A2,,Used,,Honda,Accord,1\n';
    await writeFile(file, `${columns}\n${rows}`);
    await feed('run', file, '--feed', 'homenet');
    expect((await feed('runs')).out).toContain('  PARTIAL  homenet  two.csv  2 rows (1 refused), 1 added');
  });

  it('settle a held run whose file somebody took away', async () => {
    await feed('run', caseFile('quirks/snapshots/day1.csv'), '--feed', 'homenet');
    await feed('run', caseFile('quirks/snapshots/day3-shrunk.csv'), '--feed', 'homenet');
    const [held] = await runs();
    await rm(path.join(data, 'held'), { recursive: true });
    expect((await feed('release', held?.runId ?? '')).err).toContain(
      'no longer in the held folder; feed discard',
    );
    const { code, out } = await feed('discard', held?.runId ?? '');
    expect({ code, out }).toEqual({
      code: 0,
      out: 'The lot stays as it is. The file was no longer in the held folder\n',
    });
    expect((await runs())[0]).toMatchObject({ status: 'failed', runId: held?.runId });
  });

  it('know no run that never was', async () => {
    await feed('run', caseFile('quirks/snapshots/day1.csv'), '--feed', 'homenet');
    expect(await feed('release', 'run_unknown')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no run run_unknown') as string,
    });
  });

  it('do not release a held file after a newer one was taken in', async () => {
    await feed('run', caseFile('quirks/snapshots/day1.csv'), '--feed', 'homenet');
    await feed('run', caseFile('quirks/snapshots/day3-shrunk.csv'), '--feed', 'homenet');
    const [held] = await runs();
    await feed('run', caseFile('quirks/snapshots/day2-normal.csv'), '--feed', 'homenet');
    const { code, err } = await feed('release', held?.runId ?? '');
    expect(code).toBe(1);
    expect(err).toContain('a newer file (day2-normal.csv');
    const listed = (await feed('runs')).out;
    expect(listed).toContain('nothing waits: a newer file was taken in since');
    expect(listed).not.toContain('feed release');
  });

  it.each([
    [
      ['run', caseFile('vauto.csv'), '--feed', 'homnet'],
      'there is no feed "homnet"; did you mean "homenet"?',
    ],
    [['runs'], 'no bridge has run with this data folder'],
    [['release', 'run_unknown'], 'no bridge has run with this data folder'],
  ])('%j says what is wrong', async (words, message) => {
    const { code, err } = await feed(...words);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});
