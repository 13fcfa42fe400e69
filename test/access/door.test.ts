import { afterEach, describe, expect, it } from 'vitest';
import { leadRequest } from '../agent/payloads.ts';
import type { Config } from '../../src/config/config.ts';
import { INFORMATION, openLiveAgent, schemaFaults, sendMessage, speakRaw } from '../web/live-agent.ts';
import type { LiveAgent } from '../web/live-agent.ts';
import { bearer, tokenEntry, withAccess } from './tokens.ts';

const opened: LiveAgent[] = [];
async function open(config: (config: Config) => Config): Promise<LiveAgent> {
  const agent = await openLiveAgent({ config });
  opened.push(agent);
  return agent;
}
afterEach(() => Promise.all(opened.splice(0).map((agent) => agent.close())));

const TOKENS = [
  tokenEntry('anything'),
  tokenEntry('searcher', { skills: ['inventory.search'] }),
  tokenEntry('old', { expires: '2026-04-29' }),
];
const SEARCH = { type: 'inventory.search.request' };
const REALM = 'Bearer realm="dealer agent"';

describe('a dealer whose leads need a token', () => {
  const leadsOnly = withAccess({ require_token: ['lead.submit'], tokens: TOKENS });

  it('answers everybody else’s questions', async () => {
    const agent = await open(leadsOnly);
    expect((await agent.send(SEARCH)).json.result).toBeDefined();
    expect((await agent.send(SEARCH, { headers: bearer('searcher') })).json.result).toBeDefined();
    expect((await agent.send(INFORMATION, { headers: bearer('searcher') })).json.result).toBeDefined();
  });

  it('refuses a lead without a token with 401 and its id, and takes none', async () => {
    const agent = await open(leadsOnly);
    const { status, headers, json } = await agent.send(leadRequest());
    expect([status, headers.get('www-authenticate')]).toEqual([401, REALM]);
    expect(json).toMatchObject({ jsonrpc: '2.0', id: 'req-1', error: { code: -32600 } });
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    expect(agent.leads).toEqual([]);
  });

  it('refuses a lead with a token for something else with 403', async () => {
    const agent = await open(leadsOnly);
    const { status, headers, json } = await agent.send(leadRequest(), { headers: bearer('searcher') });
    expect([status, json.id, json.error.code]).toEqual([403, 'req-1', -32600]);
    expect(headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect(agent.leads).toEqual([]);
  });

  it('takes a lead with a token that opens it', async () => {
    const agent = await open(leadsOnly);
    expect((await agent.send(leadRequest(), { headers: bearer('anything') })).json.result).toBeDefined();
    expect(
      (await agent.send(leadRequest(), { headers: { Authorization: 'bearer  anything ' } })).status,
    ).toBe(200);
    expect(agent.leads).toHaveLength(2);
  });

  it.each([
    ['an unknown token', 'Bearer nobody', 'error="invalid_token"'],
    ['an expired token', 'Bearer old', 'the token has expired'],
    ['a hash for a token', `Bearer ${TOKENS[0]?.hash ?? ''}`, 'error="invalid_token"'],
    ['another scheme', 'Basic YTpi', 'error="invalid_token"'],
    ['no token behind the scheme', 'Bearer', 'error="invalid_token"'],
    ['two tokens', 'Bearer anything anything', 'error="invalid_token"'],
    ['nothing at all', '', 'error="invalid_token"'],
  ])('never takes %s for nobody, open skills included', async (_what, authorization, challenge) => {
    const agent = await open(leadsOnly);
    const { status, headers, json } = await agent.send(SEARCH, { headers: { Authorization: authorization } });
    expect([status, json.id, json.error.code]).toEqual([401, null, -32600]);
    expect(headers.get('www-authenticate')).toContain(challenge);
    expect(agent.searches).toEqual([]);
  });

  it('says so on the card, at the skill', async () => {
    const agent = await open(leadsOnly);
    const card = JSON.parse(agent.agent.card(agent.origin).body) as Record<string, unknown>;
    expect(schemaFaults('agent-card', card)).toBeNull();
    expect(card.securitySchemes).toEqual({
      dealerToken: { httpAuthSecurityScheme: { scheme: 'Bearer', description: expect.any(String) } },
    });
    expect(card).not.toHaveProperty('securityRequirements');
    expect(card).not.toHaveProperty('security');
    const skills = card.skills as { id: string; securityRequirements?: unknown }[];
    expect(skills.filter(({ securityRequirements }) => securityRequirements !== undefined)).toEqual([
      expect.objectContaining({
        id: 'lead.submit',
        securityRequirements: [{ schemes: { dealerToken: { list: [] } } }],
      }),
    ]);
  });
});

describe('a dealer who asks everybody for a token', () => {
  const locked = withAccess({ require_token: 'all', tokens: TOKENS });

  it('does not wait for the body of a call without one', async () => {
    const agent = await open(locked);
    const head = 'POST /a2a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const reply = await speakRaw(agent.port, `${head}Content-Length: 2000000\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 401 /);
    expect(reply).toContain(`WWW-Authenticate: ${REALM}\r\n`);
    expect(reply).toContain('"id":null');
  });

  it('answers with one, and tells a wrong method apart', async () => {
    const agent = await open(locked);
    expect((await agent.send(SEARCH, { headers: bearer('searcher') })).json.result).toBeDefined();
    expect((await agent.send(INFORMATION, { headers: bearer('searcher') })).status).toBe(403);
    expect((await fetch(`${agent.origin}/a2a`)).status).toBe(405);
    expect((await fetch(`${agent.origin}/.well-known/agent-card.json`)).status).toBe(200);
  });

  it('says so on the card, for the whole agent', async () => {
    const agent = await open(locked);
    const card = JSON.parse(agent.agent.card(agent.origin).body) as Record<string, unknown>;
    expect(schemaFaults('agent-card', card)).toBeNull();
    expect(card.securityRequirements).toEqual([{ schemes: { dealerToken: { list: [] } } }]);
    expect(JSON.stringify(card.skills)).not.toContain('security');
    expect(JSON.stringify(card)).not.toContain('sha256');
  });
});

it('a dealer without tokens asks nobody, whatever they send', async () => {
  const agent = await open((config) => config);
  expect((await agent.send(SEARCH, { headers: bearer('of-another-dealer') })).json.result).toBeDefined();
  const card = JSON.parse(agent.agent.card(agent.origin).body) as object;
  expect(card).not.toHaveProperty('securitySchemes');
});

describe('rate limits', () => {
  const limited = (more: Partial<Config['rate_limits']> = {}) =>
    withAccess(
      { tokens: TOKENS },
      {
        rate_limits: {
          enabled: true,
          limit_local_calls: true,
          max_clients: 100,
          searches: { per_minute: 1, burst: 3, all_clients_per_minute: 1000 },
          leads: { per_minute: 1, burst: 1, all_clients_per_minute: 1000 },
          ...more,
        },
      },
    );

  it('answer RATE_LIMITED with the time to wait, HTTP 200 and Retry-After', async () => {
    const agent = await open(limited());
    for (let call = 0; call < 3; call += 1) expect((await agent.send(SEARCH)).json.result).toBeDefined();
    const { status, headers, json } = await agent.send(SEARCH);
    expect([status, json.id, json.error.code]).toEqual([200, 'req-1', -32002]);
    expect(schemaFaults('error', json.error.data)).toBeNull();
    expect(json.error.data).toMatchObject({ type: 'aap.error', code: 'RATE_LIMITED', retryable: true });
    const { retry_after_ms: wait } = json.error.data.details as unknown as { retry_after_ms: number };
    expect(wait).toBeGreaterThan(30_000);
    expect(wait).toBeLessThanOrEqual(60_000);
    expect(headers.get('retry-after')).toBe(String(Math.ceil(wait / 1000)));
    expect(agent.searches).toHaveLength(3);
  });

  it('leave leads their own budget', async () => {
    const agent = await open(limited());
    for (let call = 0; call < 4; call += 1) await agent.send(SEARCH);
    expect((await agent.send(leadRequest())).json.result).toBeDefined();
    expect((await agent.send(leadRequest())).json.error.code).toBe(-32002);
    expect(agent.leads).toHaveLength(1);
  });

  it('count tokens each by itself', async () => {
    const agent = await open(limited());
    for (let call = 0; call < 4; call += 1) await agent.send(SEARCH);
    expect((await agent.send(SEARCH)).json.error.code).toBe(-32002);
    expect((await agent.send(SEARCH, { headers: bearer('anything') })).json.result).toBeDefined();
  });

  it.each([
    ['broken JSON', '{'],
    ['a batch', '[]'],
    ['an unknown method', JSON.stringify({ ...sendMessage(SEARCH), method: 'nothing' })],
    ['an unknown skill', JSON.stringify(sendMessage({ type: 'nothing' }))],
    ['a notification', JSON.stringify({ ...sendMessage(SEARCH), id: undefined })],
  ])('count %s, too', async (_what, body) => {
    const agent = await open(limited());
    for (let call = 0; call < 3; call += 1) await agent.post(body);
    expect((await agent.send(SEARCH)).json.error.code).toBe(-32002);
  });

  it('count wrong tokens at the address they came from', async () => {
    const agent = await open(limited());
    for (let call = 0; call < 3; call += 1) {
      expect((await agent.send(SEARCH, { headers: bearer('nobody') })).status).toBe(401);
    }
    const { status, json } = await agent.send(SEARCH, { headers: bearer('nobody') });
    expect([status, json.id, json.error.code]).toEqual([200, null, -32002]);
  });

  it('may be off, and let programs on this machine go unless told otherwise', async () => {
    for (const more of [{ enabled: false }, { limit_local_calls: false }]) {
      const agent = await open(limited(more));
      for (let call = 0; call < 6; call += 1) expect((await agent.send(SEARCH)).json.result).toBeDefined();
    }
  });

  it('hold for what a proxy on this machine passes on, also when nobody declared it', async () => {
    const agent = await open(limited({ limit_local_calls: false }));
    const passedOn = { headers: { 'X-Forwarded-For': '203.0.113.7' } };
    for (let call = 0; call < 3; call += 1) await agent.send(SEARCH, passedOn);
    expect((await agent.send(SEARCH, passedOn)).json.error.code).toBe(-32002);
    const other = { headers: { 'X-Forwarded-For': '203.0.113.8' } };
    expect((await agent.send(SEARCH, other)).json.error.code).toBe(-32002);
  });

  it('tell the callers behind a declared proxy apart', async () => {
    const agent = await open((config) => {
      const changed = limited()(config);
      return { ...changed, server: { ...changed.server, trusted_proxies: ['127.0.0.0/8'] } };
    });
    const from = (list: string) => ({ headers: { 'X-Forwarded-For': list } });
    for (let call = 0; call < 3; call += 1) {
      await agent.send(SEARCH, from(`198.51.100.${call}, 203.0.113.7`));
    }
    expect((await agent.send(SEARCH, from('198.51.100.9, 203.0.113.7'))).json.error.code).toBe(-32002);
    expect((await agent.send(SEARCH, from('203.0.113.8'))).json.result).toBeDefined();
  });
});
