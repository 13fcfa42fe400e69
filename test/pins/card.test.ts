import { AgentCard } from '@a2a-js/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLiveAgent, schemaFaults, speakRaw } from '../web/live-agent.ts';
import type { LiveAgent } from '../web/live-agent.ts';

let agent: LiveAgent;
let strict: LiveAgent;
beforeAll(async () => {
  agent = await openLiveAgent();
  strict = await openLiveAgent({
    config: (config) => ({ ...config, a2a: { require_version_header: true, require_extension: true } }),
  });
});
afterAll(() => Promise.all([agent.close(), strict.close()]));

const cardOf = async (from: LiveAgent): Promise<Record<string, unknown>> =>
  (await fetch(`${from.origin}/.well-known/agent-card.json`).then((response) => response.json())) as Record<
    string,
    unknown
  >;

it('is served to those who send no header of A2A, and under a query', async () => {
  for (const target of [
    '/.well-known/agent-card.json',
    '/.well-known/agent-card.json?utm_source=x&%ff=%',
    'http://proxy.example/.well-known/agent-card.json',
  ]) {
    const reply = await speakRaw(
      strict.port,
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(reply).toContain('"supportedInterfaces"');
  }
});

it('claims nothing that a client would switch to', async () => {
  const { capabilities } = await cardOf(agent);
  expect(Object.keys(capabilities as object)).toEqual(['extensions']);
});

/** The SDK's reader drops what A2A does not know, and its writer leaves defaults out: what is left is ours. */
it('survives the reader of the A2A SDK without losing a member', async () => {
  for (const from of [agent, strict]) {
    const card = await cardOf(from);
    const reread = AgentCard.toJSON(AgentCard.fromJSON(card));
    expect(reread).toMatchObject(card);
    expect(schemaFaults('agent-card', reread)).toBeNull();
  }
});

it('tells the reader of the A2A SDK which token is asked for, and of whom', async () => {
  const readCard = async (require_token: 'all' | ['lead.submit']): Promise<AgentCard> => {
    const guarded = await openLiveAgent({
      config: (config) => ({ ...config, access: { ...config.access, require_token } }),
    });
    const card = await cardOf(guarded);
    await guarded.close();
    expect(schemaFaults('agent-card', card)).toBeNull();
    expect(Object.keys(card)).not.toContain('security');
    return AgentCard.fromJSON(card);
  };
  const all = await readCard('all');
  expect(all.securitySchemes.dealerToken?.scheme).toMatchObject({
    $case: 'httpAuthSecurityScheme',
    value: { scheme: 'Bearer' },
  });
  expect(all.securityRequirements.map(({ schemes }) => Object.keys(schemes))).toEqual([['dealerToken']]);
  const leads = await readCard(['lead.submit']);
  expect(leads.securityRequirements).toEqual([]);
  const guardedSkills = leads.skills.filter(({ securityRequirements }) => securityRequirements.length > 0);
  expect(guardedSkills.map(({ id }) => id)).toEqual(['lead.submit']);
});

it('holds no null, no empty list and no empty text, which strict readers take for unset', async () => {
  const empty: string[] = [];
  JSON.parse(JSON.stringify(await cardOf(agent)), (key, value: unknown) => {
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    if (isEmpty) empty.push(key);
    return value;
  });
  expect(empty).toEqual([]);
});
