import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SearchRequest } from '../../src/inventory/inventory.ts';
import { LotInventory } from '../../src/inventory/lot-inventory.ts';
import { buildLot } from '../../src/inventory/lot/build-lot.ts';
import { lotTransferList } from '../../src/inventory/lot/lot-data.ts';
import { type InventoryStore, openInventoryStore } from '../../src/inventory/store.ts';
import type { Vehicle } from '../../src/model/vehicle.ts';
import { stagedVehicle } from './case-files.ts';

const MONDAY = Date.UTC(2026, 8, 14, 6);
const config = { default_limit: 20, max_limit: 3, include_facets: false, max_facet_values: 1000 };

let store: InventoryStore;
let inventory: LotInventory;

beforeEach(() => {
  store = openInventoryStore(':memory:');
  inventory = new LotInventory(store, config);
});

afterEach(() => store.close());

async function stock(
  vehicles: readonly Vehicle[],
  options: { confirmedAt?: number; at?: string } = {},
): Promise<void> {
  const { confirmedAt = MONDAY, at = 'HPM01' } = options;
  const run = await store.beginRun({ runId: 'run', feedId: at, mode: 'full', confirmedAt });
  await run.stage(
    vehicles.map((vehicle, row) =>
      stagedVehicle({ status: 'available', rooftop: at, ...vehicle }, { row, rooftopId: at }),
    ),
  );
  await run.apply({ removeAbsent: true });
}

async function serve(vehicles: readonly Vehicle[]): Promise<void> {
  await stock(vehicles);
  inventory.swap(buildLot(store));
}

function stocksOf(request: Partial<SearchRequest>): string[] {
  const page = inventory.search({ filters: {}, skip: 0, limit: 100, includeFacets: false, ...request });
  return page.vehicles.map((json) => (JSON.parse(json) as Vehicle).stock ?? '');
}

const ask = (query: string): string[] => stocksOf({ filters: { query } });

describe('free text', () => {
  beforeEach(() =>
    serve([
      { stock: 'A', make: 'Ford', model: 'F-150', trim: 'XLT', year: 2026, exterior_color: 'Oxford White' },
      { stock: 'B', make: 'Honda', model: 'CR-V', trim: 'EX-L', features: ['Heated Seats'] },
      { stock: 'C', make: 'Honda', model: 'CRV', description: 'Priced under 40k, drives like new.' },
    ]),
  );

  test.each([
    ['f150', ['A']],
    ['f-150', ['A']],
    ['F 150', ['A']],
    ['ford f150 xlt 2026', ['A']],
    ['oxford', ['A']],
    ['oxf', ['A']],
    ['oxf ford', []],
    ['crv', ['B', 'C']],
    ['cr-v', ['B', 'C']],
    ['CR V', ['B', 'C']],
    ['honda heated', ['B']],
    ['honda ford', []],
    ['under 40k', ['C']],
    ['<40000', []],
    ['honda - & !!', ['B', 'C']],
    ['???', ['A', 'B', 'C']],
    ['', ['A', 'B', 'C']],
    ['constructor __proto__', []],
  ])('%j finds %j', (query, expected) => {
    expect(ask(query)).toEqual(expected);
  });
});

describe('money', () => {
  beforeEach(() =>
    serve([
      { stock: 'A', list_price: 10_000 },
      { stock: 'B', price: 20_000 },
      { stock: 'C', price: 15_000 },
    ]),
  );

  test('vehicles without a price come last both ways', () => {
    expect(stocksOf({ sort: { field: 'price', order: 'asc' } })).toEqual(['C', 'B', 'A']);
    expect(stocksOf({ sort: { field: 'price', order: 'desc' } })).toEqual(['B', 'C', 'A']);
  });

  test('a price filter never matches them, and price_range ignores them', () => {
    expect(stocksOf({ filters: { price_min: 0 } })).toEqual(['B', 'C']);
    expect(stocksOf({ filters: { price_max: 15_000 } })).toEqual(['C']);
    expect(inventory.facets({}).price_range).toEqual({ min: 15_000, max: 20_000 });
    expect(inventory.facets({ stock: 'A' })).not.toHaveProperty('price_range');
  });
});

describe('facets', () => {
  test('count by folded value, show the commonest spelling, and give years as numbers', async () => {
    await serve([
      { stock: 'A', make: 'BMW', year: 2024, dc_fast_charge: true, vehicle_type: 'motorcycle' },
      { stock: 'B', make: 'bmw ', year: 2025, dc_fast_charge: false },
      { stock: 'C', make: 'BMW', year: 2024 },
      { stock: 'D', make: 'Audi', year: 2025 },
    ]);
    expect(inventory.facets({})).toEqual({
      makes: [
        { value: 'BMW', count: 3 },
        { value: 'Audi', count: 1 },
      ],
      years: [
        { value: 2024, count: 2 },
        { value: 2025, count: 2 },
      ],
      dc_fast_charge: [
        { value: 'false', count: 1 },
        { value: 'true', count: 1 },
      ],
      vehicle_types: [
        { value: 'car', count: 3 },
        { value: 'motorcycle', count: 1 },
      ],
      rooftops: [{ value: 'HPM01', count: 4 }],
      statuses: [{ value: 'available', count: 4 }],
      year_range: { min: 2024, max: 2025 },
    });
    expect(stocksOf({ filters: { dc_fast_charge: false } })).toEqual(['B']);
    expect(stocksOf({ filters: { vehicle_type: ['car'] } })).toEqual(['B', 'C', 'D']);
    expect(inventory.facets({ make: ['nothing'] })).toEqual({});
  });
});

test('a search without order gives the newest arrivals first', async () => {
  await serve([
    { stock: 'A' },
    { stock: 'B', inventory_date: '2026-08-01' },
    { stock: 'C', inventory_date: '2026-09-01' },
  ]);
  expect(stocksOf({})).toEqual(['C', 'B', 'A']);
});

test('the limit is capped and the effective one echoed', async () => {
  await serve(['A', 'B', 'C', 'D', 'E'].map((number) => ({ stock: number })));
  const page = inventory.search({ filters: {}, skip: 1, limit: 1000, includeFacets: false });
  expect(page).toMatchObject({ total: 5, skip: 1, limit: 3 });
  expect(page.vehicles).toHaveLength(3);
});

describe('swapping the lot', () => {
  test('is the moment at which an import shows; status tells it', async () => {
    expect(inventory.status()).toEqual({ vehicles: 0, lotVersion: 0, rooftops: [] });
    await serve([{ stock: 'A' }]);
    await stock([{ stock: 'B' }, { stock: 'C' }], { confirmedAt: MONDAY + 1000, at: 'CRA02' });
    expect(inventory.facets({}).statuses).toEqual([{ value: 'available', count: 1 }]);
    inventory.swap(buildLot(store));
    expect(inventory.facets({}).statuses).toEqual([{ value: 'available', count: 3 }]);
    expect(inventory.status()).toEqual({
      vehicles: 3,
      lotVersion: 2,
      rooftops: [
        { rooftopId: 'CRA02', vehicles: 2, confirmedAt: '2026-09-14T06:00:01Z' },
        { rooftopId: 'HPM01', vehicles: 1, confirmedAt: '2026-09-14T06:00:00Z' },
      ],
    });
  });

  test('in the midst of paging leaves every page whole', async () => {
    await serve([{ stock: 'A' }, { stock: 'B' }, { stock: 'C' }]);
    const first = stocksOf({ limit: 2 });
    await stock([{ stock: 'A' }, { stock: 'D' }]);
    // The lot in service still counts what left meanwhile, and shows it until the swap.
    expect(stocksOf({ limit: 2, skip: 2 })).toEqual(['C']);
    inventory.swap(buildLot(store));
    expect(first).toEqual(['A', 'B']);
    expect(stocksOf({})).toEqual(['A', 'D']);
  });

  test('takes a lot whose buffers were transferred from a worker', async () => {
    await stock([{ stock: 'A', make: 'Ford', price: 5 }]);
    const built = buildLot(store);
    const received = structuredClone(built, { transfer: lotTransferList(built) });
    expect(built.rowIds.byteLength).toBe(0);
    inventory.swap(received);
    expect(stocksOf({ filters: { make: ['ford'], query: 'fo', price_max: 5 } })).toEqual(['A']);
  });
});

describe('finding one vehicle', () => {
  test('gives its listing and its text, gone with the time it left, or unknown', async () => {
    await stock([{ stock: 'A', vin: '19XFL2H81TEA90104' }, { stock: 'B' }]);
    await stock([{ stock: 'B' }], { confirmedAt: MONDAY + 1000 });
    const listing = { status: 'available', rooftop: 'HPM01', stock: 'B', updated_at: '2026-09-14T06:00:01Z' };
    expect(inventory.find({ stock: 'b' })).toEqual({
      kind: 'listed',
      listing,
      json: JSON.stringify(listing),
      rooftopId: 'HPM01',
    });
    expect(inventory.find({ vin: '19xfl2h81tea90104' })).toEqual({
      kind: 'gone',
      leftAt: '2026-09-14T06:00:01Z',
      rooftopId: 'HPM01',
    });
    expect(inventory.find({ vehicle_id: 'x' })).toEqual({ kind: 'unknown' });
  });
});
