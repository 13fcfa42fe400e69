import { expect, test } from 'vitest';
import { leadWith } from '../adf/documents.ts';
import { places, shippedAdapter } from './shipped.ts';

const BASE = { host: 'sftp.crm.example', user: 'dealer', password: 's3cret' };
const { adapter, options } = await shippedAdapter('adf-sftp', BASE);

test('one ADF file a lead for the folder on the server', () => {
  expect(adapter.build(leadWith(), options)).toMatchObject({
    kind: 'sftp',
    server: { host: 'sftp.crm.example', port: 22, user: 'dealer', password: 's3cret', timeoutMs: 30_000 },
    folder: '.',
    name: '20260430T110510Z-lead_0001.xml',
    content: expect.stringMatching(/^<\?xml [\s\S]*<\/adf>\n$/) as string,
  });
  expect(adapter.place?.(options)).toEqual({ address: 'sftp://sftp.crm.example:22/.' });
});

test.each([
  [{ password: undefined }, ['password']],
  [{ private_key: 'ssh-ed25519 AAAA' }, ['private_key']],
  [{ passphrase: 'p' }, ['passphrase']],
  [{ name: '{received_at}.xml', folder: 'a\nb' }, ['folder', 'name']],
  [{ name: '{lead_id}{nothing}' }, ['name']],
])('%j is told', async (changes, expected) => {
  const { schemaFaults, problems } = await shippedAdapter(
    'adf-sftp',
    JSON.parse(JSON.stringify({ ...BASE, ...changes })) as object,
  );
  expect([schemaFaults, places(problems)]).toEqual([[], expected]);
});

test('a fingerprint has its form', async () => {
  expect((await shippedAdapter('adf-sftp', { ...BASE, host_key: 'MD5:00' })).schemaFaults).toHaveLength(1);
});

test.each([
  [{ sent: 'yes', stage: 'done' }, 'delivered', false],
  [{ sent: 'maybe', stage: 'rename', error: 'the connection broke off' }, 'uncertain', false],
  [{ sent: 'no', stage: 'connect', error: 'ECONNREFUSED' }, 'retry', false],
  [{ sent: 'no', stage: 'connect', error: 'another key', needsPerson: true }, 'retry', true],
  [{ sent: 'no', stage: 'auth', error: 'refused', needsPerson: true }, 'retry', true],
  [{ sent: 'no', stage: 'upload', error: 'Permission denied' }, 'retry', false],
  [{ sent: 'no', stage: 'rename', error: 'Failure' }, 'retry', false],
] as const)('%j', (outcome, state, pause) => {
  const verdict = adapter.classify({ kind: 'sftp', ...outcome }, options);
  expect([verdict.state, verdict.pauseDestination ?? false]).toEqual([state, pause]);
});
