import type { Facets, RangeFacet, TermFacet } from './inventory.ts';
import { codeCount, countJoint } from './lot/joint-columns.ts';
import type { Lot, Selection } from './lot/lot.ts';
import type { RangeField, TermField } from './lot/fields.ts';
import { endsOf } from './lot/range-steps.ts';
import { collectRows, type RowSet, rowSetWords } from './lot/row-set.ts';
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
  const counts = countColumns(lot, side);
  for (const [facet, field] of TERM_FACETS) {
    const listed = listTerms(lot.terms[field], counts.get(field) ?? new Uint32Array(0), maxValues);
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

/** Vehicles of each code of each column: many rows jointly, few column by column. */
function countColumns({ data, terms }: Lot, side: SmallerSide): Map<TermField, Uint32Array> {
  const counts = new Map<TermField, Uint32Array>();
  for (const joint of data.joints) {
    if (side.rows.length < codeCount(joint)) continue;
    const widths = joint.fields.map((field) => terms[field].totals.length);
    for (const [index, counted] of countJoint(joint, side.rows, widths).entries()) {
      const field = joint.fields[index];
      if (field !== undefined) counts.set(field, counted);
    }
  }
  for (const [, field] of TERM_FACETS) {
    const { totals } = terms[field];
    const counted = counts.get(field) ?? countColumn(terms[field], side.rows);
    counts.set(field, side.selected ? counted : totals.map((total, code) => total - (counted[code] ?? 0)));
  }
  return counts;
}

function countColumn({ codes, totals }: TermColumn, rows: Uint32Array): Uint32Array {
  const counts = new Uint32Array(totals.length);
  for (const row of rows) {
    const code = codes[row] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
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
  { data }: Lot,
  field: RangeField,
  selected: RowSet | undefined,
  side: SmallerSide,
): RangeFacet | undefined {
  const column = data.ranges[field];
  // Fewer rows than a set has words are looked at more quickly one by one.
  if (side.selected && side.rows.length < rowSetWords(data.rowCount)) return rangeOfRows(column, side.rows);
  const { ascending, descending } = data.orders[field];
  const ends =
    selected === undefined
      ? { lowest: ascending[0] ?? 0, highest: descending[0] ?? 0 }
      : endsOf(data.steps[field], ascending, selected);
  if (ends === undefined) return undefined;
  const [min, max] = [column[ends.lowest] ?? Number.NaN, column[ends.highest] ?? Number.NaN];
  return Number.isNaN(min) ? undefined : { min, max };
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
