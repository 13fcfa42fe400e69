import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INFORMATION, openLiveAgent, sendMessage } from './live-agent.ts';
import type { RpcReply } from '../agent/rpc-reply.ts';
import type { LiveAgent } from './live-agent.ts';

const AAP_URI = 'https://autoagentprotocol.org/extensions/aap/v1.3';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let agent: LiveAgent;
let strict: LiveAgent;
beforeAll(async () => {
  agent = await openLiveAgent();
  strict = await openLiveAgent({
    config: (config) => ({ ...config, a2a: { require_version_header: true, require_extension: true } }),
  });
});
afterAll(() => Promise.all([agent.close(), strict.close()]));

const info = (headers: Record<string, string> = {}) => agent.send(INFORMATION, { headers });
const errorInfo = (reason: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'a2a-protocol.org',
});

describe('A2A-Version', () => {
  it('may be absent', async () => {
    expect((await info()).json.result).toBeDefined();
  });

  it.each(['1.0', '1.0.0', '1.0.1', ' 1.0 '])('%j is served', async (version) => {
    expect((await info({ 'A2A-Version': version })).json.result).toBeDefined();
  });

  it.each(['', '0.3', '2.0', '1.7', '1', '1.0.x', '1.00', 'v1.0', '1.0, 0.3'])(
    '%j is refused',
    async (version) => {
      const { status, json } = await info({ 'A2A-Version': version });
      expect([status, json.id, json.error.code]).toEqual([200, 'req-1', -32009]);
      expect(json.error.data).toEqual([
        {
          ...errorInfo('VERSION_NOT_SUPPORTED'),
          metadata: { requestedVersion: version === '' ? '0.3' : version, supportedVersions: '1.0' },
        },
      ]);
    },
  );

  it('is read from the query only where no header came', async () => {
    const ask = async (query: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${agent.origin}/a2a?${query}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(sendMessage(INFORMATION)),
      });
      const reply = (await response.json()) as Partial<RpcReply>;
      return reply.error?.code;
    };
    expect(await ask('A2A-Version=1.0')).toBeUndefined();
    expect(await ask('A2A-Version=2.0')).toBe(-32009);
    expect(await ask('A2A-Version=')).toBe(-32009);
    expect(await ask('A2A-Version=2.0', { 'A2A-Version': '1.0' })).toBeUndefined();
  });

  it('is needed where the dealer says so', async () => {
    const { json } = await strict.send(INFORMATION, { headers: { 'A2A-Extensions': AAP_URI } });
    expect(json.error.code).toBe(-32009);
  });
});

describe('A2A-Extensions', () => {
  it.each([AAP_URI, ` ${AAP_URI} `, `https://other.example/x, ${AAP_URI}`, `${AAP_URI},${AAP_URI}`])(
    'activates and echoes AAP: %j',
    async (value) => {
      const { headers, json } = await info({ 'a2a-EXTENSIONS': value });
      expect(headers.get('a2a-extensions')).toBe(AAP_URI);
      expect(json.result).toBeDefined();
    },
  );

  it.each([
    'https://autoagentprotocol.org/extensions/aap/v1.2',
    AAP_URI.toUpperCase(),
    `${AAP_URI}/`,
    '',
    ',',
  ])('echoes nothing for %j and serves all the same', async (value) => {
    const { headers, json } = await info({ 'A2A-Extensions': value });
    expect(headers.get('a2a-extensions')).toBeNull();
    expect(json.result).toBeDefined();
  });

  it('is read in its present spelling only', async () => {
    const { headers } = await info({ 'X-A2A-Extensions': AAP_URI });
    expect(headers.get('a2a-extensions')).toBeNull();
  });

  it('is echoed beside errors, too', async () => {
    const { headers } = await agent.send({ type: 'nothing' }, { headers: { 'A2A-Extensions': AAP_URI } });
    expect(headers.get('a2a-extensions')).toBe(AAP_URI);
  });

  it.each([{}, { 'A2A-Extensions': 'https://autoagentprotocol.org/extensions/aap/v1.2' }])(
    'is needed where the dealer says so: %j',
    async (headers: Record<string, string>) => {
      const { status, json } = await strict.send(INFORMATION, {
        headers: { 'A2A-Version': '1.0', ...headers },
      });
      expect([status, json.error.code]).toEqual([200, -32008]);
      expect(json.error.data).toEqual([
        {
          ...errorInfo('EXTENSION_SUPPORT_REQUIRED'),
          metadata: { extensionUri: AAP_URI, requiredHeader: 'A2A-Extensions' },
        },
      ]);
      const activated = await strict.send(INFORMATION, {
        headers: { 'A2A-Version': '1.0', 'A2A-Extensions': AAP_URI },
      });
      expect(activated.json.result).toBeDefined();
    },
  );
});

describe('methods', () => {
  it.each([
    ['SendStreamingMessage', -32004, 'UNSUPPORTED_OPERATION'],
    ['SubscribeToTask', -32004, 'UNSUPPORTED_OPERATION'],
    ['GetExtendedAgentCard', -32004, 'UNSUPPORTED_OPERATION'],
    ['GetTask', -32004, 'UNSUPPORTED_OPERATION'],
    ['ListTasks', -32004, 'UNSUPPORTED_OPERATION'],
    ['CancelTask', -32004, 'UNSUPPORTED_OPERATION'],
    ['CreateTaskPushNotificationConfig', -32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    ['GetTaskPushNotificationConfig', -32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    ['ListTaskPushNotificationConfigs', -32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    ['DeleteTaskPushNotificationConfig', -32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  ])('%s is declined with %i', async (method, code, reason) => {
    const { status, json } = await agent.post({ ...sendMessage(INFORMATION), method });
    expect([status, json.id, json.error.code]).toEqual([200, 'req-1', code]);
    expect(json.error.data).toEqual([{ ...errorInfo(reason), metadata: {} }]);
  });

  it.each(['message/send', 'sendMessage', 'SENDMESSAGE', 'dealer.information', 'rpc.discover'])(
    '%s is not found',
    async (method) => {
      const { json } = await agent.post({ ...sendMessage(INFORMATION), method });
      expect(json.error.code).toBe(-32601);
      expect(json.error.data).toBeUndefined();
    },
  );
});

describe('the order of checks', () => {
  it('is version, method, extension, message, task, skill, media types, schema', async () => {
    const data: Record<string, unknown> = { type: 'x' };
    const part: Record<string, unknown> = { data, mediaType: 'text/plain' };
    const message: Record<string, unknown> = { messageId: 'm', role: 'user', parts: [part], taskId: 't-1' };
    const call = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { message } };
    const headers: Record<string, string> = { 'A2A-Version': '0.3' };
    const code = async () => {
      const { error } = (await strict.post(call, headers)).json;
      const details: unknown = error.data;
      return Array.isArray(details) ? error.code : error.data.code;
    };
    expect(await code()).toBe(-32009);
    headers['A2A-Version'] = '1.0';
    expect(await code()).toBe(-32004);
    call.method = 'SendMessage';
    expect(await code()).toBe(-32008);
    headers['A2A-Extensions'] = AAP_URI;
    expect(await code()).toBe('SCHEMA_VALIDATION_FAILED');
    message.role = 'ROLE_USER';
    expect(await code()).toBe(-32001);
    delete message.taskId;
    expect(await code()).toBe('UNSUPPORTED_SKILL');
    data.type = 'inventory.vehicle.request';
    expect(await code()).toBe(-32005);
    delete part.mediaType;
    expect(await code()).toBe('MISSING_REQUIRED_FIELD');
    data.stock = 'nowhere';
    expect(await code()).toBe('VEHICLE_NOT_FOUND');
  });
});

describe('the message of a request', () => {
  it('may use proto names, integer enums, nulls, and members that nobody knows', async () => {
    const { json } = await agent.post({
      jsonrpc: '2.0',
      id: 'req-1',
      method: 'SendMessage',
      extra: 1,
      params: {
        tenant: 'x',
        metadata: null,
        unknown: { a: [] },
        message: {
          message_id: 'm-1',
          context_id: 'c-1',
          task_id: null,
          role: 1,
          kind: 'message',
          extensions: [AAP_URI],
          reference_task_ids: ['t-1'],
          parts: [
            {
              data: { type: 'inventory.search.request', pagination: { skip: 0, limit: 1 } },
              media_type: 'application/vnd.autoagent.inventory-search-request+json',
              text: null,
              filename: null,
              kind: 'data',
            },
          ],
        },
        configuration: {
          accepted_output_modes: ['application/vnd.autoagent.inventory-search-response+json'],
          blocking: true,
          history_length: 3,
          task_push_notification_config: null,
        },
      },
    });
    expect(json.result.message.contextId).toBe('c-1');
    expect(json.result.message.parts[0].data.type).toBe('inventory.search.response');
  });

  it('may write whole numbers as doubles', async () => {
    const body = JSON.stringify(sendMessage('DATA')).replace(
      '"DATA"',
      '{"type":"inventory.search.request","filters":{"year_min":2020.0},"pagination":{"limit":20.0,"skip":0.0}}',
    );
    expect((await agent.post(body)).json.result.message.parts[0].data.data.limit).toBe(20);
  });

  it('is answered without its text parts being read', async () => {
    const parts = [
      { text: 'type: lead.submit.request' },
      { data: INFORMATION },
      { data: { type: 'nothing' } },
    ];
    const { json } = await agent.send(undefined, { message: { parts } });
    expect(json.result.message.parts[0].data.type).toBe('dealer.information.response');
  });

  it('may come twice with the same messageId', async () => {
    const [first, second] = [await info(), await info()];
    expect(first.json.result.message.messageId).not.toBe(second.json.result.message.messageId);
  });

  it.each([
    ['camelCase', { taskId: 't-1' }],
    ['the proto name', { task_id: 't-1' }],
  ])('has no task to go on with, in %s', async (_what, message) => {
    const { json } = await agent.send(INFORMATION, { message });
    expect(json.error.code).toBe(-32001);
    expect(json.error.data[0].reason).toBe('TASK_NOT_FOUND');
  });

  it('cannot ask for push notifications', async () => {
    const params = { configuration: { taskPushNotificationConfig: { url: 'https://x.example' } } };
    expect((await agent.send(INFORMATION, { params })).json.error.code).toBe(-32003);
  });

  it.each([
    'application/vnd.autoagent.dealer-information-request+json',
    'application/json',
    'Application/JSON; charset=utf-8',
    null,
    '',
  ])('may call its part %j', async (mediaType) => {
    const { json } = await agent.send(undefined, { message: { parts: [{ data: INFORMATION, mediaType }] } });
    expect(json.result).toBeDefined();
  });

  it.each(['text/plain', 'application/vnd.autoagent.lead-submit-request+json', 'application/*'])(
    'may not call its part %j',
    async (mediaType) => {
      const { json } = await agent.send(undefined, {
        message: { parts: [{ data: INFORMATION, mediaType }] },
      });
      expect(json.error.code).toBe(-32005);
      expect(json.error.data[0].reason).toBe('CONTENT_TYPE_NOT_SUPPORTED');
    },
  );

  it.each([
    [[]],
    [null],
    [['application/vnd.autoagent.dealer-information-response+json']],
    [['application/json']],
    [['text/plain', 'application/*']],
    [['*/*']],
  ])('may accept %j', async (acceptedOutputModes) => {
    const { json } = await agent.send(INFORMATION, { params: { configuration: { acceptedOutputModes } } });
    expect(json.result).toBeDefined();
  });

  it.each([
    [['text/plain'], -32005],
    [['application/vnd.autoagent.lead-submit-response+json'], -32005],
    [['application/json', 5], -32602],
    ['application/json', -32602],
  ])('may not accept only %j', async (acceptedOutputModes, code) => {
    const { json } = await agent.send(INFORMATION, { params: { configuration: { acceptedOutputModes } } });
    expect(json.error.code).toBe(code);
  });
});

describe('a result', () => {
  it('is a message and nothing else', async () => {
    const { json, headers } = await info();
    expect(Object.keys(json)).toEqual(['jsonrpc', 'id', 'result']);
    expect(Object.keys(json.result)).toEqual(['message']);
    const { message } = json.result;
    expect(Object.keys(message).sort()).toEqual(['contextId', 'messageId', 'parts', 'role']);
    expect(message.messageId).toMatch(UUID);
    expect(message.contextId).toMatch(UUID);
    expect(message.role).toBe('ROLE_AGENT');
    expect(message.parts).toHaveLength(1);
    expect(Object.keys(message.parts[0]).sort()).toEqual(['data', 'mediaType']);
    expect(message.parts[0].mediaType).toBe('application/vnd.autoagent.dealer-information-response+json');
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('keeps the contextId of the request', async () => {
    const { json } = await agent.send(INFORMATION, { message: { contextId: 'my "context"' } });
    expect(json.result.message.contextId).toBe('my "context"');
  });
});
