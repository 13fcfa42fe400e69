import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerLimits } from '../../src/config/config.ts';
import { leadRequest } from '../agent/payloads.ts';
import { INFORMATION, openLiveAgent, sendMessage, speakRaw } from './live-agent.ts';
import type { LiveAgent } from './live-agent.ts';
import type { DealershipOptions } from '../agent/dealership.ts';

const opened: LiveAgent[] = [];
async function open(limits: Partial<ServerLimits>, more: DealershipOptions = {}, proxies: string[] = []) {
  const agent = await openLiveAgent({
    ...more,
    config: (config) => {
      const { server } = config;
      const changed = { trusted_proxies: proxies, limits: { ...server.limits, ...limits } };
      return { ...config, server: { ...server, ...changed } };
    },
  });
  opened.push(agent);
  return agent;
}
const held: Socket[] = [];
afterEach(() => {
  for (const socket of held.splice(0)) socket.destroy();
  return Promise.all(opened.splice(0).map((agent) => agent.close()));
});

const body = JSON.stringify(sendMessage(INFORMATION));
const HEAD = 'POST /a2a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const CALL = `${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`;
const LAST_CALL = CALL.replace('Host: x', 'Host: x\r\nConnection: close');
const ANSWERED = /HTTP\/1\.1 200 OK/g;

async function hold(agent: LiveAgent): Promise<Socket> {
  const socket = connect(agent.port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.resume();
  held.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Drips one byte after the other for as long as the server listens; returns what it answers. */
function drip(port: number, begin: string, drop: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(begin));
    const drops = setInterval(() => socket.write(drop), 50);
    socket.on('data', (data) => (text += data.toString()));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearInterval(drops);
      resolve(text);
    });
  });
}

describe('somebody slow', () => {
  it('who never ends the headers is told 408 and loses the connection', async () => {
    const agent = await open({ header_timeout_seconds: 0.3, request_timeout_seconds: 0.5 });
    expect(await drip(agent.port, 'POST /a2a HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n')).toMatch(
      /^HTTP\/1\.1 408 /,
    );
    expect((await agent.send(INFORMATION)).json.result).toBeDefined();
  });

  it('who never ends the body loses the connection', async () => {
    const agent = await open({ header_timeout_seconds: 0.3, request_timeout_seconds: 0.5 });
    const reply = await drip(agent.port, `${HEAD}Content-Length: 100000\r\n\r\n{`, ' ');
    expect(reply).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  it('who says nothing at all loses the connection', async () => {
    const agent = await open({ header_timeout_seconds: 0.3, idle_timeout_seconds: 0.3 });
    const socket = await hold(agent);
    await once(socket, 'close');
  });

  it('who keeps the connection without a next call loses it', async () => {
    const agent = await open({ keep_alive_seconds: 0.2 });
    expect(await speakRaw(agent.port, CALL)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: keep-alive/);
  });
});

describe('connections', () => {
  it('beyond those of one address are closed, and room comes back', async () => {
    const agent = await open({ max_connections_per_client: 2 });
    const [first] = [await hold(agent), await hold(agent)];
    const third = await hold(agent);
    await once(third, 'close');
    first.destroy();
    await expect.poll(() => speakRaw(agent.port, LAST_CALL).catch(() => '')).toMatch(ANSWERED);
  });

  it('of a trusted proxy are not counted', async () => {
    const agent = await open({ max_connections_per_client: 2 }, {}, ['127.0.0.1']);
    await Promise.all([hold(agent), hold(agent), hold(agent)]);
    expect(await speakRaw(agent.port, LAST_CALL)).toMatch(ANSWERED);
  });

  it('beyond those of all together are closed', async () => {
    const agent = await open({ max_connections: 2 });
    await Promise.all([hold(agent), hold(agent)]);
    const third = await hold(agent);
    await once(third, 'close');
  });

  it('end after so many calls, the last one answered', async () => {
    const agent = await open({ max_requests_per_connection: 2 });
    const replies = await speakRaw(agent.port, CALL + CALL);
    expect(replies.match(ANSWERED)).toHaveLength(2);
    expect(replies.match(/Connection: close/g)).toHaveLength(1);
  });

  it('may have so many calls waiting, and are closed with one more', async () => {
    const finished: (() => void)[] = [];
    const submit: DealershipOptions['submit'] = () =>
      new Promise((resolve) => {
        const answer = { lead_id: 'lead_1', status: 'received' as const };
        finished.push(() => resolve({ kind: 'answered', answer, message: 'Done.', replayed: false }));
      });
    const agent = await open({ max_pipelined_requests: 3 }, { submit });
    const lead = JSON.stringify(sendMessage(leadRequest()));
    const slow = `${HEAD}Content-Length: ${Buffer.byteLength(lead)}\r\n\r\n${lead}`;
    const flood = speakRaw(agent.port, slow.repeat(4)).catch(() => '');
    expect(await flood).toBe('');
    for (const finish of finished) finish();
    expect((await speakRaw(agent.port, CALL + CALL + LAST_CALL)).match(ANSWERED)).toHaveLength(3);
  });
});

describe('headers', () => {
  const withHeaders = (count: number): string => {
    const lines = Array.from({ length: count }, (_, index) => `X-${index}: y\r\n`).join('');
    return `${HEAD}Connection: close\r\n${lines}Content-Length: ${body.length}\r\n\r\n${body}`;
  };

  it('may be so many and not one more', async () => {
    const agent = await open({ max_headers: 20 });
    expect(await speakRaw(agent.port, withHeaders(16))).toMatch(/^HTTP\/1\.1 200 /);
    const reply = await speakRaw(agent.port, withHeaders(17));
    expect(reply).toMatch(/^HTTP\/1\.1 431 /);
    expect(reply).toContain('"The request has more than 20 headers."');
    for (const many of [18, 40, 300]) {
      expect(await speakRaw(agent.port, withHeaders(many))).toContain(
        '"The request has more than 20 headers."',
      );
    }
  });

  it('may be so long and not longer', async () => {
    const agent = await open({ max_header_bytes: 2048 });
    const reply = await speakRaw(agent.port, `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(2048)}\r\n\r\n`);
    expect(reply).toContain('The headers are longer than 2048 bytes.');
  });
});

describe('what the server itself has to refuse is told in JSON', () => {
  const rest = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  it.each([
    ['no Host in HTTP/1.1', '', 400],
    ['two Hosts', 'Host: x\r\nHost: y\r\n', 400],
    ['an unknown expectation', 'Host: x\r\nExpect: a-miracle\r\n', 417],
  ])('%s', async (_name, head, status) => {
    const agent = await open({});
    const reply = await speakRaw(agent.port, `POST /a2a HTTP/1.1\r\n${head}${rest}`);
    expect(reply).toContain(`HTTP/1.1 ${status} `);
    expect(reply).toContain('Content-Type: application/json');
    expect(reply).toContain('{"error":{"code":"BAD_HTTP"');
  });

  it('no Host in HTTP/1.0 is fine', async () => {
    const agent = await open({});
    expect(await speakRaw(agent.port, `POST /a2a HTTP/1.0\r\n${rest}`)).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});
