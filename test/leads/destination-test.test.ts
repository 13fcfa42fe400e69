import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { leadsDatabaseFile } from '../../src/leads/store.ts';
import { readLogs } from '../runtime/read-logs.ts';
import { startHttp, startSmtp } from './crm-servers.ts';
import { temporaryFolder } from './lead-harness.ts';

/** Settings with one destination, and the command on it. */
function settings(destination: string) {
  const folder = temporaryFolder();
  const config = join(folder, 'bridge.yaml');
  const data = join(folder, 'data');
  writeFileSync(
    config,
    `dealer:
  id: group
  name: Coastal Auto Group
  rooftops:
    - { id: HPM01, name: Harbor Point Motors, timezone: America/Los_Angeles }
feeds: []
leads:
  destinations:
    - ${destination.trim().replaceAll('\n', '\n      ')}
`,
  );
  const test = (...words: string[]) =>
    runCommand(['destination', 'test', ...words, '--config', config, '--data', data]);
  return { data, test };
}

function httpSettings(url: string): string {
  return `
id: crm
adapter: adf-http
options:
  url: ${url}/leads?store=7
  auth: { kind: query, name: token, token: planted-secret-1 }
  signature: { header: X-Sig, secret: planted-secret-2 }
  answer: { rules: [{ json: /parseOk, equals: true }], reference: { json: /leadId } }`;
}

it('sends a marked lead by the real way, tells the reference and leaves a line in the log only', async () => {
  const crm = await startHttp((_request, response) => response.end('{"parseOk":true,"leadId":"CRM-7"}'));
  const { test, data } = settings(httpSettings(crm.url));
  const { code, out, err } = await test('crm');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('Delivered: the CRM answered 200.');
  expect(out).toContain('The CRM calls it CRM-7.');
  expect(crm.received).toHaveLength(1);
  expect(crm.received[0]!.url).toBe('/leads?store=7&token=planted-secret-1');
  for (const mark of ['TEST', 'Please ignore', 'test-lead@example.com', 'There is no customer.']) {
    expect(crm.received[0]!.body.replaceAll(/\s+/g, ' ')).toContain(mark);
  }
  expect(existsSync(leadsDatabaseFile(data))).toBe(false);
  await endOfTurn();
  const line = JSON.parse(readLogs(data));
  expect(line).toMatchObject({
    msg: 'test lead tried',
    destination: 'crm',
    verdict: 'delivered',
    level: 'info',
  });
  expect(out).toContain(line.lead_id);
});

it('explains a 200 that is none, and exits with 1', async () => {
  const crm = await startHttp((_request, response) => response.end('{"parseOk":false}'));
  const { code, out } = await settings(httpSettings(crm.url)).test('crm');
  expect(code).toBe(1);
  expect(out).toContain(
    'Refused for good: the CRM answered 200, but its answer breaks rule 1 of the settings; it says: parseOk: false.',
  );
  expect(out).toContain('What to do: Compare its answer with answer.rules.');
});

it('explains why Microsoft 365 refuses a password, and that the destination would pause', async () => {
  const { port } = await startSmtp({
    onAuth: (_auth, _session, done) =>
      done(
        Object.assign(
          new Error(
            '5.7.139 Authentication unsuccessful, basic authentication is disabled. planted-secret-3',
          ),
          {
            responseCode: 535,
          },
        ),
      ),
  });
  const { test, data } = settings(`
id: crm
adapter: adf-email
options:
  smtp: { host: 127.0.0.1, port: ${port}, security: none, user: leads, password: planted-secret-3 }
  from: { address: leads@harborpoint.example }
  to: [{ address: store@crm.example }]`);
  const { code, out, err } = await test('crm');
  expect(code).toBe(1);
  expect(out).toContain('What it means: Microsoft 365 refuses logins by password');
  expect(out).toContain('What to do: Use smtp.oauth2 with provider microsoft');
  expect(out).toContain('hold back all leads');
  await endOfTurn();
  const log = readLogs(data);
  expect(out + err + log).not.toContain('planted-secret-3');
});

it('shows what it would send, without secrets, and sends nothing', async () => {
  const crm = await startHttp((_request, response) => response.end());
  const { test, data } = settings(httpSettings(crm.url));
  const { code, out } = await test('crm', '--dry-run');
  expect(code).toBe(0);
  expect(out).toContain(`POST ${crm.url}/leads?store=7&token=[secret]\n`);
  expect(out).toContain('<name part="last" type="individual">Please ignore</name>');
  expect(out).not.toContain('planted-secret');
  expect(crm.received).toEqual([]);
  expect(existsSync(join(data, 'logs'))).toBe(false);
});

it.each(['a', 'abc', 'abcde', 'abc%20d'])(
  'shows no token, however short: %s, in a query or a header',
  async (token) => {
    const query = settings(httpSettings('https://crm.example').replace('planted-secret-1', token));
    expect((await query.test('crm', '--dry-run')).out).toContain('/leads?store=7&token=[secret]\n');
    const header = settings(
      httpSettings('https://crm.example').replace(
        'auth: { kind: query, name: token, token: planted-secret-1 }',
        `auth: { kind: header, name: X-Api-Key, token: ${token} }`,
      ),
    );
    const { out } = await header.test('crm', '--dry-run');
    expect(out).toContain('X-Api-Key: [secret]\n');
    expect(out).toMatch(/^Idempotency-Key: test_lead_/m);
  },
);

it('puts the file where the CRM looks for it', async () => {
  const { test, data } = settings('id: pickup\nadapter: adf-file\noptions: { folder: outgoing }');
  expect(await test('pickup')).toMatchObject({ code: 0 });
  expect(readdirSync(join(data, 'outgoing'))).toHaveLength(1);
});

it('names the destinations and rooftops there are', async () => {
  const { test } = settings('id: pickup\nadapter: adf-file\noptions: { folder: outgoing }');
  expect(await test('crm')).toMatchObject({
    code: 1,
    err: 'There is no destination "crm"; the settings have pickup.\n',
  });
  expect(await test('pickup', '--rooftop', 'X')).toMatchObject({
    code: 1,
    err: 'There is no rooftop "X"; the settings have HPM01.\n',
  });
});
