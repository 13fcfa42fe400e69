import { inPublishedOrder, withoutUnknown, type AttributeValue, type Vehicle } from './vehicle.ts';

/**
 * A companion feed adds to the vehicles that other feeds bring and never decides which vehicles there are. What it
 * may own: `prices` is one word for list_price, price and fees, because a new list_price beside a price of another
 * file would be a wrong statement.
 */
export const SUPPLEMENT_FIELDS = [
  'prices',
  'msrp',
  'photos',
  'description',
  'features',
  'vdp_url',
  'notes',
  'other_attributes',
  'trim',
  'body',
  'mileage',
  'transmission',
  'driveline',
  'engine',
  'displacement_cc',
  'fuel',
  'city_mpg',
  'highway_mpg',
  'electric_range_mi',
  'battery_kwh',
  'motor_power_hp',
  'dc_fast_charge',
  'charge_port',
  'exterior_color',
  'interior_color',
] as const;

export type SupplementField = (typeof SUPPLEMENT_FIELDS)[number];

const PRICES = ['list_price', 'price', 'fees'] as const;

export interface SupplementRule {
  /** Ids of the feeds whose vehicles it adds to. */
  feeds: readonly string[];
  fields: readonly SupplementField[];
  /** `replace`: its value wins where it has one. `fill`: it counts only where the other feed has none. */
  when_both: 'replace' | 'fill';
}

/** Stands for the rooftop of a row that names none: the vehicle may stand at any. No rooftop can have this id. */
export const ANY_ROOFTOP = '*';

/** What the row brings of the fields that its feed owns; all the rest of the row is another feed's business. */
export function ownedPart(vehicle: Vehicle, fields: readonly SupplementField[]): Vehicle {
  const owned = new Set<string>(fields.flatMap((field) => (field === 'prices' ? PRICES : [field])));
  return withoutUnknown(Object.fromEntries(Object.entries(vehicle).filter(([field]) => owned.has(field))));
}

/** The vehicle as it is published: `base` of the feed that decides about it, with what a companion brings. */
export function withSupplement(base: Vehicle, brought: Vehicle, rule: SupplementRule): Vehicle {
  const merged: Record<string, unknown> = { ...base };
  for (const field of rule.fields) {
    if (field === 'prices') mergePrices(merged, brought, rule);
    else if (field === 'other_attributes')
      mergeAttributes(merged, base.other_attributes, brought.other_attributes, rule);
    else if (brought[field] !== undefined && (rule.when_both === 'replace' || merged[field] === undefined))
      merged[field] = brought[field];
  }
  return withoutUnknown(inPublishedOrder(merged));
}

/**
 * All or nothing. With `replace` the companion's word counts also when it has no price: one that its owner has
 * withdrawn, or that was held back, must not come back from another file.
 */
function mergePrices(merged: Record<string, unknown>, brought: Vehicle, { when_both }: SupplementRule): void {
  if (when_both === 'fill' && PRICES.some((field) => merged[field] !== undefined)) return;
  for (const field of PRICES) merged[field] = brought[field];
}

function mergeAttributes(
  merged: Record<string, unknown>,
  base: Record<string, AttributeValue> = {},
  brought: Record<string, AttributeValue> = {},
  { when_both }: SupplementRule,
): void {
  const both = when_both === 'replace' ? { ...base, ...brought } : { ...brought, ...base };
  if (Object.keys(both).length > 0) merged.other_attributes = both;
}

/** One vehicle out of its rows, one row a photo: lists joined in this order, each entry once; else the first counts. */
export function gathered(rows: readonly Vehicle[]): Vehicle {
  const [first = {}] = rows;
  const joined: Record<string, unknown> = { ...first };
  for (const row of rows) {
    for (const [field, value] of Object.entries(row)) joined[field] ??= value;
  }
  for (const field of ['photos', 'features'] as const) {
    const items = new Set(rows.flatMap((row) => row[field] ?? []));
    if (items.size > 0) joined[field] = [...items];
  }
  return joined;
}
