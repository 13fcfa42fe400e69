import { once } from 'node:events';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { HttpSourceConfig } from '../../src/config/config.ts';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from './loopback-certificate.ts';
import { SourceBench } from './source-bench.ts';

let bench: SourceBench;
beforeEach(async () => {
  bench = await SourceBench.open();
});
afterEach(() => bench.dealership.close());

const CSV = 'vin,make\n1HGCY2F57RA000001,Honda\n';
const CHANGED_AT = 'Thu, 30 Apr 2026 10:15:00 GMT';

/** A server on loopback that keeps the requests it got; the address ends in a slash. */
async function serve(answer: RequestListener, { isSecure = false } = {}) {
  const requests: IncomingMessage[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(request);
    answer(request, response);
  };
  const server = isSecure
    ? createSecureServer({ key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE }, listener)
    : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { requests, port, url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}/` };
}

function source(url: string, over: Partial<HttpSourceConfig> = {}): HttpSourceConfig {
  return { kind: 'http', url, every_ms: 60_000, ...over };
}

const answerCsv: RequestListener = (_request, response) => void response.end(CSV);

describe('a download', () => {
  it('lands in the inbox under the last piece of its address, with the time that the server says', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'last-modified': CHANGED_AT });
      response.end(CSV);
    });
    expect(await bench.look(source(`${url}export/lot.csv?key=1`))).toEqual(['lot.csv']);
    expect(await bench.inbox()).toEqual({ 'lot.csv': CSV });
    expect((await stat(bench.inboxPath('lot.csv'))).mtime.toUTCString()).toBe(CHANGED_AT);
    expect(await bench.unfinished()).toEqual([]);
  });

  it('asks only for what is newer than what it has, also after a restart', async () => {
    const { url, requests } = await serve((request, response) => {
      const isKnown = request.headers['if-none-match'] === '"v1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"v1"', 'last-modified': CHANGED_AT });
      response.end(isKnown ? undefined : CSV);
    });
    const lot = source(`${url}lot.csv`);
    await bench.look(lot);
    await bench.takeAway('lot.csv');
    expect(await bench.look(lot)).toEqual([]);
    expect(requests[0]?.headers).not.toHaveProperty('if-none-match');
    expect(requests[1]?.headers).toMatchObject({ 'if-none-match': '"v1"', 'if-modified-since': CHANGED_AT });
    expect(await bench.inbox()).toEqual({});
  });

  it('does not land the same bytes twice when the server says nothing about its age', async () => {
    let text = CSV;
    const { url } = await serve((_request, response) => void response.end(text));
    const lot = source(`${url}lot.csv`);
    await bench.look(lot);
    await bench.takeAway('lot.csv');
    expect(await bench.look(lot)).toEqual([]);
    text = `${CSV}1HGCY2F57RA000002,Honda\n`;
    expect(await bench.look(lot)).toEqual(['lot.csv']);
    expect(await bench.inbox()).toEqual({ 'lot.csv': text });
  });

  it('forgets what another address has brought', async () => {
    const { url } = await serve(answerCsv);
    await bench.look(source(`${url}lot.csv`));
    await bench.takeAway('lot.csv');
    expect(await bench.look(source(`${url}lot.csv?store=2`))).toEqual(['lot.csv']);
  });

  it('waits while an earlier file of its name lies in the inbox', async () => {
    const { url, requests } = await serve(answerCsv);
    await mkdir(bench.feed.folder, { recursive: true });
    await writeFile(bench.inboxPath('lot.csv'), 'earlier');
    expect(await bench.look(source(`${url}lot.csv`))).toEqual([]);
    expect(await bench.inbox()).toEqual({ 'lot.csv': 'earlier' });
    expect(requests).toHaveLength(0);
  });

  it('brings its own marker when the feed waits for one', async () => {
    const { url } = await serve(answerCsv);
    await bench.look(source(`${url}lot.csv`), { feed: { done_marker: '.done' } });
    expect(await bench.inbox()).toEqual({ 'lot.csv': CSV, 'lot.csv.done': '' });
  });

  it.each([
    ['%2e%2e%2f%2e%2e%2fetc%2fpasswd', '__.._etc_passwd'],
    ['.hidden.csv', '_hidden.csv'],
    ['lot.csv.part', 'lot-lot.csv.part.feed'],
    ['', 'file'],
    ['%ff', '%ff'],
  ])('cannot leave the inbox or hide in it by its name: %j', async (name, landed) => {
    const { url } = await serve(answerCsv);
    expect(await bench.look(source(`${url}${name}`))).toEqual([landed]);
    expect(Object.keys(await bench.inbox())).toEqual([landed]);
  });
});

describe('signing in', () => {
  it('sends user and password, or a token', async () => {
    const { url, requests } = await serve(answerCsv);
    await bench.look(source(`${url}a.csv`, { auth: { kind: 'basic', user: 'dealer', password: 'p:w' } }));
    await bench.look(source(`${url}b.csv`, { auth: { kind: 'bearer', token: 't0k' } }));
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${Buffer.from('dealer:p:w').toString('base64')}`,
      'Bearer t0k',
    ]);
  });

  it.each([401, 403])('tells a refusal (%i) from a failure', async (status) => {
    const { url } = await serve((_request, response) => void response.writeHead(status).end('no'));
    const fault = await bench.fault(source(`${url}lot.csv`));
    expect(fault).toMatchObject({ message: `the server answers ${status}`, isRefusal: true });
  });
});

describe('what is not a whole file does not land', () => {
  afterEach(async () => {
    expect(await bench.inbox()).toEqual({});
    expect(await bench.unfinished()).toEqual([]);
  });

  it('fewer bytes than announced', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write(CSV, () => response.destroy());
    });
    expect((await bench.fault(source(`${url}lot.csv`))).message).not.toBe('');
  });

  it('pieces without the last one', async () => {
    const { url } = await serve((_request, response) => {
      response.write(CSV, () => response.destroy());
    });
    expect((await bench.fault(source(`${url}lot.csv`))).message).not.toBe('');
  });

  it('more bytes than allowed', async () => {
    const { url } = await serve((_request, response) => void response.end('x'.repeat(101)));
    const fault = await bench.fault(source(`${url}lot.csv`), { limits: { maxFileBytes: 100 } });
    expect(fault.message).toBe('the file is larger than 100 bytes');
  });

  it('a server that falls silent in the middle', async () => {
    const { url } = await serve((_request, response) => void response.write(CSV));
    const fault = await bench.fault(source(`${url}lot.csv`), { limits: { quietMs: 100 } });
    expect(fault.message).toBe('nothing came for 0 seconds');
  });

  it('a server that drips for ever', async () => {
    const { url } = await serve((_request, response) => {
      const drip = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(drip));
    });
    const fault = await bench.fault(source(`${url}lot.csv`), { limits: { lookMs: 1000 } });
    expect(fault.message).toBe('not done within 1 seconds');
  });

  it.each([
    [500, 'an error page', 'the server answers 500'],
    [404, 'no such page', 'the server answers 404'],
    [206, 'a part', 'the server answers 206'],
    [200, '', 'the file came empty'],
  ])('an answer %i %j', async (status, text, message) => {
    const { url } = await serve((_request, response) => void response.writeHead(status).end(text));
    expect(await bench.fault(source(`${url}lot.csv`))).toMatchObject({ message, isRefusal: false });
  });

  it('a packing that was not asked for', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' });
      response.end(CSV);
    });
    expect((await bench.fault(source(`${url}lot.csv`))).message).toMatch(/packs the file/);
  });
});

describe('redirects', () => {
  const to =
    (location: string): RequestListener =>
    (_request, response) =>
      void response.writeHead(302, { location }).end();

  it('are followed on the same server', async () => {
    const { url, requests } = await serve((request, response) => {
      if (request.url === '/lot.csv') to('/today/1.csv')(request, response);
      else response.end(CSV);
    });
    expect(await bench.look(source(`${url}lot.csv`))).toEqual(['lot.csv']);
    expect(requests.map((request) => request.url)).toEqual(['/lot.csv', '/today/1.csv']);
  });

  it('are not followed to another one, which gets no password either', async () => {
    const other = await serve(answerCsv);
    const { url } = await serve(to(`${other.url}lot.csv`));
    const auth = { kind: 'bearer', token: 'secret' } as const;
    const fault = await bench.fault(source(`${url}lot.csv`, { auth }));
    expect(fault.message).toContain(`sends us to another one, 127.0.0.1:${other.port}`);
    expect(other.requests).toHaveLength(0);
  });

  it('are not followed from https to plain http', async () => {
    const { url, requests } = await serve(
      (request, response) => to(`http://${request.headers.host ?? ''}/lot.csv`)(request, response),
      { isSecure: true },
    );
    const fault = await bench.fault(source(`${url}lot.csv`, { ca: LOOPBACK_CERTIFICATE }));
    expect(fault.message).toBe('the server sends us from https to plain http');
    expect(requests).toHaveLength(1);
  });

  it('end after five', async () => {
    const { url, requests } = await serve(to('/lot.csv'));
    expect((await bench.fault(source(`${url}lot.csv`))).message).toBe('more than 5 redirects');
    expect(requests).toHaveLength(6);
  });
});

describe('https', () => {
  it('takes the certificate of a private authority that the settings name', async () => {
    const { url } = await serve(answerCsv, { isSecure: true });
    expect(await bench.look(source(`${url}lot.csv`, { ca: LOOPBACK_CERTIFICATE }))).toEqual(['lot.csv']);
  });

  it('trusts no other', async () => {
    const { url, requests } = await serve(answerCsv, { isSecure: true });
    expect((await bench.fault(source(`${url}lot.csv`))).message).toMatch(/self-signed certificate/);
    expect(requests).toHaveLength(0);
  });
});
