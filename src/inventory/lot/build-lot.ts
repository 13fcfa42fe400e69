import type { Vehicle } from '../../model/vehicle.ts';
import type { LotRow } from '../store.ts';
import {
  type HiddenFeed,
  type LotData,
  type LotRooftop,
  NUMBER_FIELDS,
  type NumberField,
  RANGE_FIELDS,
  TERM_FIELDS,
  type TermField,
  TEXT_ORDER_FIELDS,
} from './lot-data.ts';
import { orderNumbers, orderTexts, placeIn } from './order.ts';
import { Spellings } from './spellings.ts';
import { TermColumnBuilder } from './term-column.ts';
import { indexKeys } from './text-index.ts';
import { WordIndexBuilder } from './word-index.ts';
import { textsOf, WORD_PLACES } from './words.ts';

/**
 * Reads the whole lot once, row by row, and builds its index. Vehicles come in the order in which they are stored,
 * which reads quickest, and are put into the fixed order that settles ties once all are there. Takes some 20 to 50 µs
 * a vehicle, so it belongs into a worker; memory peaks at three to four times the lot.
 * The vehicles of hidden feeds stay in the store and are not on this lot.
 */
export function buildLot(
  store: {
    visitAllForLot(visit: (row: LotRow) => void, withoutFeeds: readonly string[]): readonly number[];
  },
  hiddenFeeds: readonly HiddenFeed[] = [],
): LotData {
  const storedRowIds: number[] = [];
  const terms = recordOf(TERM_FIELDS, () => new TermColumnBuilder());
  const numbers = recordOf(NUMBER_FIELDS, (): number[] => []);
  const texts = { stock: new Spellings(), inventory_date: new Spellings() };
  const vins = new Spellings();
  const words = recordOf(WORD_PLACES, () => new WordIndexBuilder());
  const rooftops = new Map<string, LotRooftop>();

  function add(row: LotRow): void {
    const { vehicle } = row;
    storedRowIds.push(row.rowId);
    for (const field of TERM_FIELDS) terms[field].add(termOf(vehicle, field));
    for (const field of NUMBER_FIELDS) numbers[field].push(numberOf(row, field) ?? Number.NaN);
    texts.stock.add(vehicle.stock ?? '');
    texts.inventory_date.add(vehicle.inventory_date ?? '');
    const wordTexts = textsOf(vehicle);
    for (const place of WORD_PLACES) words[place].add(wordTexts[place]);
    vins.add(vehicle.vin ?? '');
    noteRooftop(rooftops, row);
  }

  const rowIds = store.visitAllForLot(
    add,
    hiddenFeeds.map(({ feedId }) => feedId),
  );
  const arrivals = arrivalsOf(rowIds, storedRowIds);
  for (const column of [vins, ...Object.values(texts)]) column.arrange(arrivals);
  for (const { spellings } of Object.values(terms)) spellings.arrange(arrivals);
  const columns = recordOf(NUMBER_FIELDS, (field) => arranged(numbers[field], arrivals));
  return {
    rowCount: rowIds.length,
    rowIds: new Float64Array(rowIds),
    terms: recordOf(TERM_FIELDS, (field) => terms[field].finish(field === 'year' ? Number : undefined)),
    ranges: recordOf(RANGE_FIELDS, (field) => columns[field]),
    orders: {
      ...recordOf(NUMBER_FIELDS, (field) => orderNumbers(columns[field])),
      // Make and model have been collected as terms.
      ...recordOf(TEXT_ORDER_FIELDS, (field) =>
        orderTexts(field === 'stock' || field === 'inventory_date' ? texts[field] : terms[field].spellings),
      ),
    },
    words: recordOf(WORD_PLACES, (place) => words[place].finish(arrivals)),
    vins: indexKeys(vins),
    stocks: indexKeys(texts.stock),
    rooftops: [...rooftops.values()].sort((one, other) => (one.rooftopId < other.rooftopId ? -1 : 1)),
    hiddenFeeds,
  };
}

/** Which of the rows that came in order of their ids is the one of each place. */
function arrivalsOf(rowIds: readonly number[], storedRowIds: readonly number[]): Uint32Array {
  const stored = new Float64Array(storedRowIds);
  return Uint32Array.from(rowIds, (rowId) => placeIn(stored, rowId));
}

function arranged(values: readonly number[], arrivals: Uint32Array): Float64Array {
  const inOrder = new Float64Array(arrivals.length);
  for (let row = 0; row < arrivals.length; row++) inOrder[row] = values[arrivals[row] ?? 0] ?? Number.NaN;
  return inOrder;
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
