import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Explanation } from '../../src/cli/feed-explain-text.ts';
import { runProgram } from '../../src/cli/program.ts';
import type { Preview } from '../../src/feeds/preview.ts';
import type { Suggestion } from '../../src/feeds/suggest/suggest.ts';
import { CASES_FOLDER } from '../feeds-intake/case-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'suggest-commands-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** In this process, for speed; with the demo's settings, which know the rooftops of the case files. */
async function feed(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const hear = (stream: 'out' | 'err') => (text: string | Uint8Array) => {
    said[stream] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(hear('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(hear('err')),
    vi.spyOn(console, 'log').mockImplementation((text: string) => hear('out')(`${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text: string) => hear('err')(`${text}\n`)),
  ];
  try {
    return { code: await runProgram(['feed', ...words]), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

function caseFile(name: string): string {
  return path.join(CASES_FOLDER, name);
}

function data(): string[] {
  return ['--data', path.join(folder, 'data')];
}

describe('feed suggest', () => {
  it('writes a profile that feed preview takes at once, and never over another file', async () => {
    const profile = path.join(folder, 'mine.yaml');
    const file = caseFile('quirks/columns-renamed.csv');
    const first = await feed('suggest', file, '--out', profile);
    expect({ code: first.code, err: first.err }).toEqual({ code: 0, err: '' });
    expect(first.out).toContain('      Used  ->  cpo\n');
    expect(first.out).toContain(`The profile is in ${profile}.`);
    const preview = await feed('preview', file, '--profile', profile, '--json', ...data());
    expect(preview.code).toBe(0);
    expect(JSON.parse(preview.out) as Preview).toMatchObject({ accepted: 10, rejected: 0 });

    await writeFile(profile, '# my work\n');
    const second = await feed('suggest', file, '--out', profile);
    expect(second.code).toBe(1);
    expect(second.err).toContain('is not overwritten');
    expect(await readFile(profile, 'utf8')).toBe('# my work\n');
  });

  it('tells programs everything as JSON', async () => {
    const { code, out } = await feed('suggest', caseFile('DVD00002_20260916_0808_INV.csv'), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out) as Suggestion).toMatchObject({
      file: { name: 'DVD00002_20260916_0808_INV.csv', reader: 'csv', delimiter: '\t', rows: 12 },
      neverPublished: ['Cost'],
      unknown: ['Location'],
    });
  });

  it.each([
    [caseFile('quirks/html-error-page.csv'), 'web page'],
    [caseFile('quirks/zip-slip.zip'), ''],
    ['no-such-file.csv', 'could not be read'],
  ])('refuses %s with exit code 1', async (file, message) => {
    const { code, out, err } = await feed('suggest', file);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
    expect(err).not.toBe('');
  });

  it('ends with 1 when a column that every listing needs is not found, and still writes', async () => {
    const profile = path.join(folder, 'images.yaml');
    const { code, out } = await feed('suggest', caseFile('carscom-images.txt'), '--out', profile);
    expect(code).toBe(1);
    expect(out).toContain('No column found for: ');
    expect(await readFile(profile, 'utf8')).toContain('which column is the make?');
  });
});

describe('feed explain', () => {
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
    const file = path.join(folder, 'next.csv');
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

  it('tells every vehicle that carries a number', async () => {
    const before = await readFile(caseFile('quirks/snapshots/day1.csv'), 'utf8');
    const file = path.join(folder, 'twins.csv');
    await writeFile(file, before.replace('"HP2602"', '"HP2601"'));
    await takeIn(file);
    const { vehicles } = await explain('HP2601');
    expect(vehicles.map(({ vin }) => vin).sort()).toEqual(['1FTFW5L82TFA90101', '1FTVW5LV2TWA90102']);
  });

  it('passes over reports that it cannot read, and knows nothing of what never was', async () => {
    await takeIn(caseFile('quirks/snapshots/day1.csv'));
    await writeFile(path.join(folder, 'data/done/homenet/99999999-x.csv.report.json'), '{"half');
    const { code, vehicles, feeds } = await explain('NOSUCHCAR');
    expect({ code, vehicles, feeds }).toEqual({ code: 1, vehicles: [], feeds: [] });
    expect((await feed('explain', 'NOSUCHCAR', ...data())).out).toContain('Nothing is known of NOSUCHCAR');
  });

  it('says so when no bridge has run with the data folder', async () => {
    const { code, err } = await feed('explain', 'HP2601', ...data());
    expect(code).toBe(1);
    expect(err).toContain('no bridge has run with this data folder');
  });
});
