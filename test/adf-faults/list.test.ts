import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FAULTS, PLACES } from './faults.ts';

it('the list has all 31 reported problems, and a file of tests for each place', async () => {
  expect(Object.keys(FAULTS).map(Number)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
  for (const place of PLACES) {
    const text = await readFile(path.join(import.meta.dirname, `${place}.test.ts`), 'utf8');
    expect(text).toContain(`faultsAt('${place}'`);
  }
});
