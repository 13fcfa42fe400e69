import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkAdapter } from '../../src/adapters/contract-checks.ts';

const ADAPTERS = fileURLToPath(new URL('../../adapters/', import.meta.url));

/** All that we ship, the templates included, keep what a vendor's must keep. */
const SHIPPED = ['crm', 'feeds', 'templates/crm', 'templates/feeds'].flatMap((place) =>
  readdirSync(`${ADAPTERS}${place}`)
    .filter((name) => name !== 'presets' && name !== 'profiles')
    .map((name) => `${place}/${name}`),
);

test('adapters for every way to hand over a lead are shipped', () => {
  expect(SHIPPED).toEqual(
    expect.arrayContaining(['crm/adf-email', 'crm/adf-file', 'crm/adf-http', 'templates/crm/larkspur']),
  );
});

test.each(SHIPPED)('%s keeps the contract', async (name) => {
  const { results } = await checkAdapter(`${ADAPTERS}${name}`);
  expect(results.flatMap(({ problems }) => problems.map(({ message }) => message))).toEqual([]);
});
