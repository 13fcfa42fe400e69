import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { readPrometheusText, valueOf } from '../health/prometheus-text.ts';
import { startHttp } from '../leads/crm-servers.ts';
import { BridgeProcess, eventually, filesIn, payloadOf } from './bridge-process.ts';
import { leadRequest, writeDealership } from './dealership.ts';

const HEADER = 'vin,stock,year,make,model,condition,list_price\n';
const GOOD = `${HEADER}1FTFW5L82TFA90101,HP2601,2026,Ford,F-150,new,56345\n`;
const PICKUP = `    - id: pickup
      adapter: adf-file
      options: { folder: pickup }`;

const bridges: BridgeProcess[] = [];
function bridgeWith(
  destinations: string,
  settings = '',
  environment: Record<string, string> = {},
): BridgeProcess {
  const configFile = writeDealership(destinations, settings);
  const bridge = new BridgeProcess({ configFile, environment });
  bridges.push(bridge);
  return bridge;
}
afterEach(async () => {
  for (const bridge of bridges.splice(0)) await bridge.dispose();
});

async function drop(bridge: BridgeProcess, name: string, text: string, folder: string): Promise<void> {
  writeFileSync(bridge.path('inbox', 'stock', name), text);
  await eventually(`${name} is in ${folder}/`, async () => {
    const names = await filesIn(bridge.path(folder, 'stock'));
    return names.some((entry) => entry.includes(name)) ? true : undefined;
  });
}

it('tells the public port little, the admin port everything, and Prometheus numbers', async () => {
  const bridge = bridgeWith(PICKUP);
  await bridge.start();
  await drop(bridge, 'good.csv', GOOD, 'done');
  expect(await (await fetch(`${bridge.url}/health`)).json()).toEqual({ status: 'ok' });
  expect(await (await fetch(`${bridge.url}/health/live`)).json()).toEqual({ live: true });
  expect(await (await fetch(`${bridge.url}/health/ready`)).json()).toEqual({ ready: true });
  expect((await fetch(`${bridge.url}/health/ready`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${bridge.url}/metrics`)).status).toBe(404);

  await bridge.ask({ type: 'inventory.search.request' });
  expect(payloadOf(await bridge.ask(leadRequest())).data.status).toBe('received');
  expect(payloadOf(await bridge.ask(leadRequest())).data.status).toBe('duplicate');
  await bridge.post('{');
  const text = await eventually('the lead is counted as delivered', async () => {
    const metrics = await (await fetch(`${bridge.adminUrl}/metrics`)).text();
    return metrics.includes('deliveries{state="delivered"} 1') ? metrics : undefined;
  });
  const samples = readPrometheusText(text);
  const at = (name: string, labels?: Record<string, string>) =>
    valueOf(samples, `dealer_bridge_${name}`, labels);
  expect(at('requests_total', { skill: 'inventory.search', code: 'ok' })).toBe(1);
  expect(at('requests_total', { skill: 'lead.submit', code: 'ok' })).toBe(2);
  expect(at('requests_total', { skill: 'none' })).toBe(1);
  expect(at('request_duration_seconds_count', { skill: 'lead.submit' })).toBe(2);
  expect(at('leads_total', { type: 'general', result: 'accepted' })).toBe(1);
  expect(at('leads_total', { type: 'general', result: 'repeated' })).toBe(1);
  expect(at('delivery_attempts_total', { destination: 'pickup', verdict: 'delivered' })).toBe(1);
  expect(at('feed_runs_total', { feed: 'stock', result: 'ok' })).toBe(1);
  expect(at('feed_rows_total', { feed: 'stock', result: 'accepted' })).toBe(1);
  expect(text).not.toMatch(/anna|lee@|4155550123|test-agent/i);
});

it('alerts once for a file that was refused, not again after a restart, and once more when it is over', async () => {
  const hook = await startHttp((_request, response) => response.writeHead(204).end());
  const bridge = bridgeWith(PICKUP, `alerts:\n  disk_free_mb: 10\n  webhook: { url: ${hook.url}/hook }\n`);
  const told = () =>
    hook.received.map(({ body }) => {
      const { raised, resolved } = JSON.parse(body) as Record<'raised' | 'resolved', { key: string }[]>;
      return [raised, resolved].map((list) => list.map(({ key }) => key));
    });
  await bridge.start();
  await drop(bridge, 'empty.csv', '', 'failed');
  await bridge.stop();

  await bridge.start();
  await eventually('the webhook is called', () => (told().length > 0 ? true : undefined));
  expect(told()).toEqual([[['file-refused:stock'], []]]);
  await bridge.stop();
  await bridge.start();
  await drop(bridge, 'good.csv', GOOD, 'done');
  await bridge.stop();
  expect(told()).toHaveLength(1);

  await bridge.start();
  await eventually('the end is told', () => (told().length > 1 ? true : undefined));
  expect(told()[1]).toEqual([[], ['file-refused:stock']]);
});

describe('the log files hold nothing of', () => {
  const SECRETS = {
    CRM_TOKEN: 'token-of-the-crm-5f1',
    HOOK: 'hook-secret-9c2',
    HOOK_TOKEN: 'bearer-of-the-hook-77',
  };
  const CUSTOMER = {
    first_name: 'Wilhelmina',
    last_name: 'Underhill-Zoë',
    email: 'wilma.underhill@mail.example',
    phone: '+14155550199',
  };

  it('a customer, a login or a secret, whatever the CRM answers and callers send', async () => {
    const words = Object.values(CUSTOMER).join(' ');
    const crm = await startHttp(({ headers, body }, response, number) => {
      // It quotes all it knows, in one status after the other, and shuts us out at last.
      const status = number > 6 ? 401 : ([429, 500, 503][number % 3] ?? 500);
      response
        .writeHead(status, { 'X-Echo': String(headers.authorization) })
        .end(`no such customer ${words}; you sent ${headers.authorization} and ${body}`);
    });
    const hook = await startHttp((_request, response) => response.writeHead(500).end(words));
    const bridge = bridgeWith(
      `    - id: crm
      adapter: adf-http
      retry: { first_seconds: 1, max_minutes: 1 }
      options:
        url: ${crm.url}/leads?key=in-the-query-31
        auth: { kind: bearer, token: "\${env:CRM_TOKEN}" }`,
      `log: { level: debug }
alerts:
  disk_free_mb: 10000000
  webhook: { url: "${hook.url}/services/\${env:HOOK}", token: "\${env:HOOK_TOKEN}" }
`,
      SECRETS,
    );
    await bridge.start();
    const submit = (changes: object) => bridge.ask(leadRequest({ customer: CUSTOMER, ...changes }));
    for (let number = 0; number < 6; number++)
      await submit({ message: `Wilhelmina asks ${number}`, vehicle_of_interest: { year: 2000 + number } });
    await submit({ customer: { ...CUSTOMER, email: 'not an address of wilma' } });
    await fetch(`${bridge.url}/a2a?who=${CUSTOMER.email}`, {
      method: 'POST',
      headers: { authorization: 'Bearer caller-token-4711', 'content-type': 'application/json' },
      body: `{"customer": "${CUSTOMER.email}`,
    });
    await fetch(`${bridge.url}/mcp`, {
      method: 'POST',
      headers: { authorization: 'Basic d2lsbWE6c2VjcmV0MQ==', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: CUSTOMER.email, params: CUSTOMER }),
    });
    const log = await eventually('all was tried', async () => {
      const text = await bridge.log();
      return crm.received.length > 6 && hook.received.length > 0 && text.includes('alerts cannot be sent')
        ? text
        : undefined;
    });
    expect(crm.received[0]?.headers.authorization).toBe(`Bearer ${SECRETS.CRM_TOKEN}`);
    expect(log).toContain('the CRM answered');
    const forbidden = [
      'Wilhelmina',
      'Underhill',
      'wilma',
      '4155550199',
      ...Object.values(SECRETS),
      'in-the-query-31',
      'caller-token-4711',
      'd2lsbWE6c2VjcmV0MQ',
    ];
    const everything = log + bridge.output;
    expect(forbidden.filter((word) => everything.toLowerCase().includes(word.toLowerCase()))).toEqual([]);
    for (const line of log.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });
});
