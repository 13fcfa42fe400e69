import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startHttp, startSmtp } from '../leads/crm-servers.ts';
import { temporaryFolder } from '../leads/lead-harness.ts';
import { runCommand } from './run-command.ts';

function alertsTest(alerts: string) {
  const folder = temporaryFolder();
  const config = join(folder, 'bridge.yaml');
  writeFileSync(
    config,
    `dealer: { id: group, name: Coastal Auto Group, rooftops: [{ id: ONE, name: One, timezone: UTC }] }
feeds: []
leads: { destinations: [{ id: crm, adapter: adf-file, options: { folder: out } }] }
${alerts}`,
  );
  return runCommand(['alerts', 'test', '--config', config, '--data', join(folder, 'data')]);
}

it('sends a marked message over each way', async () => {
  const [smtp, http] = [await startSmtp(), await startHttp((_request, response) => response.end())];
  const { code, out, err } = await alertsTest(
    `alerts:
  mail: { host: 127.0.0.1, port: ${smtp.port}, security: none, from: a@dealer.example, to: [it@dealer.example] }
  webhook: { url: "${http.url}/hook", token: planted-secret-1 }`,
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^mail: sent\. .*\nwebhook: sent\. /);
  expect(smtp.received[0]!.mail.subject).toBe('[dealer-bridge] TEST of the alerts at Coastal Auto Group');
  expect(JSON.parse(http.received[0]!.body)).toMatchObject({ test: true, from: 'Coastal Auto Group' });
  expect(http.received[0]!.headers.authorization).toBe('Bearer planted-secret-1');
});

it('says what is wrong and what to do, way by way, without the secrets', async () => {
  const http = await startHttp((_request, response) => response.writeHead(404).end('planted-secret-1'));
  const { code, out } = await alertsTest(
    `alerts:
  mail: { host: 127.0.0.1, port: 1, security: none, from: a@dealer.example, to: [it@dealer.example] }
  webhook: { url: "${http.url}/hook/planted-secret-1" }`,
  );
  expect(code).toBe(1);
  expect(out).toMatch(/^mail: not sent: .*ECONNREFUSED.*\n {2}What it means: The machine is there/);
  expect(out).toContain(
    'webhook: not sent: the webhook answered with status 404\n  What it means: There is no webhook',
  );
  expect(out).not.toContain('planted-secret');
});

it('says that nobody is told when there is no way', async () => {
  const { code, err } = await alertsTest('');
  expect(code).toBe(1);
  expect(err).toContain('neither alerts.mail nor alerts.webhook');
});
