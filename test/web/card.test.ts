import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { openDealership } from '../agent/dealership.ts';
import { openLiveAgent, schemaFaults } from './live-agent.ts';
import type { LiveAgent } from './live-agent.ts';

const AAP_URI = 'https://autoagentprotocol.org/extensions/aap/v1.3';
const STEMS = {
  'dealer.information': 'dealer-information',
  'inventory.facets': 'inventory-facets',
  'inventory.search': 'inventory-search',
  'inventory.vehicle': 'vehicle-detail',
  'lead.submit': 'lead-submit',
};

interface AgentCard {
  provider: object;
  supportedInterfaces: [{ url: string }];
  capabilities: {
    extensions: [{ uri: string; required: boolean; params: { id: string; skills: Record<string, unknown> } }];
  };
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: { id: string; tags: string[]; inputModes: string[]; outputModes: string[] }[];
}

const opened: LiveAgent[] = [];
async function open(config?: (config: Config) => Config): Promise<LiveAgent> {
  const agent = await openLiveAgent(config === undefined ? {} : { config });
  opened.push(agent);
  return agent;
}
afterEach(() => Promise.all(opened.splice(0).map((agent) => agent.close())));

const ask = (agent: LiveAgent, init: RequestInit = {}) =>
  fetch(`${agent.origin}/.well-known/agent-card.json`, init);

const cardOf = (config?: (config: Config) => Config, url = 'https://cars.example.com'): AgentCard =>
  JSON.parse(openDealership(config === undefined ? {} : { config }).agent.card(url).body) as AgentCard;

describe('the agent card', () => {
  it('is what AAP 1.3 asks for', async () => {
    const agent = await open();
    const card = (await (await ask(agent)).json()) as AgentCard;
    expect(schemaFaults('agent-card', card)).toBeNull();
    expect(Object.keys(card)).toEqual([
      'name',
      'description',
      'version',
      'provider',
      'supportedInterfaces',
      'capabilities',
      'defaultInputModes',
      'defaultOutputModes',
      'skills',
    ]);
    expect(card.supportedInterfaces).toEqual([
      { url: `${agent.origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ]);
    expect(card.provider).toEqual({ organization: 'Harbor Group', url: 'https://harbor.example.com' });
    expect(Object.keys(card.capabilities)).toEqual(['extensions']);
    const [extension] = card.capabilities.extensions;
    expect(Object.keys(extension)).toEqual(['uri', 'description', 'params']);
    expect(extension.uri).toBe(AAP_URI);
    expect(extension.params).toMatchObject({
      version: '1.3.0',
      schema_base_url: 'https://autoagentprotocol.org/v1.3/schemas/',
    });
    for (const [skill, stem] of Object.entries(STEMS)) {
      expect(extension.params.skills[skill]).toEqual({
        request_schema: `https://autoagentprotocol.org/v1.3/schemas/${stem}-request.schema.json`,
        response_schema: `https://autoagentprotocol.org/v1.3/schemas/${stem}-response.schema.json`,
      });
    }
  });

  it('lists each skill with its media types and at least one tag', () => {
    const card = cardOf();
    expect(card.skills.map(({ id }) => id)).toEqual(Object.keys(STEMS));
    for (const skill of card.skills) {
      const stem = STEMS[skill.id as keyof typeof STEMS];
      expect(Object.keys(skill).sort()).toEqual(
        ['description', 'id', 'inputModes', 'name', 'outputModes', 'tags'].sort(),
      );
      expect(skill.tags.length).toBeGreaterThan(0);
      expect(skill.inputModes).toEqual([
        `application/vnd.autoagent.${stem}-request+json`,
        'application/json',
      ]);
      expect(skill.outputModes[0]).toBe(`application/vnd.autoagent.${stem}-response+json`);
    }
    expect(card.defaultInputModes).toContain('application/json');
    expect(card.defaultInputModes).toContain('application/vnd.autoagent.vehicle-detail-request+json');
    expect(card.defaultOutputModes).toContain('application/vnd.autoagent.lead-submit-response+json');
  });

  it('leaves out what is switched off', () => {
    const card = cardOf((config) => ({
      ...config,
      skills: { ...config.skills, 'lead.submit': false, 'inventory.facets': false },
    }));
    const left = ['dealer.information', 'inventory.search', 'inventory.vehicle'];
    expect(card.skills.map(({ id }) => id)).toEqual(left);
    expect(Object.keys(card.capabilities.extensions[0].params.skills)).toEqual(left);
    expect(JSON.stringify(card)).not.toContain('lead-submit');
  });

  it('demands the extension exactly where the endpoint does', () => {
    const card = cardOf((config) => ({
      ...config,
      a2a: { ...config.a2a, require_extension: true },
    }));
    expect(card.capabilities.extensions[0].required).toBe(true);
  });

  it('names the configured public URL', async () => {
    const agent = await open((config) => ({
      ...config,
      server: { ...config.server, public_url: 'https://cars.example.com/' },
    }));
    expect(agent.origin).toBe('https://cars.example.com');
    const response = await fetch(`http://127.0.0.1:${agent.port}/.well-known/agent-card.json`);
    const card = (await response.json()) as AgentCard;
    expect(card.supportedInterfaces[0].url).toBe('https://cars.example.com/a2a');
  });

  it('keeps its id while it stays the same and changes it with any change', () => {
    const idOf = (card: AgentCard): string => card.capabilities.extensions[0].params.id;
    const id = idOf(cardOf());
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(idOf(cardOf())).toBe(id);
    expect(idOf(cardOf(undefined, 'https://other.example.com'))).not.toBe(id);
    const renamed = cardOf((config) => ({ ...config, dealer: { ...config.dealer, name: 'Harbor Cars' } }));
    expect(idOf(renamed)).not.toBe(id);
    const unseen = cardOf((config) => ({ ...config, search: { ...config.search, max_limit: 50 } }));
    expect(idOf(unseen)).toBe(id);
  });

  it('is not sent again to those who have it', async () => {
    const agent = await open();
    const first = await ask(agent);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const known of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const again = await ask(agent, { headers: { 'If-None-Match': known } });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await ask(agent, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  it('answers HEAD without a body, and refuses other methods in JSON', async () => {
    const agent = await open();
    const head = await ask(agent, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('etag')).not.toBeNull();
    const post = await ask(agent, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await post.json()).toEqual({
      error: { code: 'METHOD_NOT_ALLOWED', message: 'Use GET, HEAD, OPTIONS.' },
    });
  });

  it('stands at no other place', async () => {
    const agent = await open();
    for (const path of ['/.well-known/agent.json', '/agent-card.json', '/.well-known/', '/']) {
      const response = await fetch(`${agent.origin}${path}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toContain('application/json');
    }
  });
});
