import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { secretsOf } from '../../src/adapters/checks/secret-options.ts';
import { optionsHelp } from '../../src/adapters/options-help.ts';

function schemaOf(adapter: string): Record<string, unknown> {
  const file = new URL(`../../adapters/crm/${adapter}/options.schema.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

it.each([
  [
    'adf-email',
    [
      'smtp.password',
      'smtp.oauth2.client_secret',
      'smtp.oauth2.refresh_token',
      'smtp.oauth2.service_account',
      'dkim.key',
    ],
  ],
  [
    'adf-http',
    [
      'auth.password',
      'auth.token',
      'auth.client_secret',
      'signature.secret',
      'tls.key',
      'tls.passphrase',
      'proxy.password',
    ],
  ],
  ['adf-sftp', ['password', 'private_key', 'passphrase']],
  ['adf-file', []],
])('the settings of %s that are secret are known as such', (adapter, expected) => {
  const settings = optionsHelp(schemaOf(adapter));
  expect(settings.filter(({ isSecret }) => isSecret).map(({ path }) => path)).toEqual(expected);
});

it('finds secrets by the mark in the schema, also behind a reference, and by their name', () => {
  const options = {
    url: 'https://crm.example/leads',
    auth: { kind: 'basic', user: 'somebody', password: 'planted-1' },
    tls: { key: 'planted-2', cert: 'not secret' },
    json: { api_key: 'planted-3' },
  };
  expect(secretsOf(options, schemaOf('adf-http'))).toEqual(['planted-1', 'planted-2', 'planted-3']);
});
