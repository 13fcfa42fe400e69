import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchRequest } from '../src/inventory/inventory.ts';
import { LotInventory } from '../src/inventory/lot-inventory.ts';
import { buildLot } from '../src/inventory/lot/build-lot.ts';
import { openInventoryStore } from '../src/inventory/store.ts';
import type { Vehicle } from '../src/model/vehicle.ts';
import { inventoryFile } from './feed-import.ts';
import { fillInventory } from './http/bridge-process.ts';
import { type Filters, kindsFor, middleVin } from './kinds.ts';
import { generateVehicles } from './lot-generator.ts';
import { compareInterleaved, type Comparison, quantile } from './measure.ts';
import { openDuckDb } from './peers/duckdb.ts';
import { openItemsJs } from './peers/itemsjs.ts';
import { openMiniSearch } from './peers/minisearch.ts';
import { openOrama } from './peers/orama.ts';
import { NOT_INSTALLED, type OpenPeer, type Peer } from './peers/peer.ts';
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
const PEERS: Record<string, OpenPeer> = {
  orama: openOrama,
  itemsjs: openItemsJs,
  duckdb: openDuckDb,
  minisearch: openMiniSearch,
};
const PEER_ROUNDS = 5;
/** A slow peer is not asked again once it has taken so long for one kind, and after the first time if that did. */
const PEER_BUDGET_MS = 1_500;

type What = 'page' | 'facets';

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
  const measured = kindsFor(middleVin(size)).map(([kind, filters]) => {
    const request = requestFor(filters);
    const [total, expected] = [inventory.search(request).total, yardstick.total(filters)];
    if (total !== expected) throw new Error(`${kind}: the lot finds ${total}, SQL finds ${expected}`);
    const ours = what === 'page' ? () => inventory.search(request) : () => inventory.facets(filters);
    const sql = what === 'page' ? () => yardstick.page(filters) : () => yardstick.facets(filters);
    // The facets of the whole lot are kept once counted: what is measured there is a lookup.
    return {
      kind,
      filters,
      ours,
      figure: compareInterleaved(kind, { ours, yardstick: sql }),
      theirs: {},
    };
  });
  await askPeers(
    vehicles.map(({ vehicle }) => vehicle),
    what,
    measured,
  );
  yardstick.close();
  store.close();
  rmSync(folder, { recursive: true });
  return measured.map((one) => resultRow(one, what, size));
}

interface Measured {
  kind: string;
  filters: Filters;
  ours: () => unknown;
  figure: Comparison;
  /** Medians in ms, or a word where there is none, by peer. */
  theirs: Record<string, number | string>;
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

function requestFor(filters: Filters): SearchRequest {
  return { filters, skip: 0, limit: 20, sort: { field: 'price', order: 'asc' }, includeFacets: false };
}

/** One peer after the other: a hundred thousand vehicles in all of them at once are more than the engine's heap. */
async function askPeers(vehicles: readonly Vehicle[], what: What, kinds: readonly Measured[]): Promise<void> {
  for (const [name, open] of Object.entries(PEERS)) {
    const peer = await open(vehicles).catch(undefinedIfNotInstalled);
    for (const { filters, ours, theirs } of kinds) {
      theirs[name] = peer === undefined ? NOT_INSTALLED : await peerMs(peer, what, filters, ours);
    }
    peer?.close?.();
  }
}

function undefinedIfNotInstalled(fault: unknown): undefined {
  if (fault instanceof Error && 'code' in fault && fault.code === 'ERR_MODULE_NOT_FOUND') return;
  throw fault;
}

/** The peer's median, asked in turns with ours; `–` for what it does not do. */
async function peerMs(
  peer: Peer,
  what: What,
  filters: Filters,
  ours: () => unknown,
): Promise<number | string> {
  const ask = what === 'page' ? peer.page : peer.facets;
  if (ask === undefined) return '–';
  const literal = filters.make?.[0] === 'ford' ? { ...filters, make: ['Ford'] } : filters;
  const begun = performance.now();
  if (Number.isNaN(await ask(literal))) return '–';
  const first = performance.now() - begun;
  // What takes so long is not made quicker by a warm engine.
  if (first > PEER_BUDGET_MS) return rounded(first, 3);
  const times: number[] = [];
  for (let round = 0; round < PEER_ROUNDS && performance.now() - begun < PEER_BUDGET_MS; round++) {
    ours();
    const started = performance.now();
    await ask(literal);
    times.push(performance.now() - started);
  }
  return rounded(times.length === 0 ? first : quantile(times, 0.5), 3);
}
