import { afterAll, beforeAll, expect, it } from 'vitest';
import { INFORMATION, openLiveAgent, sendMessage } from '../web/live-agent.ts';
import type { LiveAgent } from '../web/live-agent.ts';

let agent: LiveAgent;
beforeAll(async () => {
  agent = await openLiveAgent();
});
afterAll(() => agent.close());

it.each([
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
])('%s is told to belong to A2A 0.3', async (method) => {
  const { status, json } = await agent.post({ ...sendMessage(INFORMATION), method });
  expect([status, json.id, json.error.code]).toEqual([200, 'req-1', -32601]);
  expect(json.error.message).toBe(
    `Method not found: ${method} belongs to A2A 0.3; this agent answers SendMessage (A2A 1.0)`,
  );
  expect(Object.keys(json.error)).toEqual(['code', 'message']);
});

it.each(['initialize', 'tools/list', 'rpc.discover', 'x'.repeat(5000)])(
  'any other name is no method: %s',
  async (method) => {
    const { error } = (await agent.post({ ...sendMessage(INFORMATION), method })).json;
    expect(error).toEqual({
      code: -32601,
      message: 'Method not found: this agent answers SendMessage (A2A 1.0)',
    });
  },
);
