import type { Vehicle } from '../../model/vehicle.ts';
import type { LotRow } from '../store.ts';
import { joinColumns } from './joint-columns.ts';
import { NUMBER_FIELDS, type NumberField, RANGE_FIELDS, TERM_FIELDS, type TermField } from './fields.ts';
import type { HiddenFeed, LotData, LotRooftop } from './lot-data.ts';
import { orderByRank, orderNumbers, orderTexts, placeIn } from './order.ts';
import { cutIntoSteps } from './range-steps.ts';
import { Spellings } from './spellings.ts';
import { TermColumnBuilder, type TermColumnData } from './term-column.ts';
import { indexKeys } from './text-index.ts';
import { type KnownTexts, WordIndexBuilder } from './word-index.ts';
import { DETAIL_FIELDS, NAME_FIELDS, nameWords, phraseWords } from './words.ts';

/**
 * Reads the whole lot once, row by row, and builds its index. Vehicles come in the order in which they are stored,
 * which reads quickest, and are put into the fixed order that settles ties once all are there. Takes some 20 to 50 µs
 * a vehicle, so it belongs into a worker; memory peaks at three to four times the lot.
 * The vehicles of hidden feeds and rooftops stay in the store and are not on this lot.
 */
export function buildLot(
  store: {
    visitAllForLot(
      visit: (row: LotRow) => void,
      withoutFeeds: readonly string[],
      withoutRooftops: readonly string[],
    ): readonly number[];
  },
  hiddenFeeds: readonly HiddenFeed[] = [],
  hiddenRooftops: readonly string[] = [],
): LotData {
  const storedRowIds: number[] = [];
  const terms = recordOf(TERM_FIELDS, () => new TermColumnBuilder());
  const numbers = recordOf(NUMBER_FIELDS, (): number[] => []);
  const dates = new Spellings();
  const vins: string[] = [];
  const stocks: string[] = [];
  const details = new WordIndexBuilder();
  const description = new WordIndexBuilder();
  const rooftops = new Map<string, LotRooftop>();

  function add(row: LotRow): void {
    const { vehicle } = row;
    storedRowIds.push(row.rowId);
    for (const field of TERM_FIELDS) terms[field].add(termOf(vehicle, field));
    for (const field of NUMBER_FIELDS) numbers[field].push(numberOf(row, field) ?? Number.NaN);
    dates.add(vehicle.inventory_date ?? '');
    vins.push(vehicle.vin ?? '');
    stocks.push(vehicle.stock ?? '');
    if (vehicle.engine !== undefined) details.addText(vehicle.engine);
    for (const feature of vehicle.features ?? []) details.addText(feature);
    details.endRow();
    if (vehicle.description !== undefined) description.addText(vehicle.description);
    description.endRow();
    noteRooftop(rooftops, row);
  }

  const rowIds = store.visitAllForLot(
    add,
    hiddenFeeds.map(({ feedId }) => feedId),
    hiddenRooftops,
  );
  const arrivals = arrivalsOf(rowIds, storedRowIds);
  dates.arrange(arrivals);
  for (const { spellings } of Object.values(terms)) spellings.arrange(arrivals);
  const columns = recordOf(NUMBER_FIELDS, (field) => arrangedNumbers(numbers[field], arrivals));
  const termColumns = recordOf(TERM_FIELDS, (field) =>
    terms[field].finish(field === 'year' ? Number : undefined),
  );
  const numberOrders = recordOf(NUMBER_FIELDS, (field) => orderNumbers(columns[field]));
  const stockKeys = indexKeys(arrangedTexts(stocks, arrivals));
  return {
    rowCount: rowIds.length,
    rowIds: new Float64Array(rowIds),
    terms: termColumns,
    joints: joinColumns(termColumns, rowIds.length),
    ranges: recordOf(RANGE_FIELDS, (field) => columns[field]),
    steps: recordOf(RANGE_FIELDS, (field) => cutIntoSteps(numberOrders[field])),
    orders: {
      ...numberOrders,
      make: orderTexts(terms.make.spellings),
      model: orderTexts(terms.model.spellings),
      stock: orderByRank(stockKeys.placeOfRow, stockKeys.keys.length),
      inventory_date: orderTexts(dates),
    },
    words: {
      names: new WordIndexBuilder().finish(arrivals, [
        ...NAME_FIELDS.map((field) => knownTexts(termColumns[field], nameWords)),
        { texts: stockKeys.keys, postings: stockKeys.index.postings, wordsOf: phraseWords },
      ]),
      details: details.finish(
        arrivals,
        DETAIL_FIELDS.map((field) => knownTexts(termColumns[field], phraseWords)),
      ),
      description: description.finish(arrivals, []),
    },
    vins: indexKeys(arrangedTexts(vins, arrivals)).index,
    stocks: stockKeys.index,
    rooftops: [...rooftops.values()].sort((one, other) => (one.rooftopId < other.rooftopId ? -1 : 1)),
    hiddenFeeds,
    hiddenRooftops,
  };
}

function knownTexts({ keys, postings }: TermColumnData, wordsOf: KnownTexts['wordsOf']): KnownTexts {
  return { texts: keys, postings, wordsOf };
}

/** Which of the rows that came in order of their ids is the one of each place. */
function arrivalsOf(rowIds: readonly number[], storedRowIds: readonly number[]): Uint32Array {
  const stored = new Float64Array(storedRowIds);
  return Uint32Array.from(rowIds, (rowId) => placeIn(stored, rowId));
}

function arrangedNumbers(values: readonly number[], arrivals: Uint32Array): Float64Array {
  const inOrder = new Float64Array(arrivals.length);
  for (let row = 0; row < arrivals.length; row++) inOrder[row] = values[arrivals[row] ?? 0] ?? Number.NaN;
  return inOrder;
}

function arrangedTexts(texts: readonly string[], arrivals: Uint32Array): string[] {
  return Array.from(arrivals, (arrival) => texts[arrival] ?? '');
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
