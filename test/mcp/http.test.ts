import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { bearer, tokenEntry, withAccess } from '../access/tokens.ts';
import type { DealershipOptions } from '../agent/dealership.ts';
import { SOLD_VIN } from '../agent/dealership.ts';
import { leadRequest, VIN } from '../agent/payloads.ts';
import { openLiveAgent, speakRaw } from '../web/live-agent.ts';
import type { LiveAgent } from '../web/live-agent.ts';
import { aapErrorOf, callTool, httpClient } from './mcp-client.ts';

const opened: { close(): Promise<void> }[] = [];
async function open(options: DealershipOptions = {}): Promise<LiveAgent> {
  const agent = await openLiveAgent(options);
  opened.unshift(agent);
  return agent;
}
async function connect(agent: LiveAgent, headers?: Record<string, string>) {
  const client = await httpClient(agent.origin, headers);
  opened.unshift(client);
  return client;
}
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const ACCEPT = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };
const PING = { jsonrpc: '2.0', id: 'p-1', method: 'ping' };

interface RpcAnswer {
  jsonrpc: string;
  id: unknown;
  result?: { isError?: boolean; content: [{ text: string }] };
  error?: { code: number; message: string; data?: { code: string } };
}

async function post(agent: LiveAgent, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${agent.origin}/mcp`, {
    method: 'POST',
    headers: { ...ACCEPT, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: JSON.parse(text === '' ? 'null' : text) as RpcAnswer,
  };
}

function toolCall(name: string, given: object, id: string | number = 'c-1') {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } };
}

/** With a Host of one's own, which fetch does not allow. */
function postAs(agent: LiveAgent, host: string, more: string[] = []): Promise<string> {
  const body = JSON.stringify(PING);
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: ${host}`,
    'Connection: close',
    ...Object.entries(ACCEPT).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    ...more,
  ];
  return speakRaw(agent.port, `${head.join('\r\n')}\r\n\r\n${body}`);
}

const withMcp =
  (changes: Partial<Config['mcp']>) =>
  (config: Config): Config => ({ ...config, mcp: { ...config.mcp, ...changes } });

describe('clients', () => {
  it('with equal ids in parallel get their own answers', async () => {
    const agent = await open();
    const [finder, loser] = await Promise.all([connect(agent), connect(agent)]);
    const rounds = Array.from({ length: 100 }, async () => {
      const [found, gone] = await Promise.all([
        callTool(finder, 'aap_inventory_vehicle', { vin: VIN }),
        callTool(loser, 'aap_inventory_vehicle', { vin: SOLD_VIN }),
      ]);
      expect(found.structuredContent).toMatchObject({ data: { vin: VIN } });
      expect(aapErrorOf(gone).code).toBe('VEHICLE_UNAVAILABLE');
    });
    await Promise.all(rounds);
    const sameId = await Promise.all([
      post(agent, toolCall('aap_inventory_vehicle', { vin: VIN }, 7)),
      post(agent, toolCall('aap_inventory_vehicle', { vin: SOLD_VIN }, 7)),
    ]);
    expect(sameId.map(({ json }) => [json.id, json.result?.isError])).toEqual([
      [7, undefined],
      [7, true],
    ]);
  });

  it('may call again and again, on one connection and without a session', async () => {
    const agent = await open();
    const client = await connect(agent);
    for (let round = 0; round < 3; round += 1) {
      expect((await callTool(client, 'aap_dealer_information')).isError).toBeUndefined();
    }
    expect((await post(agent, toolCall('aap_dealer_information', {}))).json.result).toBeDefined();
    expect((await post(agent, PING)).headers.get('mcp-session-id')).toBeNull();
  });

  it('that hang up in the middle of a call do no harm to the next', async () => {
    const asked = Promise.withResolvers<undefined>();
    const answer = Promise.withResolvers<undefined>();
    const agent = await open({
      submit: async () => {
        asked.resolve(undefined);
        await answer.promise;
        return { kind: 'refused', code: 'IDEMPOTENCY_CONFLICT', message: 'taken' };
      },
    });
    const hangUp = new AbortController();
    const call = fetch(`${agent.origin}/mcp`, {
      method: 'POST',
      headers: ACCEPT,
      body: JSON.stringify(toolCall('aap_lead_submit', leadRequest())),
      signal: hangUp.signal,
    });
    await asked.promise;
    hangUp.abort();
    await expect(call).rejects.toThrow();
    answer.resolve(undefined);
    expect((await post(agent, PING)).json).toEqual({ jsonrpc: '2.0', id: 'p-1', result: {} });
  });

  it('are greeted with the dealer’s name and the version they asked for', async () => {
    const agent = await open();
    const client = await connect(agent);
    expect(client.getServerVersion()).toEqual({
      name: 'dealer-bridge',
      title: 'Harbor Group',
      version: '0.1.0',
    });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    for (const [asked, served] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-06-18', '2025-06-18'],
      ['1.0', '2025-11-25'],
    ]) {
      const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
      const { json } = await post(agent, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
      expect(json.result).toMatchObject({ protocolVersion: served });
    }
  });
});

describe('requests that HTTP says no to', () => {
  it.each(['GET', 'DELETE', 'PUT', 'HEAD'])('%s gets 405', async (method) => {
    const agent = await open();
    const response = await fetch(`${agent.origin}/mcp`, { method, headers: { Accept: 'text/event-stream' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    const text = await response.text();
    if (method === 'HEAD') expect(text).toBe('');
    else expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
  });

  it.each<[string, number, number, unknown, Record<string, string>]>([
    ['broken JSON', 400, -32700, '{"jsonrpc":', {}],
    ['an empty body', 400, -32700, '', {}],
    ['no message of JSON-RPC', 400, -32700, { hello: 1 }, {}],
    ['null', 400, -32700, 'null', {}],
    ['a batch', 400, -32600, [PING, PING], {}],
    ['an empty batch', 400, -32600, [], {}],
    ['JSON alone accepted', 406, -32000, PING, { Accept: 'application/json' }],
    ['a stream alone accepted', 406, -32000, PING, { Accept: 'text/event-stream' }],
    ['another Content-Type', 415, -32000, PING, { 'Content-Type': 'text/plain' }],
    ['another version of MCP', 400, -32000, PING, { 'MCP-Protocol-Version': '2001-01-01' }],
    ['too large a body', 413, -32600, JSON.stringify('x'.repeat(300_000)), {}],
  ])('%s gets a status of its own and a JSON error', async (_what, status, code, body, headers) => {
    const agent = await open();
    const reply = await post(agent, body, headers);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(reply.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
    expect(reply.text).not.toMatch(/node_modules|at .*\(/);
  });

  it('nests deeply and is told so without a crash', async () => {
    const agent = await open();
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const body = JSON.stringify(toolCall('aap_inventory_search', { filters: 0 })).replace('0}', `${deep}}`);
    const { status, json } = await post(agent, body);
    expect(status).toBe(200);
    expect(JSON.parse(json.result?.content[0].text ?? '')).toMatchObject({
      code: 'SCHEMA_VALIDATION_FAILED',
    });
  });
});

it('a notification is taken with 202 and no body', async () => {
  const agent = await open();
  const { status, text } = await post(agent, { jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([status, text]).toEqual([202, '']);
});

it('an unknown method is told by its JSON-RPC number', async () => {
  const agent = await open();
  const { status, json } = await post(agent, { jsonrpc: '2.0', id: 1, method: 'resources/list' });
  expect([status, json.id, json.error?.code]).toEqual([200, 1, -32601]);
});

describe('arguments that are no object', () => {
  it.each<[string, unknown, string]>([
    ['a list', [], 'must be an object'],
    ['a text', 'vin', 'must be an object'],
    ['a number', 0, 'must be an object'],
    ['a boolean', false, 'must be an object'],
  ])('are told as any other fault of the request: %s', async (_what, given, said) => {
    const agent = await open();
    const params = { name: 'aap_inventory_search', arguments: given };
    const { status, json } = await post(agent, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect([status, json.error, json.result?.isError]).toEqual([200, undefined, true]);
    const error = JSON.parse(json.result?.content[0].text ?? '') as object;
    expect(error).toMatchObject({ type: 'aap.error', code: 'SCHEMA_VALIDATION_FAILED', retryable: false });
    expect(error).toMatchObject({
      details: { errors: [{ instanceLocation: '', keyword: 'type', error: said }] },
    });
  });

  it('are none when they are null, as some hosts write it', async () => {
    const agent = await open();
    const params = { name: 'aap_dealer_information', arguments: null };
    const { json } = await post(agent, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(json.result).toMatchObject({ structuredContent: { type: 'dealer.information.response' } });
  });
});

describe('requests without the form that MCP gives them', () => {
  it.each<[string, string, unknown]>([
    ['a call without the name of a tool', 'tools/call', {}],
    ['a call whose tool is a number', 'tools/call', { name: 5 }],
    ['a call without params', 'tools/call', undefined],
    ['a list from a place that is no text', 'tools/list', { cursor: 5 }],
    ['a greeting without params', 'initialize', undefined],
    ['a greeting that is half said', 'initialize', { protocolVersion: 1, capabilities: null }],
  ])('get -32602 in words of ours: %s', async (_what, method, params) => {
    const agent = await open();
    const { status, json } = await post(agent, { jsonrpc: '2.0', id: 'm-1', method, params });
    expect([status, json.id, json.error?.code]).toEqual([200, 'm-1', -32602]);
    expect(json.error?.message).toMatch(/Invalid params: [^\n{[]+$/);
  });

  it('are answered as any other when they want a task, which the bridge has none of', async () => {
    const agent = await open();
    const params = { name: 'aap_dealer_information', arguments: {}, task: { ttl: 1000 } };
    const { json } = await post(agent, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(json.result).toMatchObject({ structuredContent: { type: 'dealer.information.response' } });
  });
});

it('what MCP itself refuses is logged and counted with its number, not as answered', async () => {
  const lines: { code?: string; skill?: string }[] = [];
  const note = (facts: object): void => void lines.push(facts);
  const agent = await open({ log: { debug: note, info: note, warn: note, error: note } });
  await post(agent, toolCall('aap_no_such_tool', {}));
  await post(agent, { jsonrpc: '2.0', id: 1, method: 'resources/list' });
  await post(agent, PING);
  await post(agent, toolCall('aap_dealer_information', {}));
  await post(agent, PING, { 'Content-Type': 'text/plain' });
  expect(lines.filter(({ code }) => code !== undefined).map(({ code }) => code)).toEqual([
    '-32602',
    '-32601',
    'ok',
    'ok',
    '-32000',
  ]);
});

it('answers carry an id for the log and are not to be kept', async () => {
  const lines: object[] = [];
  const note = (facts: object): void => void lines.push(facts);
  const log = { debug: note, info: note, warn: note, error: note };
  const agent = await open({ log, submit: () => Promise.reject(new Error('the disk is full')) });
  const { headers, json } = await post(agent, toolCall('aap_lead_submit', leadRequest()));
  const requestId = headers.get('x-request-id');
  expect(headers.get('cache-control')).toBe('no-store');
  const error = JSON.parse(json.result?.content[0].text ?? '') as { error_id: string; code: string };
  const told = lines.filter((line) => (line as { request_id?: string }).request_id === requestId);
  expect(told).toMatchObject([
    { error_id: error.error_id, err: { message: 'the disk is full' } },
    {
      status: 200,
      method: 'tools/call',
      skill: 'lead.submit',
      code: 'INTERNAL_ERROR',
      error_id: error.error_id,
    },
  ]);
  expect(JSON.stringify(told)).not.toContain('anna@example.com');
});

it.each(['x'.repeat(200_000), 'ping\r\n{"level":"error"}', '\u009b31m', ''])(
  'a method of no sound form does not get into the log: %#',
  async (method) => {
    const lines: object[] = [];
    const note = (facts: object): void => void lines.push(facts);
    const agent = await open({ log: { debug: note, info: note, warn: note, error: note } });
    const { headers } = await post(agent, { jsonrpc: '2.0', id: 1, method });
    const requestId = headers.get('x-request-id');
    expect(lines).toContainEqual(
      expect.objectContaining({ request_id: requestId, status: 200, method: 'no method of MCP' }),
    );
    expect(JSON.stringify(lines).length).toBeLessThan(1000);
  },
);

describe('a foreign Host', () => {
  it.each([
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '[::2]',
    'a@localhost',
  ])('%s is refused with 403', async (host) => {
    const agent = await open();
    const reply = await postAs(agent, host);
    expect(reply).toMatch(/^HTTP\/1\.1 403 /);
    expect(reply).toContain('"code":-32600');
  });

  it.each(['localhost', 'LOCALHOST:9999', '127.0.0.1', '127.8.8.8:1', '[::1]:8080'])(
    'is not what this machine calls itself: %s',
    async (host) => {
      const agent = await open();
      expect(await postAs(agent, host)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('may be allowed, for every port or for one', async () => {
    const agent = await open({ config: withMcp({ allowed_hosts: ['Bridge.lan', 'other.lan:8080'] }) });
    const status = async (host: string) => (await postAs(agent, host)).slice(9, 12);
    expect(
      await Promise.all(['bridge.lan', 'bridge.LAN:1', 'other.lan:8080', 'other.lan'].map(status)),
    ).toEqual(['200', '200', '200', '403']);
  });

  it('is not the public name nor the address listened on', async () => {
    const agent = await open({
      config: (config) => ({
        ...config,
        server: { ...config.server, public_url: 'https://agent.dealer.example' },
      }),
    });
    expect(await postAs(agent, 'agent.dealer.example')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await postAs(agent, 'agent.dealer.example:443')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await postAs(agent, 'dealer.example')).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('a foreign Origin', () => {
  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost'])(
    '%s is refused with 403',
    async (origin) => {
      const agent = await open();
      const { status, headers, json } = await post(agent, PING, { Origin: origin });
      expect([status, json.error?.code]).toEqual([403, -32600]);
      expect(headers.get('access-control-allow-origin')).toBeNull();
      const preflight = await fetch(`${agent.origin}/mcp`, {
        method: 'OPTIONS',
        headers: { Origin: origin },
      });
      expect(preflight.status).toBe(403);
    },
  );

  it('may be allowed, and then its pages may read the answer', async () => {
    const agent = await open({ config: withMcp({ allowed_origins: ['https://chat.example'] }) });
    const origin = { Origin: 'https://chat.example' };
    const { status, headers } = await post(agent, PING, origin);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, 'https://chat.example']);
    const preflight = await fetch(`${agent.origin}/mcp`, { method: 'OPTIONS', headers: origin });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('MCP-Protocol-Version');
    expect((await post(agent, PING, { Origin: 'https://chat.example.evil.example' })).status).toBe(403);
  });

  it('is none at all with "*", nor is the bridge’s own', async () => {
    const open_ = await open({ config: withMcp({ allowed_origins: ['*'] }) });
    expect((await post(open_, PING, { Origin: 'https://anybody.example' })).status).toBe(200);
    const agent = await open();
    expect((await post(agent, PING, { Origin: agent.origin })).status).toBe(200);
  });

  it('and a foreign Host are welcome at the A2A endpoint all the same', async () => {
    const agent = await open();
    const headers = { Origin: 'https://evil.example' };
    expect((await agent.send({ type: 'dealer.information.request' }, { headers })).json.result).toBeDefined();
  });
});

describe('the door', () => {
  const tokens = [tokenEntry('anything'), tokenEntry('searcher', { skills: ['inventory.search'] })];

  it('asks for the same tokens: for one tool', async () => {
    const agent = await open({ config: withAccess({ require_token: ['lead.submit'], tokens }) });
    const call = toolCall('aap_lead_submit', leadRequest());
    expect((await post(agent, toolCall('aap_dealer_information', {}))).json.result).toBeDefined();
    const without = await post(agent, call);
    expect([without.status, without.json.id, without.json.error?.code]).toEqual([401, 'c-1', -32600]);
    expect(without.headers.get('www-authenticate')).toBe('Bearer realm="dealer agent"');
    expect((await post(agent, call, bearer('searcher'))).status).toBe(403);
    expect(agent.leads).toEqual([]);
    const client = await connect(agent, bearer('anything'));
    expect((await callTool(client, 'aap_lead_submit', leadRequest())).isError).toBeUndefined();
    expect(agent.leads).toHaveLength(1);
  });

  it('asks for the same tokens: for everything', async () => {
    const agent = await open({ config: withAccess({ require_token: 'all', tokens }) });
    const without = await post(agent, PING);
    expect([without.status, without.json.id, without.json.error?.code]).toEqual([401, null, -32600]);
    expect((await post(agent, PING, bearer('nobody'))).status).toBe(401);
    expect((await post(agent, PING, bearer('anything'))).status).toBe(200);
  });

  it('keeps the same budgets, with leads apart', async () => {
    const budget = { per_minute: 1, burst: 2, all_clients_per_minute: 600 };
    const agent = await open({
      config: (config) => ({
        ...config,
        rate_limits: { ...config.rate_limits, limit_local_calls: true, searches: budget, leads: budget },
      }),
    });
    const search = toolCall('aap_inventory_search', {});
    expect((await post(agent, search)).json.result?.isError).toBeUndefined();
    // A2A takes from the same budget.
    expect((await agent.send({ type: 'inventory.search.request' })).json.result).toBeDefined();
    const hasty = await post(agent, search);
    expect([hasty.status, hasty.json.id, hasty.json.result?.isError]).toEqual([200, 'c-1', true]);
    const error = JSON.parse(hasty.json.result?.content[0].text ?? '') as {
      code: string;
      retryable: boolean;
      details: { retry_after_ms: number };
    };
    expect(error).toMatchObject({ type: 'aap.error', code: 'RATE_LIMITED', retryable: true });
    expect(hasty.headers.get('retry-after')).toBe(String(Math.ceil(error.details.retry_after_ms / 1000)));
    for (const junk of [PING, { jsonrpc: '2.0', method: 'notifications/initialized' }, '{', [PING]]) {
      const { status, headers, json } = await post(agent, junk);
      expect([status, json.error?.code, json.error?.data?.code]).toEqual([429, -32002, 'RATE_LIMITED']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(
      (await post(agent, toolCall('aap_lead_submit', leadRequest()))).json.result?.isError,
    ).toBeUndefined();
    expect(agent.leads).toHaveLength(1);
  });
});

it('is not there when the dealer has switched it off', async () => {
  const agent = await open({ config: withMcp({ enabled: false }) });
  const { status, json } = await post(agent, PING);
  expect([status, json]).toEqual([
    404,
    { error: { code: 'NOT_FOUND', message: 'There is nothing at /mcp.' } },
  ]);
});
