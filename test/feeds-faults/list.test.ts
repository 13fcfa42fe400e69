import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FAULTS, PLACES } from './faults.ts';

it('the list has all 54 field problems, and a file of tests for each place', async () => {
  expect(Object.keys(FAULTS).map(Number)).toEqual(Array.from({ length: 54 }, (_, index) => index + 1));
  const files = await readdir(import.meta.dirname);
  for (const place of PLACES.filter((each) => each !== 'supplements')) {
    const text = await readFile(path.join(import.meta.dirname, `${place}.test.ts`), 'utf8');
    expect(text).toContain(`faultsAt('${place}'`);
  }
  // Number 44, photos that come in a file of their own, is tested with the companion feeds.
  expect(
    Object.entries(FAULTS)
      .filter(([, { place }]) => place === 'supplements')
      .map(([n]) => n),
  ).toEqual(['44']);
  expect(files).toContain('faults.ts');
});
