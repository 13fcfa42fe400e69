import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INFORMATION, openLiveAgent, sendMessage } from './live-agent.ts';
import type { LiveAgent } from './live-agent.ts';

let agent: LiveAgent;
beforeAll(async () => {
  agent = await openLiveAgent();
});
afterAll(() => agent.close());

const call = sendMessage(INFORMATION);
const withId = (id: string): string => JSON.stringify({ ...call, id: 0 }).replace('"id":0', `"id":${id}`);

describe('JSON-RPC at its edges (a2a-jsonrpc section 2)', () => {
  it.each([
    ['broken JSON', '{"jsonrpc":"2.0",'],
    ['an empty body', ''],
    ['only blanks', '  \n'],
    ['text', 'hello'],
  ])('answers %s with a parse error and id null', async (_what, body) => {
    const { status, json } = await agent.post(body);
    expect(status).toBe(200);
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'Parse error: the body is not JSON' },
    });
  });

  it.each(['5', 'null', '"x"', 'true'])('refuses the body %s', async (body) => {
    const { status, json } = await agent.post(body);
    expect([status, json.id, json.error.code]).toEqual([200, null, -32600]);
  });

  it.each(['[]', '[1]', JSON.stringify([call, call])])('refuses a batch with one error: %s', async (body) => {
    const { status, json } = await agent.post(body);
    expect([status, json.id, json.error.code]).toEqual([200, null, -32600]);
  });

  it.each([
    ['jsonrpc 1.0', { ...call, jsonrpc: '1.0' }],
    ['jsonrpc as a number', { ...call, jsonrpc: 2 }],
    ['no jsonrpc', { ...call, jsonrpc: undefined }],
    ['no method', { ...call, method: undefined }],
    ['a method that is a number', { ...call, method: 1 }],
    ['an empty method', { ...call, method: '' }],
  ])('refuses %s and echoes the id', async (_what, body) => {
    const { status, json } = await agent.post(body);
    expect([status, json.id, json.error.code]).toEqual([200, 'req-1', -32600]);
  });

  it.each(['{}', '{"a":1}', '[]', '[1]', 'true', 'false', '9007199254740993', '-9007199254740993', '1e400'])(
    'refuses the id %s with id null',
    async (id) => {
      const { status, json } = await agent.post(withId(id));
      expect([status, json.id, json.error.code]).toEqual([200, null, -32600]);
    },
  );

  it.each([
    ['more digits than a double has', '0.12345678901234567890'],
    ['a fraction that is lost beside its integer', '9007199254740990.6'],
    ['a fraction so small that nothing is left but 1', '1.00000000000000000001'],
    ['what becomes 0', '1e-400'],
    ['an exponent beyond 2^53', '1e16'],
    ['digits of which the last is rounded', '-1234567890.1234567891e-3'],
  ])('refuses the rounded id of %s with id null', async (_what, id) => {
    const { status, json } = await agent.post(withId(id));
    expect([status, json.id, json.error.code]).toEqual([200, null, -32600]);
  });

  it.each([
    ['1.50', '1.5'],
    ['20.0', '20'],
    ['1e2', '100'],
    ['0.00125E+3', '1.25'],
    ['-0', '0'],
    ['0e99', '0'],
    ['5e-324', '5e-324'],
    ['9007199254740991.000', '9007199254740991'],
  ])('echoes the number of the id %s as %s', async (id, echoed) => {
    const { text } = await agent.post(withId(id));
    expect(text.startsWith(`{"jsonrpc":"2.0","id":${echoed},"result":`)).toBe(true);
  });

  it('looks at the id of the call, and at no other number', async () => {
    const body = (id: string): string =>
      withId(id).replace('"params":{', '"params":{"metadata":{"id":0.12345678901234567890,"":{"id":1.5}},');
    expect((await agent.post(body('7'))).text).toContain('"id":7,"result"');
    expect((await agent.post(body('0.1'))).text).toContain('"id":0.1,"result"');
    expect((await agent.post(body('0.30000000000000000001'))).json.error.code).toBe(-32600);
    expect((await agent.post(withId('0.30000000000000000001').replace('"id"', '"\\u0069d"'))).json.id).toBe(
      null,
    );
    expect(
      (await agent.post(withId('5').replace('"id":5', '"id":0.30000000000000000001,"id":0.3'))).json.id,
    ).toBe(0.3);
  });

  it.each(['null', '0', '""', '-3', '1.5', '0.1', '-123.456', '"req-1"', '9007199254740991', '"ключ"'])(
    'echoes the id %s',
    async (id) => {
      const { status, text, json } = await agent.post(withId(id));
      expect(status).toBe(200);
      expect(text.startsWith(`{"jsonrpc":"2.0","id":${id},"result":`)).toBe(true);
      expect(json.result.message.role).toBe('ROLE_AGENT');
    },
  );

  it('answers a notification with 204 and does not execute it', async () => {
    const before = agent.searches.length;
    const body = sendMessage({ type: 'inventory.search.request' });
    const { status, text } = await agent.post({ ...body, id: undefined });
    expect([status, text]).toEqual([204, '']);
    expect(agent.searches).toHaveLength(before);
  });

  it('takes the last of two equal keys', async () => {
    const body = JSON.stringify(call).replace('"id":"req-1"', '"id":"first","id":"last"');
    expect((await agent.post(body)).json.id).toBe('last');
  });

  it.each([
    ['in the payload', '{"type":"dealer.information.request","__proto__":{"a":1}}'],
    ['in a filter', '{"type":"inventory.search.request","filters":{"__proto__":{"make":["Honda"]}}}'],
  ])('refuses __proto__ %s', async (_what, data) => {
    const body = JSON.stringify(sendMessage('DATA')).replace('"DATA"', data);
    const { json } = await agent.post(body);
    expect(json.error.code).toBe(-32602);
    expect(json.error.data.code).toBe('SCHEMA_VALIDATION_FAILED');
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    'does not take %s for a method or a skill',
    async (name) => {
      expect((await agent.post({ ...call, method: name })).json.error.code).toBe(-32601);
      const { json } = await agent.send({ type: name });
      expect([json.error.code, json.error.data.code]).toEqual([-32601, 'UNSUPPORTED_SKILL']);
    },
  );

  it('refuses what is nested 5,000 deep, wherever it stands', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    const list = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    for (const nested of [deep, list]) {
      for (const place of [
        sendMessage('DEEP'),
        sendMessage({ type: 'inventory.search.request', filters: 'DEEP' }),
        sendMessage(INFORMATION, { message: { metadata: 'DEEP' } }),
        { ...call, params: 'DEEP' },
      ]) {
        const { status, json } = await agent.post(JSON.stringify(place).replace('"DEEP"', nested));
        expect([status, json.error.code]).toEqual([200, -32602]);
      }
    }
  });

  it('points into the payload where that holds too much, and into the call where that does', async () => {
    const many = Array.from({ length: 501 }, () => 'Honda');
    const { json: payload } = await agent.send({ type: 'inventory.search.request', filters: { make: many } });
    expect(payload.error.data.details.errors).toEqual([
      { instanceLocation: '/filters/make', keyword: 'maxItems', error: 'must have at most 500 entries' },
    ]);
    const { json: around } = await agent.send(INFORMATION, { message: { extensions: many } });
    expect(around.error.data.details.errors).toEqual([
      {
        instanceLocation: '/params/message/extensions',
        keyword: 'maxItems',
        error: 'must have at most 500 entries',
      },
    ]);
  });

  it('survives the deepest nesting that a body can hold', async () => {
    const { json } = await agent.post('['.repeat(131_072) + ']'.repeat(131_072));
    expect(json.error.code).toBe(-32600);
    expect((await agent.post(call)).json.result).toBeDefined();
  });

  it.each([
    ['parts:[null]', { parts: [null] }],
    ['no parts', { parts: undefined }],
    ['empty parts', { parts: [] }],
    ['parts that are an object', { parts: { data: INFORMATION } }],
    ['a part with no content', { parts: [{}] }],
    ['a part with two contents', { parts: [{ data: INFORMATION, text: 'x' }] }],
    ['a part of text and null data', { parts: [{ data: null, text: 'x' }] }],
    ['only text', { parts: [{ text: 'find me a Honda' }] }],
    ['a part of an older version', { parts: [{ kind: 'file', file: { uri: 'https://x.example' } }] }],
    ['a text that is a number', { parts: [{ text: 5 }, { data: INFORMATION }] }],
    ['a mediaType that is a number', { parts: [{ data: INFORMATION, mediaType: 5 }] }],
    ['no messageId', { messageId: undefined }],
    ['an empty messageId', { messageId: '' }],
    ['a messageId that is a number', { messageId: 5 }],
    ['no role', { role: undefined }],
    ['the role user', { role: 'user' }],
    ['the role role_user', { role: 'role_user' }],
    ['the role of the agent', { role: 'ROLE_AGENT' }],
    ['the role 0', { role: 0 }],
    ['a contextId that is a number', { contextId: 5 }],
    ['data that is null', { parts: [{ data: null }] }],
    ['data that is a text', { parts: [{ data: 'dealer.information.request' }] }],
    ['data that is a list', { parts: [{ data: [INFORMATION] }] }],
    ['data without type', { parts: [{ data: {} }] }],
    ['a type that is a number', { parts: [{ data: { type: 5 } }] }],
  ])('refuses a message with %s', async (_what, message) => {
    const { status, json } = await agent.send(INFORMATION, { message });
    expect([status, json.id, json.error.code]).toEqual([200, 'req-1', -32602]);
    expect(json.error.data.type).toBe('aap.error');
    expect(json.error.data.details.errors.length).toBeGreaterThan(0);
    expect(json.error.message).not.toMatch(/TypeError|undefined/);
  });

  it.each([
    [undefined],
    [null],
    [[]],
    ['x'],
    [5],
    [{}],
    [{ message: null }],
    [{ message: [] }],
    [{ message: 'x' }],
  ])('refuses the params %j', async (params) => {
    const { json } = await agent.post({ ...call, params });
    expect([json.id, json.error.code]).toEqual(['req-1', -32602]);
  });

  it('names every fault of a message at once', async () => {
    const { json } = await agent.send(INFORMATION, {
      message: { messageId: 5, role: 'user', parts: [null, {}] },
    });
    expect(json.error.data.details.errors).toEqual([
      { instanceLocation: '/params/message/messageId', keyword: 'type', error: 'must be a string' },
      { instanceLocation: '/params/message/role', keyword: 'const', error: 'must be "ROLE_USER"' },
      { instanceLocation: '/params/message/parts/0', keyword: 'type', error: 'must be an object' },
      {
        instanceLocation: '/params/message/parts/1',
        keyword: 'oneOf',
        error: 'must have exactly one of "text", "raw", "url", "data"',
      },
    ]);
  });

  it('drops a byte order mark and replaces bytes that are no UTF-8', async () => {
    const bytes = Buffer.from(JSON.stringify({ ...call, id: 'x#y' }));
    bytes[bytes.indexOf('#')] = 0xff;
    const { json } = await agent.post(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]));
    expect(json.id).toBe('x\uFFFDy');
    expect(json.result).toBeDefined();
  });
});
