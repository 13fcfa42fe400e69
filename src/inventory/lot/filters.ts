import type { Filters } from '../inventory.ts';
import { fold } from './fold.ts';
import type { RangeField, TermField } from './fields.ts';
import type { LotData } from './lot-data.ts';
import { addRowsOf, bitsetOf } from './postings.ts';
import { narrowByQuery, type QueryIndex, type QueryScratch } from './query.ts';
import { keepRange } from './range-steps.ts';
import { keepCommonRows, type RowSet } from './row-set.ts';
import type { Synonyms } from './synonyms.ts';
import type { TermColumn } from './term-column.ts';
import { addRowsWith } from './text-index.ts';

/** Overwritten by every call. */
export interface FilterScratch {
  readonly rows: RowSet;
  readonly query: QueryScratch;
}

/** Filters that name any of several values, and the column they are compared with. */
const TERM_FILTERS = [
  ['make', 'make'],
  ['model', 'model'],
  ['trim', 'trim'],
  ['condition', 'condition'],
  ['vehicle_type', 'vehicle_type'],
  ['transmission', 'transmission'],
  ['fuel', 'fuel'],
  ['charge_port', 'charge_port'],
  ['driveline', 'driveline'],
  ['body', 'body'],
  ['exterior_color', 'exterior_color'],
  ['interior_color', 'interior_color'],
  ['rooftops', 'rooftop'],
] as const satisfies readonly [keyof Filters, TermField][];

/**
 * Takes every row that fails a filter (aap-v1.3 section 5) out of `selected`: each filter makes a
 * set of rows, which is met with the selection. Returns false when the filters hold no constraint at all.
 */
export function narrow(
  index: QueryIndex,
  filters: Filters,
  selected: RowSet,
  scratch: FilterScratch,
): boolean {
  const terms = narrowByTerms(index, filters, selected, scratch.rows);
  const keys = narrowByKeys(index.data, filters, selected, scratch.rows);
  const words = narrowByQuery(index, filters.query, selected, scratch.query);
  const ranges = narrowByRanges(index.data, filters, selected, scratch.rows);
  return terms || keys || words || ranges;
}

function narrowByTerms(index: QueryIndex, filters: Filters, selected: RowSet, scratch: RowSet): boolean {
  let constrained = false;
  for (const [filter, field] of TERM_FILTERS) {
    const wanted = filters[filter];
    if (wanted === undefined || wanted.length === 0) continue;
    constrained = true;
    keepAnyOf(valuesMeant(index, field, wanted), index.terms[field], selected, scratch);
  }
  // `true` asks for vehicles that have it, `false` for those whose listing says that they do not: a vehicle that
  // says nothing passes neither.
  if (filters.dc_fast_charge !== undefined) {
    constrained = true;
    const wanted = [String(filters.dc_fast_charge)];
    keepAnyOf(valuesMeant(index, 'dc_fast_charge', wanted), index.terms.dc_fast_charge, selected, scratch);
  }
  return constrained;
}

/**
 * The numbers of the column's values that a filter asks for: each text as it stands, and what it means in the
 * vocabulary. Only a text that is neither on the lot is compared without blanks and `_ - .` (`CRV` finds CR-V).
 */
function valuesMeant(
  { terms, synonyms }: { terms: QueryIndex['terms']; synonyms: Synonyms },
  field: TermField,
  wanted: readonly string[],
): Set<number> {
  const column = terms[field];
  const codes = new Set<number>();
  for (const text of wanted) {
    const literal = column.codeOf.get(fold(text));
    const meaning = synonyms.valueOf(field, text);
    const meant = meaning === undefined ? undefined : column.codeOf.get(meaning);
    if (literal !== undefined) codes.add(literal);
    if (meant !== undefined) codes.add(meant);
    if (literal === undefined && meant === undefined) {
      for (const code of column.alikeTo(text)) codes.add(code);
    }
  }
  return new Set(Array.from(codes, (code) => code - 1));
}

function keepAnyOf(values: ReadonlySet<number>, column: TermColumn, selected: RowSet, scratch: RowSet): void {
  const [only] = values;
  const ready = values.size === 1 && only !== undefined ? bitsetOf(column.postings, only) : undefined;
  if (ready === undefined) {
    scratch.fill(0);
    for (const value of values) addRowsOf(column.postings, value, scratch);
  }
  keepCommonRows(selected, ready ?? scratch);
}

function narrowByKeys(data: LotData, filters: Filters, selected: RowSet, scratch: RowSet): boolean {
  const keys = [
    { wanted: filters.vin, index: data.vins },
    { wanted: filters.stock, index: data.stocks },
  ];
  let constrained = false;
  for (const { wanted, index } of keys) {
    if (wanted === undefined) continue;
    constrained = true;
    scratch.fill(0);
    addRowsWith(index, fold(wanted), scratch);
    keepCommonRows(selected, scratch);
  }
  return constrained;
}

function narrowByRanges(data: LotData, filters: Filters, selected: RowSet, scratch: RowSet): boolean {
  const ranges: [RangeField, number | undefined, number | undefined][] = [
    ['year', filters.year_min, filters.year_max],
    ['price', filters.price_min, filters.price_max],
    ['mileage', undefined, filters.mileage_max],
    ['displacement_cc', filters.displacement_cc_min, filters.displacement_cc_max],
    ['electric_range_mi', filters.electric_range_mi_min, filters.electric_range_mi_max],
  ];
  let constrained = false;
  for (const [field, min, max] of ranges) {
    if (min === undefined && max === undefined) continue;
    constrained = true;
    keepRange(
      data.steps[field],
      { values: data.ranges[field], ascending: data.orders[field].ascending },
      { min: min ?? -Infinity, max: max ?? Infinity },
      selected,
      scratch,
    );
  }
  return constrained;
}
