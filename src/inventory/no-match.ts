import { facetsOf } from './facets.ts';
import type { Blame, Constraint, Facets, Filters, NoMatch, TermFacet } from './inventory.ts';
import { fold } from './lot/fold.ts';
import { RANGE_FIELDS, type RangeField, type TermField } from './lot/fields.ts';
import type { Lot, Selection } from './lot/lot.ts';
import { requiredWords } from './lot/query.ts';
import { hasRow } from './lot/row-set.ts';
import { queryWords } from './lot/words.ts';

/** Each constraint with the filters that make it up, and the facet that tells what there is instead. */
const CONSTRAINTS: readonly {
  constraint: Constraint;
  filters: readonly (keyof Filters)[];
  facet?: keyof Facets;
  /** Set where every vehicle has it, whether its listing tells or not. */
  column?: TermField | RangeField;
}[] = [
  { constraint: 'vin', filters: ['vin'] },
  { constraint: 'stock', filters: ['stock'] },
  { constraint: 'make', filters: ['make'], facet: 'makes' },
  { constraint: 'model', filters: ['model'], facet: 'models' },
  { constraint: 'trim', filters: ['trim'], facet: 'trims' },
  { constraint: 'vehicle_type', filters: ['vehicle_type'], facet: 'vehicle_types' },
  { constraint: 'condition', filters: ['condition'], facet: 'conditions' },
  { constraint: 'price', filters: ['price_min', 'price_max'], facet: 'price_range', column: 'price' },
  { constraint: 'mileage', filters: ['mileage_max'], facet: 'mileage_range', column: 'mileage' },
  { constraint: 'year', filters: ['year_min', 'year_max'], facet: 'year_range', column: 'year' },
  { constraint: 'body', filters: ['body'], facet: 'bodies', column: 'body' },
  { constraint: 'fuel', filters: ['fuel'], facet: 'fuels', column: 'fuel' },
  { constraint: 'transmission', filters: ['transmission'], facet: 'transmissions', column: 'transmission' },
  { constraint: 'driveline', filters: ['driveline'], facet: 'drivelines', column: 'driveline' },
  { constraint: 'charge_port', filters: ['charge_port'], facet: 'charge_ports' },
  { constraint: 'dc_fast_charge', filters: ['dc_fast_charge'] },
  {
    constraint: 'electric_range_mi',
    filters: ['electric_range_mi_min', 'electric_range_mi_max'],
    facet: 'electric_range_mi_range',
  },
  {
    constraint: 'displacement_cc',
    filters: ['displacement_cc_min', 'displacement_cc_max'],
    facet: 'displacement_cc_range',
  },
  {
    constraint: 'exterior_color',
    filters: ['exterior_color'],
    facet: 'exterior_colors',
    column: 'exterior_color',
  },
  {
    constraint: 'interior_color',
    filters: ['interior_color'],
    facet: 'interior_colors',
    column: 'interior_color',
  },
  { constraint: 'rooftops', filters: ['rooftops'], facet: 'rooftops' },
  { constraint: 'query', filters: ['query'] },
];
type ConstraintParts = (typeof CONSTRAINTS)[number];

/** Of what there is instead. One more than is told, so that a teller knows that there are others. */
const MOST_VALUES = 6;
/** Among which values of a like name are looked for. */
const MOST_COMPARED = 500;
/** Of a query, each looked at alone. */
const MOST_WORDS = 8;

/**
 * Why the filters, which match nothing, do so: the first that matches nothing even alone, else the one without which
 * most vehicles match. Costs one or two selections a filter and one count of facets.
 */
export function noMatch(lot: Lot, filters: Filters): NoMatch {
  if (lot.data.rowCount === 0) return { kind: 'empty_lot' };
  const active = CONSTRAINTS.filter((parts) => isActive(filters, parts));
  const alone = active.find((parts) => lot.select(only(filters, parts)).total === 0);
  if (alone !== undefined) return { kind: 'alone', ...instead(lot, filters, {}, alone) };

  let blamed: { parts: ConstraintParts; total: number } | undefined;
  for (const parts of active) {
    const { total } = lot.select(without(filters, parts));
    if (total > (blamed?.total ?? 0)) blamed = { parts, total };
  }
  if (blamed === undefined) return { kind: 'together' };
  const { parts, total } = blamed;
  return { kind: 'without', total, ...instead(lot, filters, without(filters, parts), parts) };
}

function isActive(filters: Filters, parts: ConstraintParts): boolean {
  return parts.filters.some((name) => {
    const value = filters[name];
    if (name === 'query') return queryWords(filters.query ?? '').length > 0;
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
}

function only(filters: Filters, parts: ConstraintParts): Filters {
  return filtersWhere(filters, (name) => parts.filters.includes(name));
}

function without(filters: Filters, parts: ConstraintParts): Filters {
  return filtersWhere(filters, (name) => !parts.filters.includes(name));
}

function filtersWhere(filters: Filters, keep: (name: keyof Filters) => boolean): Filters {
  const kept = Object.entries(filters).filter(([name]) => keep(name as keyof Filters));
  return Object.fromEntries(kept);
}

/** What there is in the place of a constraint among the vehicles that pass the rest. */
function instead(lot: Lot, filters: Filters, rest: Filters, parts: ConstraintParts): Blame {
  const { constraint, facet, column } = parts;
  if (constraint === 'query') {
    const words = [...requiredWords(queryWords(filters.query ?? ''))];
    const word = words.slice(0, MOST_WORDS).find((query) => lot.select({ ...rest, query }).total === 0);
    return { constraint, ...(word === undefined ? {} : { word }) };
  }
  const selection = lot.select(rest);
  const found = facet === undefined ? undefined : facetsOf(lot, selection, MOST_COMPARED)[facet];
  if (found === undefined) return { constraint };
  const untold = column === undefined ? 0 : countUntold(lot, selection, column);
  return {
    constraint,
    ...(Array.isArray(found) ? offered(found, askedValues(filters, parts)) : { facet: found }),
    ...(untold === 0 ? {} : { untold }),
  };
}

function askedValues(filters: Filters, parts: ConstraintParts): string[] {
  return parts.filters.flatMap((name) => {
    const value = filters[name];
    return Array.isArray(value) ? value : [];
  });
}

/** Values of a like name where there are any: who asks for Red learns of Rapid Red. */
function offered(values: readonly TermFacet[], asked: readonly string[]): Pick<Blame, 'facet' | 'likeNames'> {
  const words = new Set(asked.flatMap(wordsOf));
  const alike = values.filter(({ value }) => wordsOf(String(value)).some((word) => words.has(word)));
  if (alike.length === 0) return { facet: values.slice(0, MOST_VALUES) };
  return { facet: alike.slice(0, MOST_VALUES), likeNames: true };
}

/** Single letters and digits say too little to make two names alike. */
function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
}

function countUntold(lot: Lot, { rows }: Selection, column: TermField | RangeField): number {
  const isUntold = untoldIn(lot, column);
  let count = 0;
  for (let row = 0; row < lot.data.rowCount; row++) {
    if (isUntold(row) && (rows === undefined || hasRow(rows, row))) count++;
  }
  return count;
}

function untoldIn({ data, terms }: Lot, column: TermField | RangeField): (row: number) => boolean {
  if (isRangeField(column)) {
    const values = data.ranges[column];
    return (row) => Number.isNaN(values[row] ?? Number.NaN);
  }
  const { codes } = terms[column];
  return (row) => codes[row] === 0;
}

function isRangeField(column: TermField | RangeField): column is RangeField {
  return RANGE_FIELDS.some((field) => field === column);
}
