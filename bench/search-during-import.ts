import { Worker } from 'node:worker_threads';
import { setImmediate } from 'node:timers/promises';
import type { SearchRequest } from '../src/inventory/inventory.ts';
import { LotInventory } from '../src/inventory/lot-inventory.ts';
import type { LotData } from '../src/inventory/lot/lot-data.ts';
import { openInventoryStore } from '../src/inventory/store.ts';
import { inventoryFile } from './feed-import.ts';
import { quantile } from './measure.ts';

/** Times of a search with its page of 20 texts, in ms, on the main thread. */
export interface ServingFigure {
  name: string;
  searches: number;
  median: number;
  p99: number;
}

const CONFIG = { default_limit: 20, max_limit: 100, include_facets: false, max_facet_values: 1000 };
const IDLE_MS = 5_000;

const FILTERS: SearchRequest['filters'][] = [
  { make: ['Toyota'], condition: ['used'] },
  { query: 'honda civic' },
  { make: ['Ford'], year_min: 2020 },
  {},
];

/** The same searches first with nothing else to do, then while a worker thread takes the second file in. */
export async function benchServing(
  files: { first: string; second: string },
  profile: string,
  dataFolder: string,
): Promise<ServingFigure[]> {
  const lot = await startImport(files.first, profile, dataFolder);
  const store = openInventoryStore(inventoryFile(dataFolder), { readonly: true });
  const inventory = new LotInventory(store, CONFIG);
  inventory.swap(lot);
  await searchUntil(inventory, wait(IDLE_MS));
  const idle = await searchUntil(inventory, wait(IDLE_MS));
  const busy = await searchUntil(inventory, startImport(files.second, profile, dataFolder));
  store.close();
  return [figure('search, idle', idle), figure('search during an import', busy)];
}

function startImport(file: string, profile: string, dataFolder: string): Promise<LotData> {
  const worker = new Worker(new URL('import-worker.ts', import.meta.url), {
    workerData: { file, profile, dataFolder },
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** One search a turn of the event loop, as requests come in. */
async function searchUntil(inventory: LotInventory, end: Promise<unknown>): Promise<number[]> {
  const state = { hasEnded: false };
  const ended = end.finally(() => (state.hasEnded = true));
  const times: number[] = [];
  while (!state.hasEnded) {
    const filters = FILTERS[times.length % FILTERS.length] ?? {};
    const started = performance.now();
    inventory.search({
      filters,
      skip: 0,
      limit: 20,
      sort: { field: 'price', order: 'asc' },
      includeFacets: false,
    });
    times.push(performance.now() - started);
    await setImmediate();
  }
  await ended;
  return times;
}

function figure(name: string, times: number[]): ServingFigure {
  return { name, searches: times.length, median: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
