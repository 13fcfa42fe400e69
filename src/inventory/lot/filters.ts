import type { Filters } from '../inventory.ts';
import { fold } from './fold.ts';
import type { RangeField, TermField } from './fields.ts';
import type { LotData } from './lot-data.ts';
import type { Narrowing } from './narrowing.ts';
import { otherForms } from './other-forms.ts';
import { addRowsOf, bitsetOf } from './postings.ts';
import { narrowByQuery, type QueryIndex, type QueryScratch } from './query.ts';
import { keepRange } from './range-steps.ts';
import type { RowSet } from './row-set.ts';
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

/** Keeps the rows that pass every filter (aap-v1.3 section 5). Filters that hold no constraint at all narrow nothing. */
export function narrow(
  index: QueryIndex,
  filters: Filters,
  narrowing: Narrowing,
  scratch: FilterScratch,
): void {
  narrowByTerms(index, filters, narrowing, scratch.rows);
  narrowByKeys(index.data, filters, narrowing, scratch.rows);
  narrowByQuery(index, filters.query, narrowing, scratch.query);
  narrowByRanges(index.data, filters, narrowing, scratch.rows);
}

function narrowByTerms(index: QueryIndex, filters: Filters, narrowing: Narrowing, scratch: RowSet): void {
  for (const [filter, field] of TERM_FILTERS) {
    const wanted = filters[filter];
    if (wanted === undefined || wanted.length === 0) continue;
    keepAnyOf(valuesMeant(index, field, wanted), index.terms[field], narrowing, scratch);
  }
  // `true` asks for vehicles that have it, `false` for those whose listing says that they do not: a vehicle that
  // says nothing passes neither.
  if (filters.dc_fast_charge !== undefined) {
    const wanted = [String(filters.dc_fast_charge)];
    keepAnyOf(valuesMeant(index, 'dc_fast_charge', wanted), index.terms.dc_fast_charge, narrowing, scratch);
  }
}

/** The numbers of the column's values that a filter asks for; a text that finds none is tried in its other forms. */
function valuesMeant(index: ValueIndex, field: TermField, wanted: readonly string[]): Set<number> {
  const numbers = new Set<number>();
  for (const text of wanted) {
    const codes = codesOf(index, field, text);
    const found =
      codes.length > 0 ? codes : otherForms(fold(text)).flatMap((form) => codesOf(index, field, form));
    for (const code of found) numbers.add(code - 1);
  }
  return numbers;
}

/**
 * The text as it stands, and what it means in the vocabulary. Only a text that is neither on the lot is compared without
 * blanks and `_ - .` (`CRV` finds CR-V).
 */
function codesOf({ terms, synonyms }: ValueIndex, field: TermField, text: string): readonly number[] {
  const column = terms[field];
  const literal = column.codeOf.get(fold(text));
  const meaning = synonyms.valueOf(field, text);
  const meant = meaning === undefined ? undefined : column.codeOf.get(meaning);
  if (literal === undefined && meant === undefined) return column.alikeTo(text);
  return [literal, meant].filter((code) => code !== undefined);
}

interface ValueIndex {
  terms: QueryIndex['terms'];
  synonyms: Synonyms;
}

function keepAnyOf(
  values: ReadonlySet<number>,
  column: TermColumn,
  narrowing: Narrowing,
  scratch: RowSet,
): void {
  const [first, ...more] = values;
  const firstRows = first === undefined ? undefined : bitsetOf(column.postings, first);
  // A row has one value at most, so the values have no row in common.
  const total = sumOf(values, (value) => column.totals[value + 1] ?? 0);
  if (firstRows !== undefined && more.length === 0) {
    narrowing.keep(firstRows, total);
    return;
  }
  if (firstRows === undefined) scratch.fill(0);
  else scratch.set(firstRows);
  for (const value of firstRows === undefined ? values : more) addRowsOf(column.postings, value, scratch);
  narrowing.keep(scratch, total);
}

function sumOf(values: ReadonlySet<number>, of: (value: number) => number): number {
  let sum = 0;
  for (const value of values) sum += of(value);
  return sum;
}

function narrowByKeys(data: LotData, filters: Filters, narrowing: Narrowing, scratch: RowSet): void {
  const keys = [
    { wanted: filters.vin, index: data.vins },
    { wanted: filters.stock, index: data.stocks },
  ];
  for (const { wanted, index } of keys) {
    if (wanted === undefined) continue;
    scratch.fill(0);
    narrowing.keep(scratch, addRowsWith(index, fold(wanted), scratch));
  }
}

function narrowByRanges(data: LotData, filters: Filters, narrowing: Narrowing, scratch: RowSet): void {
  const ranges: [RangeField, number | undefined, number | undefined][] = [
    ['year', filters.year_min, filters.year_max],
    ['price', filters.price_min, filters.price_max],
    ['mileage', undefined, filters.mileage_max],
    ['displacement_cc', filters.displacement_cc_min, filters.displacement_cc_max],
    ['electric_range_mi', filters.electric_range_mi_min, filters.electric_range_mi_max],
  ];
  for (const [field, min, max] of ranges) {
    if (min === undefined && max === undefined) continue;
    keepRange(
      data.steps[field],
      { values: data.ranges[field], ascending: data.orders[field].ascending },
      { min: min ?? -Infinity, max: max ?? Infinity },
      narrowing,
      scratch,
    );
  }
}
