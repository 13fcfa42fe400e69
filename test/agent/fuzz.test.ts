import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSchemaValidator } from '../../src/agent/schemas.ts';
import { openDealership } from './dealership.ts';
import type { RpcReply } from './rpc-reply.ts';

/** Whatever bytes arrive, the reply is JSON-RPC of the right class, nothing breaks inside, and service goes on. */

const SAMPLES = ['information', 'facets', 'search', 'vehicle', 'lead'].map((name) =>
  readFileSync(new URL(`../../samples/requests/${name}.json`, import.meta.url), 'utf8'),
);
const KNOWN_CODES = new Set([
  -32700, -32600, -32601, -32602, -32000, -32001, -32003, -32004, -32005, -32008, -32009,
]);
const RESPONSE_SCHEMAS: Record<string, string> = {
  'dealer.information.response': 'dealer-information-response',
  'inventory.facets.response': 'inventory-facets-response',
  'inventory.search.response': 'inventory-search-response',
  'inventory.vehicle.response': 'vehicle-detail-response',
  'lead.submit.response': 'lead-submit-response',
};

const { agent } = openDealership();
const ajv = createSchemaValidator();

async function ask(body: Uint8Array | string): Promise<{ status: number; body: string }> {
  return agent.handle({
    requestId: 'r',
    method: 'POST',
    contentType: 'application/json',
    headers: () => undefined,
    query: new URLSearchParams(),
    body: typeof body === 'string' ? Buffer.from(body) : body,
  });
}

async function expectSoundReply(body: Uint8Array | string): Promise<void> {
  const reply = await ask(body);
  if (reply.status === 204) {
    expect(reply.body).toBe('');
    return;
  }
  expect(reply.status).toBe(200);
  const json = JSON.parse(reply.body) as RpcReply;
  expect(json.jsonrpc).toBe('2.0');
  expect(Object.hasOwn(json, 'id')).toBe(true);
  expect(Object.hasOwn(json, 'result')).toBe(!Object.hasOwn(json, 'error'));
  if (Object.hasOwn(json, 'error')) {
    expect(KNOWN_CODES).toContain(json.error.code);
    if (Object.hasOwn(json.error, 'data') && json.error.data.type === 'aap.error')
      expect(ajv.getSchema('error.schema.json')?.(json.error.data)).toBe(true);
    return;
  }
  const [part] = json.result.message.parts;
  const schema = RESPONSE_SCHEMAS[part.data.type];
  expect(ajv.getSchema(`${schema}.schema.json`)?.(part.data)).toBe(true);
}

type Step = {
  kind: 'replace' | 'remove' | 'add' | 'repeat' | 'wrap';
  at: number;
  key: string;
  value: unknown;
};

const KEYS = [
  'type',
  'data',
  'filters',
  'make',
  'id',
  'message',
  'messageId',
  'message_id',
  'role',
  'parts',
  'mediaType',
  'vin',
  'limit',
  'consent',
  'scope',
  'taskId',
  'contextId',
  'condition',
  'constructor',
  'toString',
  'length',
  '',
  'a/b~c',
];
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    [],
    {},
    '',
    0,
    -1,
    1e308,
    2 ** 53,
    'ROLE_USER',
    'new',
    '2026-04-30T10:15:00Z',
    'x'.repeat(5000),
  ),
);
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('replace', 'remove', 'add', 'repeat', 'wrap'),
  at: fc.nat(),
  key: fc.constantFrom(...KEYS),
  value: values,
});

/** Every object and list inside, the root first. */
function containers(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containers)];
}

function mutate(root: unknown, { kind, at, key, ...step }: Step): unknown {
  const value = structuredClone(step.value);
  const found = containers(root);
  const container = found[at % found.length];
  if (container === undefined) return value;
  const keys = Object.keys(container);
  const chosen = keys[at % (keys.length || 1)] ?? key;
  // A list cannot take an arbitrary value as its length.
  if (Array.isArray(container) && (kind === 'add' || keys.length === 0)) container.push(value);
  else if (kind === 'remove') Reflect.deleteProperty(container, chosen);
  else if (kind === 'add') Reflect.set(container, key, value);
  else if (kind === 'repeat' && Array.isArray(container))
    container.push(...(structuredClone(container) as unknown[]));
  else if (kind === 'wrap') Reflect.set(container, chosen, { [key]: Reflect.get(container, chosen) });
  else Reflect.set(container, chosen, value);
  return root;
}

describe('odd requests', () => {
  it('with members changed, added, moved and removed get a sound reply', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 4 }),
        fc.array(step, { minLength: 1, maxLength: 4 }),
        async (which, steps) => {
          const request = steps.reduce<unknown>(mutate, JSON.parse(SAMPLES[which] ?? ''));
          await expectSoundReply(JSON.stringify(request));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('with bytes cut, changed and doubled get a sound reply', async () => {
    const bytes = fc.uint8Array({ maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 4 }),
        fc.nat(),
        fc.nat({ max: 40 }),
        bytes,
        async (which, at, skip, inserted) => {
          const text = Buffer.from(SAMPLES[which] ?? '');
          const start = at % text.length;
          await expectSoundReply(
            Buffer.concat([text.subarray(0, start), inserted, text.subarray(start + skip)]),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('leave the agent as it was', async () => {
    const vehicle = JSON.parse((await ask(SAMPLES[3] ?? '')).body) as RpcReply;
    expect(vehicle.result.message.parts[0].data.data).toMatchObject({ stock: 'T12345' });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
