import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SearchRequest } from '../src/inventory/inventory.ts';
import { LotInventory } from '../src/inventory/lot-inventory.ts';
import { buildLot } from '../src/inventory/lot/build-lot.ts';
import { openInventoryStore } from '../src/inventory/store.ts';
import { inventoryFile } from './feed-import.ts';
import { fillInventory } from './http/bridge-process.ts';
import { kindsFor, middleVin } from './kinds.ts';
import { generateVehicles } from './lot-generator.ts';
import { compareInterleaved, type Comparison } from './measure.ts';
import { NOT_INSTALLED, PEER_NAMES, type PeerAnswers, type PeerOrder } from './peers/peer.ts';
import { atLeast, atMost, rounded, type Row } from './report.ts';
import { openSqlYardstick } from './sql-yardstick.ts';

const CONFIG = { default_limit: 20, max_limit: 100, include_facets: false, max_facet_values: 1000 };
const SIZES = [10_000, 100_000];
/** Milliseconds, by number of vehicles. */
const MOST_MS: Record<'page' | 'facets', Record<number, number>> = {
  page: { 10_000: 0.1, 100_000: 0.3 },
  facets: { 10_000: 0.3, 100_000: 1 },
};
const LEAST_FACET_LEAD = 50;
/** What the largest of the peers needs for the largest lot. */
const PEER_HEAP_MEGABYTES = 8_192;

type What = PeerOrder['what'];

/** Pages of 20 by price, or facets, in process, against tuned SQL and search libraries over the same vehicles. */
export async function benchInProcess(what: What): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(...(await benchSize(what, size)));
  return rows;
}

async function benchSize(what: What, size: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-search-'));
  await fillInventory(folder, size);
  const store = openInventoryStore(inventoryFile(folder));
  const vehicles = [...generateVehicles(size)];
  const inventory = new LotInventory(store, CONFIG);
  inventory.swap(buildLot(store));
  const yardstick = openSqlYardstick(join(folder, 'yardstick.db'), vehicles);
  const measured = kindsFor(middleVin(size)).map(([kind, filters]): Measured => {
    const request = requestFor(filters);
    const [total, expected] = [inventory.search(request).total, yardstick.total(filters)];
    if (total !== expected) throw new Error(`${kind}: the lot finds ${total}, SQL finds ${expected}`);
    const ours = what === 'page' ? () => inventory.search(request) : () => inventory.facets(filters);
    const sql = what === 'page' ? () => yardstick.page(filters) : () => yardstick.facets(filters);
    // The facets of the whole lot are kept once counted: what is measured there is a lookup.
    return { kind, figure: compareInterleaved(kind, { ours, yardstick: sql }), theirs: {} };
  });
  yardstick.close();
  store.close();
  rmSync(folder, { recursive: true });
  for (const peer of PEER_NAMES) {
    const answers = await askPeer({ peer, what, size });
    for (const { kind, theirs } of measured) theirs[peer] = answers[kind] ?? NOT_INSTALLED;
  }
  return measured.map((one) => resultRow(one, what, size));
}

interface Measured {
  kind: string;
  figure: Comparison;
  /** By peer. */
  theirs: PeerAnswers;
}

function resultRow({ kind, figure, theirs }: Measured, what: What, size: number): Row {
  const others = [figure.yardstickMedian, ...Object.values(theirs)].filter((ms) => typeof ms === 'number');
  const lead = Math.min(...others) / figure.median;
  return {
    name: `${what} in process, ${kind}, ${size}`,
    values: {
      'median ms': rounded(figure.median, 3),
      'p99 ms': rounded(figure.p99, 3),
      'SQL ms': rounded(figure.yardstickMedian, 3),
      ...Object.fromEntries(Object.entries(theirs).map(([name, ms]) => [`${name} ms`, ms])),
      'times faster than the best': rounded(lead, 1),
    },
    goals: [
      atMost('median ms', figure.median, MOST_MS[what][size] ?? Infinity),
      ...(what === 'facets' && kind !== 'vin' ? [atLeast('times faster', lead, LEAST_FACET_LEAD)] : []),
    ],
  };
}

function requestFor(filters: SearchRequest['filters']): SearchRequest {
  return { filters, skip: 0, limit: 20, sort: { field: 'price', order: 'asc' }, includeFacets: false };
}

async function askPeer(order: PeerOrder): Promise<PeerAnswers> {
  const child = fork(fileURLToPath(new URL('peers/ask-peer.ts', import.meta.url)), [JSON.stringify(order)], {
    execArgv: [`--max-old-space-size=${PEER_HEAP_MEGABYTES}`],
  });
  const [answers] = (await once(child, 'message')) as [PeerAnswers];
  return answers;
}
