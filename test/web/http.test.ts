import { gzipSync } from 'node:zlib';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INFORMATION, openLiveAgent, sendMessage, speakRaw } from './live-agent.ts';
import type { LiveAgent } from './live-agent.ts';

let agent: LiveAgent;
beforeAll(async () => {
  agent = await openLiveAgent();
});
afterAll(() => agent.close());

const call = JSON.stringify(sendMessage(INFORMATION));
const LIMIT = 262_144;

/** What comes back first, while nothing more is sent. */
function firstAnswer(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect(agent.port, '127.0.0.1', () => socket.write(text));
    socket.on('error', reject);
    socket.on('data', (data) => {
      reply += data.toString();
      if (!/^HTTP\/1\.1 100 |\}$/.test(reply)) return;
      resolve(reply);
      socket.destroy();
    });
  });
}

/** A call of exactly so many bytes. */
function callOf(bytes: number): string {
  const body = sendMessage(INFORMATION, { message: { metadata: '#' } });
  return JSON.stringify(body).replace('#', 'x'.repeat(bytes - JSON.stringify(body).length + 1));
}

describe('the endpoint over HTTP', () => {
  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])('refuses %s with 405', async (method) => {
    const response = await fetch(`${agent.origin}/a2a`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    const text = await response.text();
    if (method === 'HEAD') expect(text).toBe('');
    else expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
  });

  it.each([
    'text/plain',
    'application/a2a+json',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/jsonp',
  ])('refuses the Content-Type %s with 415', async (type) => {
    const { status, json } = await agent.post(call, { 'Content-Type': type });
    expect([status, json.id, json.error.code]).toEqual([415, null, -32005]);
    expect(json.error.data[0].reason).toBe('CONTENT_TYPE_NOT_SUPPORTED');
  });

  it('refuses a missing Content-Type with 415', async () => {
    const head = `POST /a2a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${call.length}\r\n\r\n`;
    expect(await speakRaw(agent.port, head + call)).toMatch(/^HTTP\/1\.1 415 /);
  });

  it.each([
    ['application/json', 'text/plain'],
    ['text/plain', 'application/json'],
  ])('takes neither of two Content-Types: %s and %s', async (first, second) => {
    const head = [
      'POST /a2a HTTP/1.1',
      'Host: x',
      'Connection: close',
      `Content-Type: ${first}`,
      `Content-Type: ${second}`,
      `Content-Length: ${call.length}`,
    ];
    expect(await speakRaw(agent.port, `${head.join('\r\n')}\r\n\r\n${call}`)).toMatch(/^HTTP\/1\.1 415 /);
  });

  it.each(['http://cars.example.com/a2a', 'HTTPS://cars.example.com/a2a?A2A-Version=1.0', '/a2a?'])(
    'is reached by the request target %s',
    async (target) => {
      const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n`;
      const reply = await speakRaw(agent.port, `${head}Content-Length: ${call.length}\r\n\r\n${call}`);
      expect(reply).toContain('"dealer.information.response"');
    },
  );

  it('reads the version from the query of an absolute request target', async () => {
    const head =
      'POST http://cars.example.com/a2a?A2A-Version=2.0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
    const reply = await speakRaw(agent.port, `${head}Content-Length: ${call.length}\r\n\r\n${call}`);
    expect(reply).toContain('"code":-32009');
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('takes the Content-Type %s', async (type) => {
    expect((await agent.post(call, { 'Content-Type': type })).json.result).toBeDefined();
  });

  it('refuses compressed bodies with 415', async () => {
    const { status, json } = await agent.post(gzipSync(call), { 'Content-Encoding': 'gzip' });
    expect([status, json.error.code]).toEqual([415, -32005]);
    for (const none of ['identity', ' Identity ', '']) {
      expect((await agent.post(call, { 'Content-Encoding': none })).json.result).toBeDefined();
    }
  });

  it('takes a body of exactly the limit and refuses one byte more with 413', async () => {
    expect((await agent.post(callOf(LIMIT))).json.result).toBeDefined();
    const { status, json, headers } = await agent.post(callOf(LIMIT + 1));
    expect([status, json.id, json.error.code]).toEqual([413, null, -32600]);
    expect(headers.get('content-type')).toBe('application/json');
    expect((await agent.post(callOf(1_000_000))).status).toBe(413);
  });

  it('counts bytes while they come, whatever was announced, and hangs up on endless bodies', async () => {
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    const head =
      'POST /a2a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const reply = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(agent.port, '127.0.0.1');
      const pour = (): void => {
        while (socket.writable && socket.write(chunk));
      };
      socket.on('connect', () => socket.write(head, pour));
      socket.on('drain', pour);
      socket.on('data', (data) => (text += data.toString()));
      // Hanging up on somebody who still writes looks like a reset on some systems.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve(text));
    });
    expect(reply).toMatch(/^(HTTP\/1\.1 413 |$)/);
    expect((await agent.post(call)).json.result).toBeDefined();
  });

  describe.each(['/a2a', '/mcp'])('judges the head before it waits for a body, at %s', (path) => {
    const LONG = ['Content-Type: application/json', 'Content-Length: 300000'];
    const cases: [string, string, string[], number][] = [
      ['a body that is declared too long', 'POST', LONG, 413],
      ['a huge one whose sender asks whether to go on', 'POST', [...LONG, 'Expect: 100-continue'], 413],
      ['another method', 'PUT', LONG, 405],
      ['another Content-Type', 'POST', ['Content-Type: text/plain', 'Content-Length: 9'], 415],
      ['no Content-Type', 'POST', ['Content-Length: 9'], 415],
      [
        'a compressed body',
        'POST',
        ['Content-Type: application/json', 'Content-Encoding: gzip', 'Content-Length: 9'],
        415,
      ],
      ['a piece of a body to come', 'POST', ['Content-Type: text/csv', 'Transfer-Encoding: chunked'], 415],
      ['a second Host', 'POST', [...LONG, 'Host: y'], 400],
      ['another expectation', 'POST', [...LONG, 'Expect: a-miracle'], 417],
    ];
    it.each(cases)('answers %s at once', async (_what, method, lines, status) => {
      const head = [`${method} ${path} HTTP/1.1`, `Host: localhost:${agent.port}`, ...lines].join('\r\n');
      const reply = await firstAnswer(`${head}\r\n\r\n`);
      expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(reply).toMatch(/^Connection: close\r$/m);
      expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))).toHaveProperty('error.code');
    });

    it('and tells whoever asks to go on, where the body is welcome', async () => {
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost:${agent.port}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n`;
      const reply = await firstAnswer(`${head}Content-Length: ${call.length}\r\n\r\n`);
      expect(reply).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    });

    it('and refuses a body in pieces with the one that is too much', async () => {
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost:${agent.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const reply = await firstAnswer(`${head}${(LIMIT + 1).toString(16)}\r\n${'x'.repeat(LIMIT + 1)}`);
      expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    });

    it('and is heard by a sender who listens only after the last byte', async () => {
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost:${agent.port}\r\nContent-Type: application/json\r\n`;
      const socket = connect(agent.port, '127.0.0.1').pause();
      await new Promise((sent) => {
        socket.write(`${head}Content-Length: 1000000\r\n\r\n${'x'.repeat(1_000_000)}`, sent);
      });
      const chunks: Buffer[] = await socket.toArray();
      expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 413 [^]*"error"/);
    });
  });

  it('goes on with a call whose sender has asked whether to', async () => {
    const head = 'POST /a2a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
    const reply = await speakRaw(
      agent.port,
      `${head}Expect: 100-continue\r\nContent-Length: ${call.length}\r\n\r\n${call}`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK[^]*"result"/);
  });

  it('keeps the connection of a call that was refused but came whole', async () => {
    const refused = `POST /a2a HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`;
    const last = `POST /a2a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${call.length}\r\n\r\n${call}`;
    const replies = await speakRaw(agent.port, refused + last);
    expect(replies.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 415', 'HTTP/1.1 200']);
  });

  it('answers what is no HTTP in JSON', async () => {
    const reply = await speakRaw(agent.port, 'GARBAGE\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(reply).toContain('{"error":{"code":"BAD_HTTP"');
    const header = `POST /a2a HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
    const tooLong = await speakRaw(agent.port, header);
    expect(tooLong).toMatch(/^HTTP\/1\.1 431 /);
    expect(tooLong).toContain('The headers are longer than 16384 bytes.');
  });

  it('serves several calls on one connection', async () => {
    const request = (last: boolean) =>
      `POST /a2a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${last ? 'Connection: close\r\n' : ''}Content-Length: ${call.length}\r\n\r\n${call}`;
    const replies = await speakRaw(agent.port, request(false) + request(false) + request(true));
    expect(replies.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  });

  it('keeps on serving when callers hang up in the middle', async () => {
    const socket = connect(agent.port, '127.0.0.1');
    await new Promise<void>((resolve) => {
      socket.write(
        'POST /a2a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
        () => {
          socket.destroy();
          resolve();
        },
      );
    });
    expect((await agent.post(call)).json.result).toBeDefined();
  });

  it('tells nothing of what it is built with, and asks not to be sniffed or kept', async () => {
    for (const path of ['/a2a', '/nothing', '/.well-known/agent-card.json']) {
      const { headers } = await fetch(agent.origin + path);
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect((await agent.post(call)).headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/%', '/%ff', '/a2a/', '/A2A', '//a2a', '/..%2f..%2fetc/passwd'])(
    'answers %s in JSON',
    async (path) => {
      const reply = await speakRaw(
        agent.port,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(reply).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(reply).toMatch(/Content-Type: application\/json/i);
      expect(reply).not.toMatch(/<html|node_modules|at .*\.ts/i);
    },
  );

  it('lets browsers in', async () => {
    for (const path of ['/a2a', '/.well-known/agent-card.json']) {
      const { status, headers } = await fetch(agent.origin + path, {
        method: 'OPTIONS',
        headers: { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' },
      });
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-headers')).toContain('A2A-Version');
      expect(headers.get('access-control-allow-methods')).toContain('POST');
    }
    expect((await agent.post(call)).headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('closing the server', () => {
  it('lets the running call end, then hangs up', async () => {
    let finish = (): void => undefined;
    let started = (): void => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    const closing = await openLiveAgent({
      submit: () => {
        started();
        return new Promise((resolve) => {
          finish = () =>
            resolve({
              kind: 'answered',
              answer: { lead_id: 'lead_9', status: 'received' },
              message: 'Done.',
              replayed: false,
            });
        });
      },
    });
    const { leadRequest } = await import('../agent/payloads.ts');
    const answer = closing.send(leadRequest());
    await running;
    const closed = closing.close();
    await expect(closing.post(call)).rejects.toThrow();
    finish();
    expect((await answer).json.result.message.parts[0].data.data.lead_id).toBe('lead_9');
    await closed;
  });
});

describe('a place where nothing is', () => {
  it.each([
    ['/schemas/v1.3/__proto__', '/schemas/v1.3/__proto__'],
    [`/${'x'.repeat(5000)}`, `/${'x'.repeat(99)}`],
  ])('is named whole, unless it is long: %#', async (path, told) => {
    const response = await fetch(`${agent.origin}${path}`);
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: { code: 'NOT_FOUND', message: `There is nothing at ${told}.` } },
    ]);
  });
});
