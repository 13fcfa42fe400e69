import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadFeedReader } from '../../src/adapters/loader.ts';
import { decodedText, runReader } from '../feeds/reader-run.ts';

const ENDING = '.options.json';

describe.each(['csv', 'xml'])('the %s reader', (name) => {
  const folder = new URL(`../../adapters/feeds/${name}/`, import.meta.url);
  const fixtures = readdirSync(new URL('fixtures/', folder))
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length));
  const read = (file: string): string => readFileSync(new URL(`fixtures/${file}`, folder), 'utf8');

  test.each(fixtures)(
    'gives exactly what the fixture %s says, however it is cut into chunks',
    async (fixture) => {
      const loaded = await loadFeedReader(name, [fileURLToPath(new URL('../../', folder))]);
      if (!loaded.ok) throw new Error(loaded.problems[0]?.message);
      const options: unknown = JSON.parse(read(`${fixture}${ENDING}`));
      expect(loaded.value.checkOptions(options)).toEqual([]);
      const expected: unknown = JSON.parse(read(`${fixture}.rows.json`));
      for (const chunk of [1, 7, 65_536]) {
        const { rows, columns, warnings } = await runReader(
          loaded.value.reader,
          decodedText(read(`${fixture}.txt`), chunk),
          options,
        );
        expect({ columns, warnings, rows }).toEqual(expected);
      }
    },
  );
});
