import { facetsOf } from './facets.ts';
import type { Blame, Constraint, Facets, Filters, NoMatch } from './inventory.ts';
import type { Lot } from './lot/lot.ts';
import { requiredWords } from './lot/query.ts';
import { queryWords } from './lot/words.ts';

/** Each constraint with the filters that make it up, and the facet that tells what there is instead. */
const CONSTRAINTS: readonly {
  constraint: Constraint;
  filters: readonly (keyof Filters)[];
  facet?: keyof Facets;
}[] = [
  { constraint: 'vin', filters: ['vin'] },
  { constraint: 'stock', filters: ['stock'] },
  { constraint: 'make', filters: ['make'], facet: 'makes' },
  { constraint: 'model', filters: ['model'], facet: 'models' },
  { constraint: 'trim', filters: ['trim'], facet: 'trims' },
  { constraint: 'vehicle_type', filters: ['vehicle_type'], facet: 'vehicle_types' },
  { constraint: 'condition', filters: ['condition'], facet: 'conditions' },
  { constraint: 'price', filters: ['price_min', 'price_max'], facet: 'price_range' },
  { constraint: 'mileage', filters: ['mileage_max'], facet: 'mileage_range' },
  { constraint: 'year', filters: ['year_min', 'year_max'], facet: 'year_range' },
  { constraint: 'body', filters: ['body'], facet: 'bodies' },
  { constraint: 'fuel', filters: ['fuel'], facet: 'fuels' },
  { constraint: 'transmission', filters: ['transmission'], facet: 'transmissions' },
  { constraint: 'driveline', filters: ['driveline'], facet: 'drivelines' },
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
  { constraint: 'exterior_color', filters: ['exterior_color'], facet: 'exterior_colors' },
  { constraint: 'interior_color', filters: ['interior_color'], facet: 'interior_colors' },
  { constraint: 'rooftops', filters: ['rooftops'], facet: 'rooftops' },
  { constraint: 'query', filters: ['query'] },
];
type ConstraintParts = (typeof CONSTRAINTS)[number];

/** Of what there is instead. One more than is told, so that a teller knows that there are others. */
const MOST_VALUES = 6;
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
function instead(lot: Lot, filters: Filters, rest: Filters, { constraint, facet }: ConstraintParts): Blame {
  if (constraint === 'query') {
    const words = [...requiredWords(queryWords(filters.query ?? ''))];
    const word = words.slice(0, MOST_WORDS).find((query) => lot.select({ ...rest, query }).total === 0);
    return { constraint, ...(word === undefined ? {} : { word }) };
  }
  const found = facet === undefined ? undefined : facetsOf(lot, lot.select(rest), MOST_VALUES)[facet];
  return { constraint, ...(found === undefined ? {} : { facet: found }) };
}
