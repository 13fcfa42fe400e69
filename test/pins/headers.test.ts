import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INFORMATION, openLiveAgent, sendMessage, speakRaw } from '../web/live-agent.ts';
import type { LiveAgent } from '../web/live-agent.ts';

let agent: LiveAgent;
beforeAll(async () => {
  agent = await openLiveAgent();
});
afterAll(() => agent.close());

/** Header lines as they go over the wire, which fetch would join. */
function postLines(lines: string[], target = '/a2a'): Promise<string> {
  const body = JSON.stringify(sendMessage(INFORMATION));
  const head = [
    `POST ${target} HTTP/1.1`,
    'Host: x',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...lines,
  ];
  return speakRaw(agent.port, `${head.join('\r\n')}\r\n\r\n${body}`);
}

describe('A2A-Version', () => {
  it('is one version as long as every line says the same', async () => {
    expect(await postLines(['A2A-Version: 1.0', 'A2A-Version: 1.0.1'])).toContain('"result"');
    for (const other of ['0.3', '', '1.1']) {
      expect(await postLines(['A2A-Version: 1.0', `A2A-Version: ${other}`])).toContain('"code":-32009');
    }
    expect(await postLines([], '/a2a?A2A-Version=1.0&A2A-Version=1.0')).toContain('"result"');
    expect(await postLines([], '/a2a?A2A-Version=1.0&A2A-Version=2.0')).toContain('"code":-32009');
  });
});

describe('A2A-Extensions', () => {
  it('is found on the second of two lines', async () => {
    const reply = await postLines([
      'a2a-extensions: https://other.example/x, https://other.example/y',
      'A2A-EXTENSIONS:   https://autoagentprotocol.org/extensions/aap/v1.3',
    ]);
    expect(reply).toContain('\r\nA2A-Extensions: https://autoagentprotocol.org/extensions/aap/v1.3\r\n');
    expect(reply).toContain('"result"');
  });
});

describe('a member of the message', () => {
  it.each([
    ['messageId', 'message_id', 'm-1'],
    ['contextId', 'context_id', 'c-1'],
    ['taskId', 'task_id', 't-1'],
  ])('may stand under one of its two names only: %s', async (name, protoName, value) => {
    const { json } = await agent.send(INFORMATION, { message: { [name]: value, [protoName]: value } });
    expect(json.error.code).toBe(-32602);
    expect(json.error.data.details.errors).toEqual([
      {
        instanceLocation: `/params/message/${name}`,
        keyword: 'not',
        error: `must not be given a second time as "${protoName}"`,
      },
    ]);
  });

  it('counts under the name that is set when the other one is null', async () => {
    const context = await agent.send(INFORMATION, { message: { contextId: null, context_id: 'c-1' } });
    expect(context.json.result.message.contextId).toBe('c-1');
    const other = await agent.send(INFORMATION, { message: { contextId: 'c-2', context_id: null } });
    expect(other.json.result.message.contextId).toBe('c-2');
    const task = await agent.send(INFORMATION, { message: { taskId: null, task_id: 't-1' } });
    expect(task.json.error.code).toBe(-32001);
  });

  it('is read once in parts and configuration, too', async () => {
    const part = { data: INFORMATION, mediaType: 'application/json', media_type: 'application/json' };
    const parts = await agent.send(undefined, { message: { parts: [part] } });
    expect(parts.json.error.data.details.errors).toMatchObject([
      { instanceLocation: '/params/message/parts/0/mediaType', keyword: 'not' },
    ]);
    const configuration = { acceptedOutputModes: [], accepted_output_modes: ['text/plain'] };
    const modes = await agent.send(INFORMATION, { params: { configuration } });
    expect(modes.json.error.data.details.errors).toMatchObject([
      { instanceLocation: '/params/configuration/acceptedOutputModes', keyword: 'not' },
    ]);
  });
});
