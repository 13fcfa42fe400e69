import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadShopperWords } from '../../src/bridge/shopper-words.ts';
import { silentLog } from '../../src/model/log.ts';
import type { NoMatch, SearchRequest } from '../../src/inventory/inventory.ts';
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
    ['oxf ford', ['A']],
    ['hond cr', ['B', 'C']],
    ['15 ford', ['A']],
    ['a ford with oxford', ['A']],
    ['a with', []],
    ['ford without oxford', []],
    ['crv', ['B', 'C']],
    ['cr-v', ['B', 'C']],
    ['CR V', ['B', 'C']],
    ['honda heated', ['B']],
    ['honda ford', []],
    ['under 40k', ['C']],
    ['<40000', []],
    ['honda - & !!', ['B', 'C']],
    ['???', ['A', 'B', 'C']],
    ['🚗', ['A', 'B', 'C']],
    ['x'.repeat(200), []],
    ['ford '.repeat(40), ['A']],
    ['', ['A', 'B', 'C']],
    ['constructor __proto__', []],
  ])('%j finds %j', (query, expected) => {
    expect(ask(query)).toEqual(expected);
  });
});

describe('free text and filters with the vocabulary', () => {
  beforeEach(async () => {
    inventory = new LotInventory(store, { ...config, max_limit: 100 }, await loadShopperWords(silentLog));
    await serve([
      {
        stock: 'A',
        make: 'Chevrolet',
        model: 'Silverado 1500',
        driveline: '4wd',
        body: 'truck',
        condition: 'used',
      },
      {
        stock: 'B',
        make: 'Chevrolet',
        model: 'Tahoe',
        inventory_date: '2026-09-01',
        features: ['Silverado badge'],
      },
      {
        stock: 'C',
        make: 'BMW',
        model: '3 Series',
        trim: '330i',
        fuel: 'gas',
        features: ['Premium Package'],
      },
      {
        stock: 'D',
        make: 'Mercedes-Benz',
        model: 'EQB',
        fuel: 'bev',
        transmission: 'automatic',
        condition: 'cpo',
      },
      {
        stock: 'E',
        make: 'Volkswagen',
        model: 'Tiguan',
        description: 'Not a 4x4. Series 3 wheels',
        fuel: 'phev',
      },
      { stock: 'F', make: 'Harley-Davidson', model: 'Street Glide', vehicle_type: 'motorcycle' },
    ]);
  });

  test.each([
    ['chevy silverado', ['A', 'B']],
    ['4x4 truck', ['A']],
    ['4x4', ['A', 'E']],
    ['a used 4 wheel drive pickup', ['A']],
    ['3 series', ['C', 'E']],
    ['330i', ['C']],
    ['mercedes benz', ['D']],
    ['electric mercedes', ['D']],
    ['certified pre-owned', ['D']],
    ['plug-in hybrid', ['E']],
    ['vw', ['E']],
    ['harley bike', ['F']],
    ['premium', ['C']],
    ['chevy tesla', []],
  ])('query %j finds %j', (query, expected) => expect(ask(query)).toEqual(expected));

  test.each([
    [{ make: ['chevy'] }, ['A', 'B']],
    [{ make: ['VW', ' mercedes '] }, ['D', 'E']],
    [{ driveline: ['4x4'] }, ['A']],
    [{ transmission: ['auto'] }, ['D']],
    [{ fuel: ['Gasoline'] }, ['C']],
    [{ body: ['pick-up'] }, ['A']],
    [{ model: ['3series', 'silverado-1500'] }, ['A', 'C']],
    [{ make: ['chev', 'nothing', ''] }, ['A', 'B']],
    [{ make: [''] }, []],
    [{ make: [] }, ['A', 'B', 'C', 'D', 'E', 'F']],
  ])('filter %j finds %j', (filters, expected) =>
    expect(stocksOf({ filters: filters }).sort()).toEqual(expected),
  );
});

test('a filter value that some listings spell so counts beside what it means', async () => {
  inventory = new LotInventory(store, config, await loadShopperWords(silentLog));
  await serve([
    { stock: 'A', driveline: '4x4' },
    { stock: 'B', driveline: '4wd' },
    { stock: 'C', driveline: 'awd' },
  ]);
  expect(stocksOf({ filters: { driveline: ['4X4'] } })).toEqual(['A', 'B']);
  expect(stocksOf({ filters: { driveline: ['4wd'] } })).toEqual(['B']);
});

test('a VIN is found as free text', async () => {
  await serve([
    { stock: 'A', vin: '19XFL2H81TEA90104' },
    { stock: 'B', vin: '19XFL2H81TEA90105' },
  ]);
  expect(ask('the 19xfl2h81tea90104')).toEqual(['A']);
});

describe('why nothing matches', () => {
  beforeEach(() =>
    serve([
      {
        stock: 'A',
        make: 'Ford',
        model: 'Escape',
        price: 7995,
        year: 2019,
        fuel: 'gas',
        exterior_color: 'Rapid Red',
        mileage: 500,
      },
      { stock: 'B', make: 'Ford', model: 'F-150', price: 20_000, year: 2024, fuel: 'gas' },
      { stock: 'C', make: 'Honda', model: 'CR-V', price: 30_000, year: 2024, fuel: 'hybrid' },
    ]),
  );

  test('the lot is empty', () => {
    expect(new LotInventory(store, config).whyNone({ make: ['Ford'] })).toEqual({ kind: 'empty_lot' });
  });

  const fords = { value: 'Ford', count: 2 };
  const hondas = { value: 'Honda', count: 1 };
  test.each<[SearchRequest['filters'], NoMatch]>([
    [{ price_max: 5000 }, { kind: 'alone', constraint: 'price', facet: { min: 7995, max: 30_000 } }],
    [
      { make: ['Tesla'], price_max: 9000 },
      { kind: 'alone', constraint: 'make', facet: [fords, hondas] },
    ],
    [
      { make: ['Ford'], year_min: 2023, price_max: 10_000 },
      { kind: 'without', total: 1, constraint: 'price', facet: { min: 20_000, max: 20_000 } },
    ],
    [
      { make: ['Honda'], fuel: ['gas'], model: [] },
      { kind: 'without', total: 2, constraint: 'make', facet: [fords] },
    ],
    [{ mileage_max: 10 }, { kind: 'alone', constraint: 'mileage', facet: { min: 500, max: 500 }, untold: 2 }],
    [{ electric_range_mi_min: 10 }, { kind: 'alone', constraint: 'electric_range_mi' }],
    [
      { exterior_color: ['RED'] },
      {
        kind: 'alone',
        constraint: 'exterior_color',
        facet: [{ value: 'Rapid Red', count: 1 }],
        likeNames: true,
        untold: 2,
      },
    ],
    [
      { make: ['Ford'], price_max: 19_999, price_min: 10_000 },
      { kind: 'alone', constraint: 'price', facet: { min: 7995, max: 30_000 } },
    ],
    [{ query: 'ford zebra' }, { kind: 'alone', constraint: 'query', word: 'zebra' }],
    [{ query: 'a ford under 6000' }, { kind: 'alone', constraint: 'query', word: '6000' }],
    [{ query: 'escape cr-v' }, { kind: 'alone', constraint: 'query' }],
    [
      { make: ['Honda'], query: 'escape' },
      { kind: 'without', total: 1, constraint: 'make', facet: [{ value: 'Ford', count: 1 }] },
    ],
    [
      { stock: 'Z', make: ['Ford'] },
      { kind: 'alone', constraint: 'stock' },
    ],
    [
      { stock: 'A', make: ['Honda'], fuel: ['hybrid'] },
      { kind: 'without', total: 1, constraint: 'stock' },
    ],
    [
      { make: ['Honda'], model: ['Escape'], price_max: 8000, price_min: 7000, year_min: 2024 },
      { kind: 'together' },
    ],
  ])('%j', (filters, why) => {
    expect(stocksOf({ filters })).toEqual([]);
    expect(inventory.whyNone(filters)).toEqual(why);
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
