import type { RowOrder } from './order.ts';
import type { TermColumnData } from './term-column.ts';
import type { TextIndexData } from './text-index.ts';
import type { WordPlace } from './words.ts';

/** The columns that are filtered and counted by value, named as in the vehicle. */
export const TERM_FIELDS = [
  'make',
  'model',
  'trim',
  'year',
  'condition',
  'transmission',
  'fuel',
  'dc_fast_charge',
  'charge_port',
  'driveline',
  'body',
  'vehicle_type',
  'exterior_color',
  'interior_color',
  'rooftop',
  'status',
] as const;
export type TermField = (typeof TERM_FIELDS)[number];

/** The columns that are filtered by range. NaN = the vehicle has none, which no comparison matches. */
export const RANGE_FIELDS = ['price', 'mileage', 'year', 'displacement_cc', 'electric_range_mi'] as const;
export type RangeField = (typeof RANGE_FIELDS)[number];

/** The numbers with a presorted order: sort fields, and ranges, whose ends are the first rows of their order. */
export const NUMBER_FIELDS = [...RANGE_FIELDS, 'list_price', 'msrp', 'updated_at'] as const;
export type NumberField = (typeof NUMBER_FIELDS)[number];

/** The texts with a presorted order; inventory_date is the order of a search that asks for none. */
export const TEXT_ORDER_FIELDS = ['make', 'model', 'stock', 'inventory_date'] as const;

export type OrderField = NumberField | (typeof TEXT_ORDER_FIELDS)[number];

/**
 * The search index of the lot as plain data: typed arrays and a few short string tables. It is built in a worker,
 * handed over by transferring its buffers, and never changed. A row number means the same vehicle everywhere.
 */
export interface LotData {
  readonly rowCount: number;
  /** The store's row id of each row. */
  readonly rowIds: Float64Array;
  readonly terms: Readonly<Record<TermField, TermColumnData>>;
  readonly ranges: Readonly<Record<RangeField, Float64Array>>;
  readonly orders: Readonly<Record<OrderField, RowOrder>>;
  readonly words: Readonly<Record<WordPlace, TextIndexData>>;
  readonly vins: TextIndexData;
  readonly stocks: TextIndexData;
  readonly rooftops: readonly LotRooftop[];
  /** Feeds whose vehicles are left out. */
  readonly hiddenFeeds: readonly HiddenFeed[];
}

export interface HiddenFeed {
  readonly feedId: string;
  /** RFC 3339. */
  readonly since: string;
}

export interface LotRooftop {
  readonly rooftopId: string;
  readonly vehicles: number;
  /** Newest updated_at of its vehicles, ms since 1970. */
  readonly confirmedAt: number;
}

/** The buffers of the data, for `postMessage(data, lotTransferList(data))`. */
export function lotTransferList(data: LotData): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  collectBuffers(data, buffers);
  return [...buffers];
}

function collectBuffers(part: unknown, buffers: Set<ArrayBuffer>): void {
  if (ArrayBuffer.isView(part)) {
    if (part.buffer instanceof ArrayBuffer) buffers.add(part.buffer);
  } else if (typeof part === 'object' && part !== null && !Array.isArray(part)) {
    for (const inner of Object.values(part)) collectBuffers(inner, buffers);
  }
}
