import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchRequest } from '../src/inventory/inventory.ts';
import { LotInventory } from '../src/inventory/lot-inventory.ts';
import { buildLot } from '../src/inventory/lot/build-lot.ts';
import { openInventoryStore } from '../src/inventory/store.ts';
import { CONFIRMED_AT, generateVehicles } from './lot-generator.ts';
import { type Comparison, compareInterleaved } from './measure.ts';
import { openSqlYardstick } from './sql-yardstick.ts';

const CONFIG = { default_limit: 20, max_limit: 100, include_facets: false, max_facet_values: 1000 };
const SIZES = [10_000, 100_000];

type Filters = SearchRequest['filters'];

const KINDS: Record<string, Filters> = {
  'no filter': {},
  make: { make: ['ford'] },
  'make, condition, price': { make: ['Toyota'], condition: ['used'], price_max: 30_000 },
  'free text': { query: 'honda civic tour' },
  'rare mix': { make: ['Porsche'], exterior_color: ['Black'], body: ['SUV'], year_min: 2020 },
  vin: {},
  'half of the lot': { condition: ['used', 'cpo'] },
};

/** Search pages (20 by price) and facets in process, against tuned SQL over columns of the same vehicles. */
export async function benchSearch(): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const size of SIZES) comparisons.push(...(await benchSize(size)));
  return comparisons;
}

async function benchSize(size: number): Promise<Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-search-'));
  const store = openInventoryStore(join(folder, 'inventory.db'));
  const vehicles = [...generateVehicles(size)];
  const run = await store.beginRun({
    runId: 'bench',
    feedId: 'bench',
    mode: 'full',
    confirmedAt: CONFIRMED_AT,
  });
  for (let start = 0; start < size; start += 1_000) await run.stage(vehicles.slice(start, start + 1_000));
  await run.apply({ removeAbsent: true });
  const inventory = new LotInventory(store, CONFIG);
  inventory.swap(buildLot(store));
  const yardstick = openSqlYardstick(join(folder, 'yardstick.db'), vehicles);

  const vin = vehicles[Math.floor(size / 2)]?.vehicle.vin ?? '';
  const comparisons = Object.entries(KINDS).flatMap(([kind, filtersOfKind]) => {
    const filters = kind === 'vin' ? { vin } : filtersOfKind;
    const request: SearchRequest = {
      filters,
      skip: 0,
      limit: 20,
      sort: { field: 'price', order: 'asc' },
      includeFacets: false,
    };
    const [total, expected] = [inventory.search(request).total, yardstick.total(filters)];
    if (total !== expected) throw new Error(`${kind}: the lot finds ${total}, SQL finds ${expected}`);
    return [
      compareInterleaved(`page, ${kind}, ${size}`, {
        ours: () => inventory.search(request),
        yardstick: () => yardstick.page(filters),
      }),
      // The facets of the whole lot are kept once counted: what is measured there is a lookup.
      compareInterleaved(`facets, ${kind}, ${size}`, {
        ours: () => inventory.facets(filters),
        yardstick: () => yardstick.facets(filters),
      }),
    ];
  });
  yardstick.close();
  store.close();
  rmSync(folder, { recursive: true });
  return comparisons;
}
