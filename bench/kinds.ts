import type { SearchRequest } from '../src/inventory/inventory.ts';
import { generateVehicles } from './lot-generator.ts';

export type Filters = SearchRequest['filters'];

/** The seven kinds of requests that search and facets are measured by. */
const KINDS = {
  'no filter': {},
  make: { make: ['ford'] },
  'make, condition, price': { make: ['Toyota'], condition: ['used'], price_max: 30_000 },
  'free text': { query: 'honda civic tour' },
  'rare mix': { make: ['Porsche'], exterior_color: ['Black'], body: ['SUV'], year_min: 2020 },
  vin: {},
  'half of the lot': { condition: ['used', 'cpo'] },
} as const satisfies Record<string, Filters>;

/** Each kind with its filters; the VIN is that of a vehicle in the middle of the lot. */
export function kindsFor(vin: string): [kind: string, filters: Filters][] {
  return Object.entries(KINDS).map(([kind, filters]) => [kind, kind === 'vin' ? { vin } : filters]);
}

/** The VIN of the generated vehicle in the middle of a lot of this size. */
export function middleVin(size: number): string {
  let row = 0;
  for (const { vehicle } of generateVehicles(size)) if (++row > size / 2) return vehicle.vin ?? '';
  throw new Error('an empty lot has no middle');
}
