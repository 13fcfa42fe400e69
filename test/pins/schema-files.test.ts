import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLiveAgent, speakRaw } from '../web/live-agent.ts';
import type { LiveAgent } from '../web/live-agent.ts';

const FOLDER = join(import.meta.dirname, '../../schemas/aap/v1.3');

let agent: LiveAgent;
beforeAll(async () => {
  agent = await openLiveAgent();
});
afterAll(() => agent.close());

const ask = (name: string, init: RequestInit = {}) => fetch(`${agent.origin}/schemas/v1.3/${name}`, init);

it('serves each schema as it stands in the repository', async () => {
  const names = readdirSync(FOLDER);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    const response = await ask(name);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.text()).toBe(readFileSync(join(FOLDER, name), 'utf8'));
  }
});

it('serves whatever a schema refers to', async () => {
  const pending = ['lead-submit-request.schema.json', 'inventory-search-response.schema.json'];
  const seen = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const response = await ask(name);
    expect(response.status, name).toBe(200);
    for (const [, file] of (await response.text()).matchAll(/"\$ref": "([^"#]+)/g)) pending.push(file ?? '');
  }
  expect([...seen]).toContain('consent-grant.schema.json');
  expect([...seen]).toContain('facets.schema.json');
});

it('sends none again to those who have it, and lets browsers in', async () => {
  const first = await ask('error.schema.json');
  const etag = first.headers.get('etag') ?? '';
  expect(first.headers.get('cache-control')).toBe('public, max-age=86400');
  expect(first.headers.get('access-control-allow-origin')).toBe('*');
  const again = await ask('error.schema.json', { headers: { 'If-None-Match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect((await ask('error.schema.json', { method: 'OPTIONS' })).status).toBe(204);
  const post = await ask('error.schema.json', { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

it.each(['', 'nothing.schema.json', '..%2f..%2f..%2fpackage.json', '__proto__', '%00', '%ff'])(
  'serves nothing else: %j',
  async (name) => {
    const head = `GET /schemas/v1.3/${name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const reply = await speakRaw(agent.port, head);
    expect(reply).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(reply).not.toMatch(/dependencies|ENOENT|\.ts/);
  },
);
