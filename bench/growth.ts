import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LotInventory } from '../src/inventory/lot-inventory.ts';
import { buildLot } from '../src/inventory/lot/build-lot.ts';
import { type InventoryStore, type LotRow, openInventoryStore } from '../src/inventory/store.ts';
import { inventoryFile } from './feed-import.ts';
import { fillInventory } from './http/bridge-process.ts';
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
 * A page of 20 by price out of a lot of a hundred times the vehicles, both lots asked in turns. `finding` is the same
 * without reading the page's texts, which takes as long in both. The texts of both lots are those of the small one: a
 * file of a million would be no slower to read twenty rows of, but takes minutes to fill.
 */
export async function benchGrowth(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-growth-'));
  try {
    await fillInventory(folder, SMALL);
    const texts = openInventoryStore(inventoryFile(folder), { readonly: true });
    try {
      return growthRows(texts);
    } finally {
      texts.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function growthRows(texts: InventoryStore): Row[] {
  const lots = [SMALL, LARGE].map((size) => lotOf(size, texts));
  const [small, large] = lots;
  if (small === undefined || large === undefined) throw new Error('both lots are there');
  const [smallKinds, largeKinds] = [kindsFor(small.vin), kindsFor(large.vin)];
  return smallKinds.map(([kind, smallFilters], index) => {
    const largeFilters = largeKinds[index]?.[1] ?? {};
    const times = {
      small: [] as number[],
      large: [] as number[],
      findSmall: [] as number[],
      findLarge: [] as number[],
    };
    for (let round = 0; round < ROUNDS; round++) {
      times.small.push(pageMs(small.inventory, smallFilters));
      times.large.push(pageMs(large.inventory, largeFilters));
      times.findSmall.push(pageMs(small.finding, smallFilters));
      times.findLarge.push(pageMs(large.finding, largeFilters));
    }
    const median = (of: keyof typeof times): number => quantile(times[of], 0.5);
    const growth = rounded(median('large') / median('small'), 1);
    return {
      name: `growth, ${kind}`,
      values: {
        [`ms at ${SMALL}`]: rounded(median('small'), 3),
        [`ms at ${LARGE}`]: rounded(median('large'), 3),
        [`p99 ms at ${LARGE}`]: rounded(quantile(times.large, 0.99), 3),
        'times as long': growth,
        [`finding at ${SMALL}`]: rounded(median('findSmall'), 3),
        [`finding at ${LARGE}`]: rounded(median('findLarge'), 3),
        'finding, times': rounded(median('findLarge') / median('findSmall'), 1),
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

interface AskedLot {
  inventory: LotInventory;
  /** The same lot without texts. */
  finding: LotInventory;
  vin: string;
}

function lotOf(size: number, texts: InventoryStore): AskedLot {
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
  const findVehicle = (): undefined => undefined;
  const readListingTexts = (rowIds: readonly number[]): (string | undefined)[] =>
    texts.readListingTexts(rowIds.map((rowId) => (rowId % SMALL) + 1));
  const inventory = new LotInventory({ readListingTexts, findVehicle }, CONFIG);
  const finding = new LotInventory({ readListingTexts: () => [], findVehicle }, CONFIG);
  inventory.swap(lot);
  finding.swap(lot);
  return { inventory, finding, vin };
}
