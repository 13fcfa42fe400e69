import { LotInventory } from '../src/inventory/lot-inventory.ts';
import { buildLot } from '../src/inventory/lot/build-lot.ts';
import type { LotRow } from '../src/inventory/store.ts';
import { kindsFor } from './kinds.ts';
import { CONFIRMED_AT, generateVehicles } from './lot-generator.ts';
import { quantile } from './measure.ts';
import { atMost, rounded, type Row } from './report.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const MOST_GROWTH = 10;
const ROUNDS = 60;
const CONFIG = { default_limit: 20, max_limit: 100, include_facets: false, max_facet_values: 1000 };

/**
 * Finding a page of 20 by price in a lot of a hundred times the vehicles, both lots asked in turns. Without reading the
 * page's texts, which takes the same time in both and would make the growth look smaller.
 */
export function benchGrowth(): Row[] {
  const lots = [SMALL, LARGE].map(lotOf);
  const [small, large] = lots;
  if (small === undefined || large === undefined) throw new Error('both lots are there');
  const [smallKinds, largeKinds] = [kindsFor(small.vin), kindsFor(large.vin)];
  return smallKinds.map(([kind, smallFilters], index) => {
    const largeFilters = largeKinds[index]?.[1] ?? {};
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      times[0].push(pageMs(small.inventory, smallFilters));
      times[1].push(pageMs(large.inventory, largeFilters));
    }
    const [before, after] = [quantile(times[0], 0.5), quantile(times[1], 0.5)];
    const growth = rounded(after / before, 1);
    return {
      name: `growth, ${kind}`,
      values: {
        [`ms at ${SMALL}`]: rounded(before, 3),
        [`ms at ${LARGE}`]: rounded(after, 3),
        [`p99 ms at ${LARGE}`]: rounded(quantile(times[1], 0.99), 3),
        'times as long': growth,
      },
      goals: [atMost('times as long', growth, MOST_GROWTH)],
    };
  });
}

function pageMs(inventory: LotInventory, filters: Parameters<LotInventory['facets']>[0]): number {
  const started = performance.now();
  const sort = { field: 'price', order: 'asc' } as const;
  inventory.search({ filters, skip: 0, limit: 20, sort, includeFacets: false });
  return performance.now() - started;
}

function lotOf(size: number): { inventory: LotInventory; vin: string } {
  let vin = '';
  const lot = buildLot({
    visitAllForLot: (visit: (row: LotRow) => void) => {
      const rowIds: number[] = [];
      for (const { row, rooftopId, vehicle } of generateVehicles(size)) {
        visit({ rowId: row, rooftopId, updatedAt: CONFIRMED_AT, vehicle });
        rowIds.push(row);
        if (row === size / 2) vin = vehicle.vin ?? '';
      }
      return rowIds;
    },
  });
  const textless = { readListingTexts: () => [], findVehicle: () => undefined };
  const inventory = new LotInventory(textless, CONFIG);
  inventory.swap(lot);
  return { inventory, vin };
}
