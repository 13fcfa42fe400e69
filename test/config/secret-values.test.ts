import { expect, it } from 'vitest';
import { secretsOf } from '../../src/config/secret-values.ts';
import type { Config } from '../../src/config/config.ts';

it.each([
  ['https://hooks.example/services/T0/B1/x9', ['/services/T0/B1/x9']],
  ['https://alerts.example/alerts', []],
  ['https://alerts.example', []],
])('of the address %s of a webhook what nobody may read is %j', (url, secrets) => {
  const config = { server: {}, feeds: [], leads: { destinations: [] }, alerts: { webhook: { url } } };
  expect(secretsOf(config as unknown as Config)).toEqual(secrets);
});
