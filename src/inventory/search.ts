import type { SearchRequest } from './inventory.ts';
import type { Lot, Selection } from './lot/lot.ts';
import type { OrderField } from './lot/fields.ts';
import { lowest } from './lot/lowest.ts';
import { placeOf, type RowOrder } from './lot/order.ts';
import { collectRows, hasRow } from './lot/row-set.ts';

interface PageSort {
  readonly field: OrderField;
  readonly order: 'asc' | 'desc';
}

/** A search that asks for no order gets the newest arrivals first. */
const DEFAULT_SORT: PageSort = { field: 'inventory_date', order: 'desc' };

/** What sorting one found row costs, in steps of walking the order. */
const SORT_STEPS_PER_ROW = 16;

/**
 * The rows of one page, in order. Vehicles without the sort field come last in both directions, equal ones in the
 * lot's fixed order, so that pages never overlap or skip. A search that asks for no order gets the vehicles that match
 * its free text best first, equally good ones by arrival.
 */
export function pageRows(
  lot: Lot,
  selection: Selection,
  request: Pick<SearchRequest, 'filters' | 'sort' | 'skip' | 'limit'>,
): Uint32Array {
  const { filters, sort, skip, limit } = request;
  const end = Math.min(skip + limit, selection.total);
  if (skip >= end) return new Uint32Array(0);
  if (sort !== undefined) return sortedRows(lot, selection, sort, skip, end);
  const page: number[] = [];
  let start = 0;
  for (const group of lot.rank(selection, filters)) {
    const [from, to] = [Math.max(skip - start, 0), Math.min(end - start, group.total)];
    if (from < to) page.push(...sortedRows(lot, group, DEFAULT_SORT, from, to));
    start += group.total;
  }
  return Uint32Array.from(page);
}

/** The rows of the selection at the places from `skip` up to but not including `end`, which it has. */
function sortedRows(lot: Lot, selection: Selection, sort: PageSort, skip: number, end: number): Uint32Array {
  const order = lot.data.orders[sort.field];
  const descending = sort.order === 'desc';
  const sorted = descending ? order.descending : order.ascending;
  if (selection.rows === undefined) return sorted.slice(skip, end);
  // To the end of the page the walk passes one selected row in every rowCount / total, if they lie evenly.
  const walkSteps = (lot.data.rowCount * end) / selection.total;
  return walkSteps < selection.total * SORT_STEPS_PER_ROW
    ? walk(sorted, selection.rows, skip, end)
    : sortFound(lot, selection.rows, order, descending, end).slice(skip);
}

function walk(sorted: Uint32Array, selected: Uint32Array, skip: number, end: number): Uint32Array {
  const page = new Uint32Array(end - skip);
  // By place: going through an array of numbers as an iterable takes three times as long.
  const rowCount = sorted.length;
  for (let place = 0, found = 0; place < rowCount && found < end; place++) {
    const row = sorted[place] ?? 0;
    if (!hasRow(selected, row)) continue;
    if (found >= skip) page[found - skip] = row;
    found++;
  }
  return page;
}

/** Place and row in one number sort as place, then row. */
function sortFound(
  lot: Lot,
  selected: Uint32Array,
  order: RowOrder,
  descending: boolean,
  end: number,
): Uint32Array {
  const { rowCount } = lot.data;
  const count = collectRows(selected, lot.rowScratch, rowCount, false);
  const keys = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    const row = lot.rowScratch[index] ?? 0;
    keys[index] = placeOf(order, row, descending) * rowCount + row;
  }
  return Uint32Array.from(lowest(keys, end), (key) => key % rowCount);
}
