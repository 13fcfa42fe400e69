import type { Facets, RangeFacet, TermFacet } from './inventory.ts';
import type { Lot, Selection } from './lot/lot.ts';
import type { RangeField, TermField } from './lot/lot-data.ts';
import { countRowsOf } from './lot/postings.ts';
import { collectRows, hasRow, type RowSet } from './lot/row-set.ts';
import type { TermColumn } from './lot/term-column.ts';

/** The reply's term facets and the column each one counts (aap-v1.3 section 5). */
const TERM_FACETS = [
  ['makes', 'make'],
  ['models', 'model'],
  ['trims', 'trim'],
  ['years', 'year'],
  ['conditions', 'condition'],
  ['transmissions', 'transmission'],
  ['fuels', 'fuel'],
  ['dc_fast_charge', 'dc_fast_charge'],
  ['charge_ports', 'charge_port'],
  ['drivelines', 'driveline'],
  ['bodies', 'body'],
  ['vehicle_types', 'vehicle_type'],
  ['exterior_colors', 'exterior_color'],
  ['interior_colors', 'interior_color'],
  ['rooftops', 'rooftop'],
  ['statuses', 'status'],
] as const satisfies readonly [keyof Facets, TermField][];

const RANGE_FACETS = [
  ['price_range', 'price'],
  ['mileage_range', 'mileage'],
  ['year_range', 'year'],
  ['displacement_cc_range', 'displacement_cc'],
  ['electric_range_mi_range', 'electric_range_mi'],
] as const satisfies readonly [keyof Facets, RangeField][];

/**
 * Counts every facet over the selection. A term facet lists its most frequent values, at most `maxValues`, equally
 * frequent ones by value; a facet without inventory is left out.
 */
export function facetsOf(lot: Lot, selection: Selection, maxValues: number): Facets {
  const facets: Facets = {};
  if (selection.total === 0) return facets;
  const side = smallerSide(lot, selection);
  for (const [facet, field] of TERM_FACETS) {
    const column = lot.terms[field];
    const listed = listTerms(column, countColumn(column, selection.rows, side), maxValues);
    if (listed.length > 0) facets[facet] = listed;
  }
  for (const [facet, field] of RANGE_FACETS) {
    const range = rangeOf(lot, field, selection.rows, side);
    if (range !== undefined) facets[facet] = range;
  }
  return facets;
}

/** The rows selected, or those left out, whichever are fewer: at most half of the lot has to be looked at. */
interface SmallerSide {
  readonly selected: boolean;
  readonly rows: Uint32Array;
}

function smallerSide(lot: Lot, { rows, total }: Selection): SmallerSide {
  if (rows === undefined) return { selected: false, rows: lot.rowScratch.subarray(0, 0) };
  const { rowCount } = lot.data;
  const selected = total <= rowCount - total;
  const count = collectRows(rows, lot.rowScratch, rowCount, !selected);
  return { selected, rows: lot.rowScratch.subarray(0, count) };
}

/** Vehicles of each code: value by value where the column has few values, else row by row. */
function countColumn(column: TermColumn, selected: RowSet | undefined, side: SmallerSide): Uint32Array {
  if (selected !== undefined && column.sweepCost < side.rows.length) return countByValue(column, selected);
  const counts = new Uint32Array(column.totals.length);
  const { codes } = column;
  for (const row of side.rows) {
    const code = codes[row] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return side.selected ? counts : counts.map((leftOut, code) => (column.totals[code] ?? 0) - leftOut);
}

function countByValue(column: TermColumn, selected: RowSet): Uint32Array {
  return column.totals.map((_, code) => (code === 0 ? 0 : countRowsOf(column.postings, code - 1, selected)));
}

/** Codes ascend with their values, so count and code in one number sort as count (descending), then value. */
function listTerms(column: TermColumn, counts: Uint32Array, maxValues: number): TermFacet[] {
  const width = counts.length;
  const keys = new Float64Array(width);
  let found = 0;
  for (let code = 1; code < width; code++) {
    const count = counts[code] ?? 0;
    if (count > 0) keys[found++] = code - count * width;
  }
  const listed = keys.subarray(0, found).sort().subarray(0, maxValues);
  return Array.from(listed, (key) => {
    const count = Math.ceil(-key / width);
    return { value: column.values[key + count * width - 1] ?? '', count };
  });
}

/** Lowest and highest value; vehicles without the field do not count. */
function rangeOf(
  lot: Lot,
  field: RangeField,
  selected: RowSet | undefined,
  side: SmallerSide,
): RangeFacet | undefined {
  const column = lot.data.ranges[field];
  if (side.selected) return rangeOfRows(column, side.rows);
  const { ascending, descending } = lot.data.orders[field];
  const min = firstValue(column, ascending, selected);
  const max = firstValue(column, descending, selected);
  return min === undefined || max === undefined ? undefined : { min, max };
}

function rangeOfRows(column: Float64Array, rows: Uint32Array): RangeFacet | undefined {
  let min = Infinity;
  let max = -Infinity;
  for (const row of rows) {
    const value = column[row] ?? Number.NaN;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? { min, max } : undefined;
}

/** Value of the first selected row of an order; most rows are selected here, so it stands near the front. */
function firstValue(
  column: Float64Array,
  order: Uint32Array,
  selected: RowSet | undefined,
): number | undefined {
  const row = order.find((candidate) => selected === undefined || hasRow(selected, candidate));
  const value = row === undefined ? Number.NaN : (column[row] ?? Number.NaN);
  return Number.isNaN(value) ? undefined : value;
}
