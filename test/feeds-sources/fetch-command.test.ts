import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { lockDataFolder } from '../../src/runtime/data-folder-lock.ts';
import type { Finished } from '../cli/bridge-command.ts';
import { runCommand } from '../cli/run-command.ts';
import { writeDealership } from '../e2e/dealership.ts';

const CSV = 'vin,make\n1HGCY2F57RA000001,Honda\n';

let status: number;
let url: string;
let configFile: string;
let data: string;
beforeEach(async () => {
  status = 200;
  const server = createServer((request, response) => {
    const isKnown = request.headers['if-none-match'] === '"v1"';
    response.writeHead(isKnown ? 304 : status, { etag: '"v1"' }).end(isKnown ? undefined : CSV);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lot.csv`;
  configFile = writeDealership(
    '    - { id: crm, adapter: adf-file, options: { folder: out } }',
    `  - { id: web, profile: aap, rooftop: ONE, source: { kind: http, url: "${url}?key=t0kenvalue" } }`,
  );
  data = path.join(path.dirname(configFile), 'data');
});
afterEach(() => rm(path.dirname(configFile), { recursive: true }));

function fetchFeed(...words: string[]): Promise<Finished> {
  return runCommand(['feed', 'fetch', ...words, '--config', configFile, '--data', data]);
}

async function record(): Promise<Record<string, unknown>> {
  const text = await readFile(path.join(data, 'sources', 'web.looks.json'), 'utf8');
  return (JSON.parse(text) as { record: Record<string, unknown> }).record;
}

describe('feed fetch', () => {
  it('lands what is there in the folder of the feed and says what happens next', async () => {
    const { code, out, err } = await fetchFeed('web');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const folder = path.join(data, 'inbox', 'web');
    expect(out).toBe(
      `fetched lot.csv into ${folder}\nNo bridge is running on this data folder; the next start takes it in.\n`,
    );
    expect(await readFile(path.join(folder, 'lot.csv'), 'utf8')).toBe(CSV);
    expect(await record()).toMatchObject({ is_failing: false, failures: 0 });

    expect((await fetchFeed('web')).out).toContain('an earlier lot.csv still lies in');
    await rm(path.join(folder, 'lot.csv'));
    expect(await fetchFeed('web')).toEqual({
      code: 0,
      out: 'nothing new: the source has what was fetched before (--again fetches it all the same)\n',
      err: '',
    });
    expect((await fetchFeed('web', '--again')).out).toContain('fetched lot.csv');
  });

  it('knows that a bridge is running', async () => {
    await fetchFeed('web');
    const unlock = lockDataFolder(data);
    const { out } = await fetchFeed('web');
    unlock();
    expect(out).toContain('The bridge that is running takes it in');
  });

  it('says why nothing came, without the secret, and keeps it for the health page', async () => {
    status = 503;
    const { code, out, err } = await fetchFeed('web');
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: `${url}: the server answers 503\n` });
    await fetchFeed('web');
    expect(await record()).toMatchObject({
      is_failing: true,
      failures: 2,
      last_failure: { reason: 'the server answers 503' },
    });
    expect(await readdir(path.join(data, 'sources'))).toEqual(['web.looks.json']);
  });

  it.each([
    ['stock', 'feed stock has no source; its files are dropped into '],
    ['wbe', 'there is no feed "wbe"; did you mean "web"?'],
  ])('%s is told', async (feed, message) => {
    const { code, err } = await fetchFeed(feed);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});
