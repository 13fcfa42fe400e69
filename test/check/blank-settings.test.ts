import { expect, it } from 'vitest';
import { blankSettings } from '../../src/bridge/support/blank-settings.ts';

it('keeps what helps and blanks what opens doors', () => {
  const { value, secrets } = blankSettings({
    dealer: { name: 'Pass Motors', website: 'https://www.example.com/token' },
    server: { port: 8080, public_url: 'https://agent.example.com' },
    access: {
      require_token: 'all',
      tokens_file: 'tokens.yaml',
      tokens: [{ name: 'buyer', hash: 'sha256:0' }],
    },
    feeds: [
      { source: { kind: 'http', url: 'https://me:pw99@files.example/export/4711.csv?k=1', user: 'bridge' } },
    ],
    leads: {
      destinations: [
        {
          options: {
            password: 123456,
            auth: { kind: 'basic', user: 'bridge', password: '${env:CRM}' },
            headers: { 'X-Store': 'store-4711-north' },
            note: 'see http://crm.example/a-long-secret-path for more',
            store: 'c0ffee4711c0ffee4711c0ffee',
            private_key: '-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----',
            prefix: 'Bearer ${env:CRM}',
            timeout_seconds: 30,
          },
        },
      ],
    },
  });
  expect(value).toEqual({
    dealer: { name: 'Pass Motors', website: 'https://www.example.com/token' },
    server: { port: 8080, public_url: 'https://agent.example.com' },
    access: {
      require_token: 'all',
      tokens_file: 'tokens.yaml',
      tokens: [{ name: '[removed]', hash: '[removed]' }],
    },
    feeds: [{ source: { kind: 'http', url: 'https://files.example/[removed]', user: '[removed]' } }],
    leads: {
      destinations: [
        {
          options: {
            password: '[removed]',
            auth: { kind: 'basic', user: '[removed]', password: '${env:CRM}' },
            headers: { 'X-Store': '[removed]' },
            note: 'see http://crm.example/[removed] for more',
            store: '[removed]',
            private_key: '[removed]',
            prefix: 'Bearer ${env:CRM}',
            timeout_seconds: 30,
          },
        },
      ],
    },
  });
  // Common words are blanked, and may stand elsewhere.
  expect(secrets).toEqual(
    expect.arrayContaining(['pw99', '/export/4711.csv?k=1', 'store-4711-north', '123456']),
  );
  expect(secrets).not.toContain('bridge');
  expect(secrets).not.toContain('basic');
  expect(secrets).not.toContain('buyer');
});
