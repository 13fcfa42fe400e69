import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { HttpSourceConfig, SftpSourceConfig, SourceConfig } from '../../src/config/config.ts';
import { reasonOf } from '../../src/feeds/sources/source-words.ts';
import { PASSWORD, remoteLot, USER, type RemoteLot } from './remote-lot.ts';
import { startSftp } from './sftp-server.ts';
import { SourceBench } from './source-bench.ts';

let bench: SourceBench;
let lot: RemoteLot;
beforeEach(async () => {
  bench = await SourceBench.open();
  lot = remoteLot();
});
afterEach(() => bench.dealership.close());

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function http(url: string): HttpSourceConfig {
  return { kind: 'http', url, every_ms: 60_000 };
}

async function sftp(over: Partial<SftpSourceConfig> = {}): Promise<SftpSourceConfig> {
  const { port, fingerprint } = await startSftp(lot);
  const login = { user: USER, password: PASSWORD, host_key: fingerprint };
  const place = { host: '127.0.0.1', port, folder: '/outgoing', take: 'newest', every_ms: 60_000 } as const;
  return { kind: 'sftp', ...place, ...login, ...over };
}

const HOUR_S = 3600;

describe('a web server', () => {
  it('that answers "not changed" unasked brings nothing, and that is told', async () => {
    const url = await serve((_request, response) => void response.writeHead(304).end());
    const fault = await bench.fault(http(`${url}lot.csv`));
    expect(fault.message).toBe(
      'the server answers 304 (not changed) though it was not asked whether the file has changed',
    );
  });

  it.each(['file:///etc/passwd', 'data:text/csv,vin', 'ftp://127.0.0.1/lot.csv'])(
    'that sends us to %s is not followed',
    async (location) => {
      const url = await serve((_request, response) => void response.writeHead(302, { location }).end());
      const scheme = location.replace(/:.*$/, ':');
      expect((await bench.fault(http(`${url}lot.csv`))).message).toBe(
        `the server sends us to a ${scheme} address, which is none of the web`,
      );
      expect(await bench.inbox()).toEqual({});
    },
  );

  it('that announces more than is allowed is not read', async () => {
    let sent = 0;
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 5_000_000_000 });
      response.flushHeaders();
      response.on('drain', () => (sent += 1));
    });
    const fault = await bench.fault(http(`${url}lot.csv`), { limits: { maxFileBytes: 1000 } });
    expect(fault.message).toBe('the file is larger than 1000 bytes');
    expect(sent).toBe(0);
    expect(await bench.unfinished()).toEqual([]);
  });

  it('whose clock runs ahead does not keep later files out', async () => {
    let changedAt = 'Fri, 01 Jan 2038 00:00:00 GMT';
    let text = 'vin\n1\n';
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'last-modified': changedAt }).end(text);
    });
    expect(await bench.look(http(`${url}lot.csv`))).toEqual(['lot.csv']);
    await bench.takeAway('lot.csv');
    changedAt = new Date().toUTCString();
    text = 'vin\n2\n';
    expect(await bench.look(http(`${url}lot.csv`))).toEqual(['lot.csv']);
  });

  it.each([
    ['*.txt', 'lot.csv', 'the inbox would leave lot.csv alone: "files" of the feed is *.txt'],
    ['*', 'lot.rejects.csv', 'lot.rejects.csv is called like a list of refused rows, which is no export'],
  ])('whose file the inbox (%s) would never take is not asked for %s', async (files, name, message) => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.end('vin\n');
    });
    expect((await bench.fault(http(url + name), { feed: { files } })).message).toBe(message);
    expect(asked).toBe(0);
  });

  it('is asked again for what has not changed when a person wants it so', async () => {
    const url = await serve((request, response) => {
      const isKnown = request.headers['if-none-match'] === '"v1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"v1"' }).end(isKnown ? undefined : 'vin\n');
    });
    await bench.look(http(`${url}lot.csv`));
    await bench.takeAway('lot.csv');
    expect(await bench.look(http(`${url}lot.csv`))).toEqual([]);
    expect(await bench.look(http(`${url}lot.csv`), { again: true })).toEqual(['lot.csv']);
  });
});

describe('what a look finds besides files that land', () => {
  it('an earlier file of the name that still lies in the inbox', async () => {
    const url = await serve((_request, response) => void response.end('vin\n'));
    await bench.look(http(`${url}lot.csv`));
    expect(await bench.find(http(`${url}lot.csv`))).toEqual({ landed: [], offered: 1, waits: 'lot.csv' });
  });

  it('the file that was fetched before, unchanged', async () => {
    const changedAt = 1_777_544_100;
    lot.files.set('lot.csv', { text: 'vin\n', changedAt });
    const source = await sftp();
    await bench.look(source);
    await bench.takeAway('lot.csv');
    const { unchanged, landed } = await bench.find(source);
    expect(landed).toEqual([]);
    expect(unchanged?.modified_at).toBe(changedAt * 1000);
  });

  it('nothing at all in a folder without a file of the feed', async () => {
    lot.files.set('other.txt', { text: 'x', changedAt: 1 });
    expect(await bench.find(await sftp(), { feed: { files: '*.csv' } })).toEqual({ landed: [], offered: 0 });
  });
});

describe('a folder over SFTP', () => {
  it('with a file dated into the future still shows later ones', async () => {
    const now = Math.floor(bench.dealership.now / 1000);
    lot.files.set('ahead.csv', { text: 'ahead', changedAt: now + 900 * HOUR_S });
    const source = await sftp();
    expect(await bench.look(source)).toEqual(['ahead.csv']);
    bench.dealership.now += 2 * HOUR_S * 1000;
    lot.files.set('later.csv', { text: 'later', changedAt: now + HOUR_S });
    expect(await bench.look(source)).toEqual(['later.csv']);
    expect(await bench.look(source)).toEqual([]);
  });

  it('that is silent when asked for its list is given up', async () => {
    lot.isSilent = true;
    const fault = await bench.fault(await sftp(), { limits: { quietMs: 1000 } });
    expect(fault.message).toBe('the server did not answer for 1 seconds');
  });

  it('that is not there is named', async () => {
    lot.isMissing = true;
    const fault = await bench.fault(await sftp());
    expect(fault.message).toBe('the folder /outgoing cannot be listed: No such file or directory');
  });

  it('lets no change of a delta feed overtake one that waits', async () => {
    lot.files.set('a.csv', { text: 'a1', changedAt: 100 });
    const source = await sftp({ take: 'all' });
    await bench.look(source, { feed: { mode: 'delta' } });
    lot.files.set('a.csv', { text: 'a2', changedAt: 200 });
    lot.files.set('b.csv', { text: 'b1', changedAt: 300 });
    const findings = await bench.find(source, { feed: { mode: 'delta' } });
    expect(findings).toMatchObject({ landed: [], waits: 'a.csv' });
    await bench.takeAway('a.csv');
    expect(await bench.look(source, { feed: { mode: 'delta' } })).toEqual(['a.csv', 'b.csv']);
  });
});

it('a download of a program that was killed is swept away once no look can be at it any more', async () => {
  const url = await serve((_request, response) => void response.end('vin\n'));
  const folder = path.join(bench.dealership.folder, 'sources');
  await mkdir(folder, { recursive: true });
  const names = ['lot.0123abcd.download', 'lots.0123abcd.download'];
  for (const name of names) await writeFile(path.join(folder, name), 'half');
  const look = (lookMs: number): Promise<string[]> =>
    bench.look(http(`${url}lot.csv`), { limits: { lookMs }, again: true });
  await look(3_600_000);
  expect(await bench.unfinished()).toEqual(names);
  await vi.waitFor(async () => {
    await bench.takeAway('lot.csv').catch(() => undefined);
    await look(1000);
    expect(await bench.unfinished()).toEqual(['lots.0123abcd.download']);
  }, 20_000);
});

describe('the words for a failed look', () => {
  const source: SourceConfig = {
    kind: 'http',
    url: 'https://example.com/lot.csv?key=t0kenvalue&n=1',
    every_ms: 1,
    auth: { kind: 'basic', user: 'me', password: 'correct horse' },
  };

  it('hold no secret, not even one that straddles the cut of a long answer', () => {
    const told = reasonOf(new Error(`550 ${'x'.repeat(190)}correct horse key=t0kenvalue&n=1`), source);
    expect(told).not.toMatch(/correct|t0ken/);
    expect(reasonOf(new Error('no correct horse at t0kenvalue'), source)).toBe('no [removed] at [removed]');
  });

  it.each([
    [
      'ECONNREFUSED',
      'connect ECONNREFUSED ::1:80',
      'nobody answers at this address and port (connect ECONNREFUSED ::1:80)',
    ],
    ['CERT_HAS_EXPIRED', 'expired', 'the certificate of the server has expired (expired)'],
    ['ENOTFOUND', '', 'there is no server of this name (ENOTFOUND)'],
    ['EWHAT', 'who knows', 'who knows'],
  ])('say what %s means', (code, message, words) => {
    expect(reasonOf(Object.assign(new Error(message), { code }), source)).toBe(words);
    expect(reasonOf(new Error(message === '' ? code : message, { cause: { code } }), source)).not.toContain(
      '[',
    );
  });
});
