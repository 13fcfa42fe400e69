import type { Filters } from '../inventory.ts';
import { fold } from './fold.ts';
import type { LotData, RangeField, TermField } from './lot-data.ts';
import { addRowsOf, bitsetOf } from './postings.ts';
import { keepCommonRows, type RowSet } from './row-set.ts';
import type { TermColumn } from './term-column.ts';
import { addRowsWith, addRowsWithPrefix } from './text-index.ts';
import { queryWords } from './words.ts';

/** What filters look things up in. */
export interface FilterIndex {
  readonly data: LotData;
  readonly terms: Readonly<Record<TermField, TermColumn>>;
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
 * Takes every row that fails a filter (aap-v1.3 section 5) out of `selected`. Cheapest first: sets of values, exact
 * keys, words, and then the ranges, which look at each row that is still selected. `scratch` is overwritten.
 * Returns false when the filters hold no constraint at all.
 */
export function narrow(index: FilterIndex, filters: Filters, selected: RowSet, scratch: RowSet): boolean {
  const terms = narrowByTerms(index, filters, selected, scratch);
  const keys = narrowByKeys(index.data, filters, selected, scratch);
  const words = narrowByQuery(index.data, filters.query, selected, scratch);
  const ranges = narrowByRanges(index.data, filters, selected);
  return terms || keys || words || ranges;
}

function narrowByTerms(index: FilterIndex, filters: Filters, selected: RowSet, scratch: RowSet): boolean {
  let constrained = false;
  for (const [filter, field] of TERM_FILTERS) {
    const wanted = filters[filter];
    if (wanted === undefined || wanted.length === 0) continue;
    constrained = true;
    keepAnyOf(index.terms[field], wanted, selected, scratch);
  }
  // `true` asks for vehicles that have it, `false` for those whose listing says that they do not: a vehicle that
  // says nothing passes neither.
  if (filters.dc_fast_charge !== undefined) {
    constrained = true;
    keepAnyOf(index.terms.dc_fast_charge, [String(filters.dc_fast_charge)], selected, scratch);
  }
  return constrained;
}

function keepAnyOf(column: TermColumn, wanted: readonly string[], selected: RowSet, scratch: RowSet): void {
  const values = new Set<number>();
  for (const text of wanted) {
    const code = column.codeOf.get(fold(text));
    if (code !== undefined) values.add(code - 1);
  }
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

/**
 * Every word must match, the last one as a prefix, for it may still be in typing. A word also matches together
 * with its neighbour: `cr v` finds a CRV. A query without any word asks for nothing and constrains nothing.
 */
function narrowByQuery(data: LotData, query: string | undefined, selected: RowSet, scratch: RowSet): boolean {
  const words = query === undefined ? [] : queryWords(query);
  const last = words.length - 1;
  const addMatches = (text: string, endsAt: number): void =>
    endsAt === last ? addRowsWithPrefix(data.words, text, scratch) : addRowsWith(data.words, text, scratch);

  for (const [place, word] of words.entries()) {
    const before = words[place - 1];
    const after = words[place + 1];
    scratch.fill(0);
    addMatches(word, place);
    if (before !== undefined) addMatches(before + word, place);
    if (after !== undefined) addMatches(word + after, place + 1);
    keepCommonRows(selected, scratch);
  }
  return words.length > 0;
}

function narrowByRanges(data: LotData, filters: Filters, selected: RowSet): boolean {
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
    keepBetween(data.ranges[field], min ?? -Infinity, max ?? Infinity, selected);
  }
  return constrained;
}

function keepBetween(column: Float64Array, min: number, max: number, selected: RowSet): void {
  for (let word = 0; word < selected.length; word++) {
    let left = selected[word] ?? 0;
    let kept = left;
    while (left !== 0) {
      const bit = left & -left;
      const value = column[(word << 5) + (31 - Math.clz32(bit))] ?? Number.NaN;
      if (!(value >= min && value <= max)) kept &= ~bit;
      left &= left - 1;
    }
    selected[word] = kept;
  }
}
