import type { OrderField, RangeField, TermField } from './fields.ts';
import type { JointColumn } from './joint-columns.ts';
import type { RowOrder } from './order.ts';
import type { RangeSteps } from './range-steps.ts';
import type { TermColumnData } from './term-column.ts';
import type { TextIndexData } from './text-index.ts';
import type { WordPlace } from './words.ts';

/**
 * The search index of the lot as plain data: typed arrays and a few short string tables. It is built in a worker,
 * handed over by transferring its buffers, and never changed. A row number means the same vehicle everywhere.
 */
export interface LotData {
  readonly rowCount: number;
  /** The store's row id of each row. */
  readonly rowIds: Float64Array;
  readonly terms: Readonly<Record<TermField, TermColumnData>>;
  readonly joints: readonly JointColumn[];
  readonly ranges: Readonly<Record<RangeField, Float64Array>>;
  readonly steps: Readonly<Record<RangeField, RangeSteps>>;
  readonly orders: Readonly<Record<OrderField, RowOrder>>;
  readonly words: Readonly<Record<WordPlace, TextIndexData>>;
  readonly vins: TextIndexData;
  readonly stocks: TextIndexData;
  readonly rooftops: readonly LotRooftop[];
  /** Feeds whose vehicles are left out. */
  readonly hiddenFeeds: readonly HiddenFeed[];
  /** Rooftops whose vehicles are left out. */
  readonly hiddenRooftops: readonly string[];
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
  } else if (typeof part === 'object' && part !== null) {
    for (const inner of Object.values(part)) {
      // The tables of values are long and hold no buffers.
      if (typeof inner === 'object') collectBuffers(inner, buffers);
    }
  }
}
