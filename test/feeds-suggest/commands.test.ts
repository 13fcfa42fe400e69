import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Preview } from '../../src/feeds/preview.ts';
import type { Suggestion } from '../../src/feeds/suggest/suggest.ts';
import { caseFile, data, feed, inFolder, useTemporaryFolder } from './feed-command.ts';

useTemporaryFolder();

describe('feed suggest', () => {
  it('writes a profile that feed preview takes at once, and never over another file', async () => {
    const profile = inFolder('mine.yaml');
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
    const profile = inFolder('images.yaml');
    const { code, out } = await feed('suggest', caseFile('carscom-images.txt'), '--out', profile);
    expect(code).toBe(1);
    expect(out).toContain('No column found for: ');
    expect(await readFile(profile, 'utf8')).toContain('which column is the make?');
  });
});
