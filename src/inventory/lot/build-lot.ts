import type { Vehicle } from '../../model/vehicle.ts';
import type { LotRow } from '../store.ts';
import { fold } from './fold.ts';
import {
  type HiddenFeed,
  type LotData,
  type LotRooftop,
  NUMBER_FIELDS,
  type NumberField,
  ORDER_FIELDS,
  RANGE_FIELDS,
  TERM_FIELDS,
  type TermField,
  TEXT_ORDER_FIELDS,
} from './lot-data.ts';
import { buildOrder } from './order.ts';
import { TermColumnBuilder } from './term-column.ts';
import { TextIndexBuilder } from './text-index.ts';
import { WordIndexBuilder } from './word-index.ts';

/**
 * Reads the whole lot once, row by row, and builds its index. Row numbers follow the order of reading, which is
 * the fixed order that settles ties. Takes some 20 to 50 µs a vehicle, so it belongs into a worker.
 * The vehicles of hidden feeds stay in the store and are not on this lot.
 */
export function buildLot(
  store: { readAllForLot(withoutFeeds: readonly string[]): Iterable<LotRow> },
  hiddenFeeds: readonly HiddenFeed[] = [],
): LotData {
  const rowIds: number[] = [];
  const terms = recordOf(TERM_FIELDS, () => new TermColumnBuilder());
  const numbers = recordOf(NUMBER_FIELDS, (): number[] => []);
  const texts = recordOf(TEXT_ORDER_FIELDS, (): string[] => []);
  const words = new WordIndexBuilder();
  const vins = new TextIndexBuilder();
  const stocks = new TextIndexBuilder();
  const rooftops = new Map<string, LotRooftop>();

  for (const row of store.readAllForLot(hiddenFeeds.map(({ feedId }) => feedId))) {
    const { vehicle } = row;
    rowIds.push(row.rowId);
    for (const field of TERM_FIELDS) terms[field].add(termOf(vehicle, field));
    for (const field of NUMBER_FIELDS) numbers[field].push(numberOf(row, field) ?? Number.NaN);
    for (const field of TEXT_ORDER_FIELDS) texts[field].push(fold(vehicle[field] ?? ''));
    words.add(vehicle);
    vins.addRow(foldedKey(vehicle.vin));
    stocks.addRow(foldedKey(vehicle.stock));
    noteRooftop(rooftops, row);
  }

  const sorted = { ...numbers, ...texts };
  return {
    rowCount: rowIds.length,
    rowIds: Float64Array.from(rowIds),
    terms: recordOf(TERM_FIELDS, (field) => terms[field].finish(field === 'year' ? Number : undefined)),
    ranges: recordOf(RANGE_FIELDS, (field) => Float64Array.from(numbers[field])),
    orders: recordOf(ORDER_FIELDS, (field) => buildOrder(sorted[field])),
    words: words.finish(),
    vins: vins.finish(),
    stocks: stocks.finish(),
    rooftops: [...rooftops.values()].sort((one, other) => (one.rooftopId < other.rooftopId ? -1 : 1)),
    hiddenFeeds,
  };
}

function termOf(vehicle: Vehicle, field: TermField): string | null | undefined {
  // A vehicle without a type is a car (aap-v1.3 section 4).
  if (field === 'vehicle_type') return vehicle.vehicle_type ?? 'car';
  const value = vehicle[field];
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function numberOf(row: LotRow, field: NumberField): number | undefined {
  return field === 'updated_at' ? row.updatedAt : row.vehicle[field];
}

function foldedKey(text: string | undefined): string[] {
  const key = fold(text ?? '');
  return key === '' ? [] : [key];
}

function noteRooftop(rooftops: Map<string, LotRooftop>, { rooftopId, updatedAt }: LotRow): void {
  const { vehicles, confirmedAt } = rooftops.get(rooftopId) ?? { vehicles: 0, confirmedAt: 0 };
  rooftops.set(rooftopId, {
    rooftopId,
    vehicles: vehicles + 1,
    confirmedAt: Math.max(confirmedAt, updatedAt),
  });
}

function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}
