import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { FeedConfig, HttpSourceConfig } from '../../src/config/config.ts';
import { ingestFile } from '../../src/feeds/ingest.ts';
import type { Rooftop } from '../../src/model/rooftop.ts';
import { takeIn } from '../feeds-rules/drop-file.ts';
import { SourceBench } from './source-bench.ts';

let bench: SourceBench;
beforeEach(async () => {
  bench = await SourceBench.open();
});
afterEach(() => bench.dealership.close());

const CSV = 'stock,year,make,model,condition,list_price\nA1,2020,Honda,Civic,used,25995\n';
const ETAG = `"${createHash('sha1').update(CSV).digest('hex')}"`;

/** A server that has one file and knows its ETag. */
async function serveFile(): Promise<HttpSourceConfig> {
  const server = createServer((request, response) => {
    const isKnown = request.headers['if-none-match'] === ETAG;
    response.writeHead(isKnown ? 304 : 200, { etag: ETAG });
    response.end(isKnown ? undefined : CSV);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { kind: 'http', url: `http://127.0.0.1:${port}/lot.csv`, every_ms: 60_000 };
}

function rooftops(doc: number, phone = '+12075550100'): Rooftop[] {
  const profile = {
    name: 'Harbor Point Motors',
    fees: [{ name: 'Doc', amount: doc }],
    phones: [{ value: phone }],
  };
  return [{ id: 'HPM01', feed_ids: [], profile }];
}

const FEES_ON_TOP: Partial<FeedConfig> = { price_basis: 'base_plus_fees' };

/** Looks, and takes in what landed. */
async function fetchAndRead(
  source: HttpSourceConfig,
  settings: { feed?: Partial<FeedConfig>; rooftops: readonly Rooftop[] },
): Promise<string[]> {
  const landed = await bench.look(source, settings);
  const feed = { ...bench.feed, ...settings.feed };
  const services = bench.dealership.services({ rooftops: settings.rooftops });
  for (const name of landed) await ingestFile(path.join(feed.folder, name), feed, services);
  return landed;
}

it('takes an unchanged file again once when fees or the price basis have changed, and reads it by the new ones', async () => {
  const source = await serveFile();
  const before = { feed: FEES_ON_TOP, rooftops: rooftops(389) };
  expect(await fetchAndRead(source, before)).toEqual(['lot.csv']);
  expect(await bench.look(source, before)).toEqual([]);
  const now = { feed: FEES_ON_TOP, rooftops: rooftops(799) };
  expect(await fetchAndRead(source, now)).toEqual(['lot.csv']);
  expect(bench.dealership.listed().get('A1')).toMatchObject({ price: 26794 });
  expect(await bench.look(source, now)).toEqual([]);
  const base = { feed: { price_basis: 'base' as const }, rooftops: rooftops(799) };
  expect(await fetchAndRead(source, base)).toEqual(['lot.csv']);
  expect(bench.dealership.listed().get('A1')).not.toHaveProperty('price');
  expect(await bench.look(source, base)).toEqual([]);
});

it('leaves it when something has changed that no row is read by', async () => {
  const source = await serveFile();
  await fetchAndRead(source, { rooftops: rooftops(389) });
  const without = {
    rooftops: rooftops(799, '+12075550199'),
    feed: { rescan_seconds: 5, expect_every_hours: 3 },
  };
  expect(await bench.look(source, without)).toEqual([]);
});

it('leaves it where another file of the feed has been taken in since, which it would undo', async () => {
  const source = await serveFile();
  await fetchAndRead(source, { rooftops: rooftops(389) });
  await takeIn(CSV.replace('25995', '24995'), bench.feed, bench.dealership);
  expect(await bench.look(source, { rooftops: rooftops(389), feed: { price_basis: 'base' } })).toEqual([]);
});

it('leaves it while it waits for a person, who would seem to have said yes', async () => {
  const source = await serveFile();
  const lot = Array.from({ length: 40 }, (_, index) => `B${index},2020,Honda,Civic,used,20000\n`).join('');
  await takeIn(`${CSV}${lot}`, bench.feed, bench.dealership);
  await fetchAndRead(source, { rooftops: rooftops(389) });
  expect(await bench.dealership.store.listRuns({ limit: 1 })).toMatchObject([{ status: 'held' }]);
  expect(await bench.look(source, { rooftops: rooftops(389), feed: { price_basis: 'base' } })).toEqual([]);
});

it('leaves the file of a delta, whose changes have had their turn', async () => {
  const source = await serveFile();
  const delta = { mode: 'delta' as const };
  await fetchAndRead(source, { feed: delta, rooftops: rooftops(389) });
  const now = { feed: { ...delta, price_basis: 'base' as const }, rooftops: rooftops(389) };
  expect(await bench.look(source, now)).toEqual([]);
});
