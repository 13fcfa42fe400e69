import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Filters, type SearchRequest, SORT_FIELDS } from '../../src/inventory/inventory.ts';
import { LotInventory } from '../../src/inventory/lot-inventory.ts';
import { buildLot } from '../../src/inventory/lot/build-lot.ts';
import { type InventoryStore, openInventoryStore } from '../../src/inventory/store.ts';
import { LISTING_STATUSES, SALE_CONDITIONS, type Vehicle, VEHICLE_TYPES } from '../../src/model/vehicle.ts';
import { identityOf, stagedVehicle } from './case-files.ts';
import { naiveFacets, naiveSearch, type NaiveSynonym, type NaiveVehicle } from './naive-lot.ts';
import { vocabulariesOf } from './vocabularies.ts';

const MAKES = ['Ford', 'ford ', 'FORD', 'Honda', 'Citroën', 'CITROEN', 'Mercedes-Benz', 'Land Rover', ' '];
const MODELS = [
  'F-150',
  'F150',
  'F 150',
  'f-150 Lightning',
  'CR-V',
  'CRV',
  'Model 3',
  'Range Rover',
  'C-HR',
  '3 Series',
];
const TRIMS = ['XLT', 'xlt', 'EX-L', 'Long  Range', 'Sport Touring Hybrid', '4-M-5', 'LX'];
const BODIES = ['SUV', 'Crew Cab', 'crew  cab', 'Sedan', 'Coupé', 'Coupe'];
const COLORS = ['Black', 'black', 'Oxford White', 'Rapid Red', 'Azul Índigo', 'Gray', '—'];
const FUELS = ['gas', 'Diesel', 'hybrid', 'bev'];
const FEATURES = ['Premium Audio', 'Heated Seats', '20" wheels', 'Apple CarPlay', 'N/A', 'Tow-Package', '  '];
const STOCKS = ['T100', 't100', 'A-17', '00417', '1E5', 'B 9'];
const ROOFTOPS = { HPM01: 'Harbor Point Motors', CRA02: 'Cedar Ridge Auto Center' };

const SYNONYMS: NaiveSynonym[] = [
  { field: 'make', said: 'fomoco', meant: 'Ford' },
  { field: 'make', said: 'merc', meant: 'Mercedes-Benz' },
  { field: 'make', said: 'landie', meant: 'Land Rover' },
  { field: 'driveline', said: '4x4', meant: '4wd' },
  { field: 'driveline', said: 'four wheel drive', meant: '4wd' },
  { field: 'driveline', said: 'all', meant: 'awd', doubtful: true },
  { field: 'fuel', said: 'gasoline', meant: 'gas' },
  { field: 'fuel', said: 'premium', meant: 'gas', doubtful: true },
  { field: 'fuel', said: 'plug-in electric', meant: 'bev' },
  { field: 'transmission', said: 'auto', meant: 'automatic' },
  { field: 'condition', said: 'pre-owned', meant: 'used' },
  { field: 'condition', said: 'new', meant: 'new' },
  { field: 'vehicle_type', said: 'bike', meant: 'motorcycle' },
];

const oneOf = (values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

const someVehicle = fc.record({
  make: maybe(oneOf(MAKES)),
  model: maybe(oneOf(MODELS)),
  trim: maybe(oneOf(TRIMS)),
  body: maybe(oneOf(BODIES)),
  stock: maybe(oneOf(STOCKS)),
  year: maybe(fc.integer({ min: 2019, max: 2022 })),
  condition: maybe(fc.constantFrom(...SALE_CONDITIONS)),
  vehicle_type: maybe(fc.constantFrom(...VEHICLE_TYPES)),
  status: fc.constantFrom(...LISTING_STATUSES),
  transmission: maybe(oneOf(['Automatic', 'manual'])),
  fuel: maybe(oneOf(FUELS)),
  driveline: maybe(oneOf(['awd', 'AWD', '4wd'])),
  engine: maybe(oneOf(['2.5L I4', '5.0L V8'])),
  charge_port: maybe(fc.constantFrom('NACS', 'CCS1', null)),
  dc_fast_charge: maybe(fc.boolean()),
  exterior_color: maybe(oneOf(COLORS)),
  interior_color: maybe(oneOf(COLORS)),
  price: maybe(fc.integer({ min: 1, max: 6 })),
  list_price: maybe(fc.integer({ min: 1, max: 6 })),
  msrp: maybe(fc.integer({ min: 1, max: 6 })),
  mileage: maybe(fc.integer({ min: 0, max: 5 })),
  displacement_cc: maybe(fc.integer({ min: 1, max: 3 })),
  electric_range_mi: maybe(fc.integer({ min: 1, max: 3 })),
  inventory_date: maybe(oneOf(['2026-01-02', '2026-01-03', '2025-12-31'])),
  features: maybe(fc.array(oneOf(FEATURES), { maxLength: 3 })),
  description: maybe(oneOf(['One owner, clean/quiet.', 'F150 work truck', 'été 2020 — "as new"', ''])),
  at: fc.constantFrom('HPM01' as const, 'CRA02' as const),
  updatedDay: fc.integer({ min: 0, max: 2 }),
});

const bound = fc.integer({ min: 0, max: 7 });
const list = (values: readonly string[]): fc.Arbitrary<string[]> =>
  fc.array(fc.constantFrom(...values), { maxLength: 3 });
const QUERY_WORDS = [
  ...['f150', 'f-150', 'F 150', 'crv', 'cr-v', 'cr v', 'model3', 'honda', 'FORD', 'benz', 'citroen', 'été'],
  ...['sp', 'e', '2', '20', 'black', 'owner,', '"', '<40000', '***', '🚗', 'awd', 't100', '2020', '3 series'],
  ...['a', 'with', 'in', 'under', 'hond', 'ser', '3', 'vin00000000000003', 'VIN00000000000001'],
  ...['fords', 'suvs', 'coupes', 'bikes', 'trucks', 'truck', 'owners', 'bodies', 'grey', 'gray'],
  ...SYNONYMS.map(({ said }) => said),
];

const FILTER_VALUES: Record<keyof Filters, fc.Arbitrary<unknown>> = {
  make: list([...MAKES, 'Fords', 'fórd', 'nothing', 'merc', 'FOMOCO ', 'landrover']),
  model: list([...MODELS, '', 'crv', 'chr', 'model3']),
  trim: list(TRIMS),
  condition: list(SALE_CONDITIONS),
  vehicle_type: list(VEHICLE_TYPES),
  transmission: list(['AUTOMATIC ', 'Manual', 'auto']),
  fuel: list([...FUELS, 'Gasoline', 'premium', 'plugin electric']),
  charge_port: list(['nacs']),
  driveline: list(['Awd', '4WD', '4x4', 'Four-Wheel Drive']),
  body: list([...BODIES, 'SUVs', 'coupes']),
  exterior_color: list([...COLORS, 'Grey']),
  interior_color: list(COLORS),
  rooftops: list(['harbor point motors', 'Cedar Ridge Auto Center']),
  year_min: fc.integer({ min: 2018, max: 2021 }),
  year_max: fc.integer({ min: 2020, max: 2023 }),
  price_min: bound,
  price_max: bound,
  mileage_max: bound,
  displacement_cc_min: bound,
  displacement_cc_max: bound,
  electric_range_mi_min: bound,
  electric_range_mi_max: bound,
  dc_fast_charge: fc.boolean(),
  vin: oneOf(['vin00000000000003', 'VIN00000000000001', 'nothing']),
  stock: oneOf([...STOCKS, ' a-17 ']),
  query: fc.array(oneOf(QUERY_WORDS), { maxLength: 3 }).map((words) => words.join(' ')),
};

/** Few constraints at a time, or nothing would ever match. */
const someFilters: fc.Arbitrary<Filters> = fc
  .subarray(Object.keys(FILTER_VALUES) as (keyof Filters)[], { maxLength: 3 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, FILTER_VALUES[name]]))))
  .map((filters) => filters as Filters);

const someSort = fc.option(
  fc.record({
    field: fc.constantFrom(...SORT_FIELDS),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { nil: undefined },
);

const MAX_FACET_VALUES = 4;
const config = {
  default_limit: 20,
  max_limit: 100,
  include_facets: false,
  max_facet_values: MAX_FACET_VALUES,
};
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 8, 14);

let store: InventoryStore;
let inventory: LotInventory;

beforeEach(() => {
  store = openInventoryStore(':memory:');
  inventory = new LotInventory(store, config, vocabulariesOf(SYNONYMS));
});

afterEach(() => store.close());

/** A vehicle with the place and day of its confirmation; fields that it lacks are undefined. */
interface MadeVehicle {
  at: 'HPM01' | 'CRA02';
  updatedDay: number;
}

/** Puts exactly these vehicles on the lot; every other one has a VIN. */
async function fillLot(vehicles: readonly MadeVehicle[]): Promise<NaiveVehicle[]> {
  store.close();
  store = openInventoryStore(':memory:');
  inventory = new LotInventory(store, config, vocabulariesOf(SYNONYMS));
  const lot = new Map<string, NaiveVehicle>();
  // Those with a VIN first: one that comes later takes the place of what carries its stock number without one.
  for (const [rest, day] of [0, 1].flatMap((odd) => [0, 1, 2].map((each) => [odd, each] as const))) {
    const run = await store.beginRun({
      runId: 'run',
      feedId: `day ${day}`,
      mode: 'full',
      confirmedAt: FIRST_DAY + day * DAY_MS,
    });
    for (const [index, { at, updatedDay, ...made }] of vehicles.entries()) {
      if (updatedDay !== day || index % 2 !== rest) continue;
      const defined = Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined));
      const vehicle: Vehicle = { ...defined, rooftop: ROOFTOPS[at], vehicle_id: `v${index}` };
      if (index % 2 === 0) vehicle.vin = `VIN${String(index + 1).padStart(14, '0')}`;
      else if (lot.has(`${identityOf(vehicle)} ${at}`)) continue;
      await run.stage([stagedVehicle(vehicle, { row: index, rooftopId: at })]);
      const identity = identityOf(vehicle);
      lot.set(`${identity} ${at}`, { identity, rooftopId: at, updatedAt: FIRST_DAY + day * DAY_MS, vehicle });
    }
    await run.apply({ removeAbsent: false });
  }
  inventory.swap(buildLot(store));
  return [...lot.values()];
}

function published({ vehicle, updatedAt }: NaiveVehicle): Vehicle {
  return { ...vehicle, updated_at: new Date(updatedAt).toISOString().replace('.000', '') };
}

function search(request: Partial<SearchRequest>): Vehicle[] {
  const page = inventory.search({ filters: {}, skip: 0, limit: 100, includeFacets: false, ...request });
  return page.vehicles.map((json) => JSON.parse(json) as Vehicle);
}

const someLot = fc.array(someVehicle, { maxLength: 90, size: 'max' });

test('search and facets answer what a plain scan answers', async () => {
  await fc.assert(
    fc.asyncProperty(
      someLot,
      fc.array(fc.tuple(someFilters, someSort), { minLength: 20, maxLength: 20 }),
      async (made, requests) => {
        const lot = await fillLot(made);
        for (const [filters, sort] of requests) {
          const asked = { filters, sort, synonyms: SYNONYMS };
          const expected = naiveSearch(lot, asked).map(published);
          const request = { filters, ...(sort === undefined ? {} : { sort }) };
          expect(search(request)).toEqual(expected);
          const page = inventory.search({ ...request, skip: 1, limit: 2, includeFacets: true });
          expect(page.total).toBe(expected.length);
          expect(page.facets).toEqual(naiveFacets(lot, asked, MAX_FACET_VALUES));
          expect(inventory.facets(filters)).toEqual(page.facets);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('free text finds what a plain scan finds, best matches first', async () => {
  await fc.assert(
    fc.asyncProperty(
      someLot,
      fc.array(FILTER_VALUES.query as fc.Arbitrary<string>, { minLength: 20, maxLength: 20 }),
      async (made, queries) => {
        const lot = await fillLot(made);
        for (const query of queries) {
          const expected = naiveSearch(lot, { filters: { query }, synonyms: SYNONYMS });
          expect([query, search({ filters: { query } })]).toEqual([query, expected.map(published)]);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('pages neither overlap nor skip, whatever their size', async () => {
  await fc.assert(
    fc.asyncProperty(
      someLot,
      someFilters,
      someSort,
      fc.integer({ min: 1, max: 7 }),
      async (made, filters, sort, limit) => {
        const lot = await fillLot(made);
        const request = { filters, limit, ...(sort === undefined ? {} : { sort }) };
        const expected = naiveSearch(lot, { filters, sort, synonyms: SYNONYMS }).map(published);
        const total = expected.length;
        const paged: Vehicle[] = [];
        for (let skip = 0; skip < total; skip += limit) paged.push(...search({ ...request, skip }));
        expect(paged).toEqual(expected);
        expect(search({ ...request, skip: total })).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

test('no query is an error', async () => {
  await fillLot(fc.sample(someVehicle, { numRuns: 30, seed: 7 }));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (query) => {
      expect(search({ filters: { query } }).length).toBeLessThanOrEqual(30);
    }),
    { numRuns: 500 },
  );
});
