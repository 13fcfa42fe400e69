import type { Facets, Filters, SortField, TermFacet } from '../../src/inventory/inventory.ts';
import type { Vehicle } from '../../src/model/vehicle.ts';

/**
 * The rules of search and facets as plain scans over plain objects, written apart from the lot: what the lot must
 * answer, at any cost.
 */
export interface NaiveVehicle {
  identity: string;
  rooftopId: string;
  updatedAt: number;
  vehicle: Vehicle;
}

export function naiveSearch(
  lot: readonly NaiveVehicle[],
  filters: Filters,
  sort: { field: SortField; order: 'asc' | 'desc' } | undefined,
): NaiveVehicle[] {
  const field = sort?.field ?? 'inventory_date';
  const direction = (sort?.order ?? 'desc') === 'asc' ? 1 : -1;
  return lot
    .filter(({ vehicle }) => passes(vehicle, filters))
    .toSorted((one, other) => {
      const [a, b] = [sortValue(one, field), sortValue(other, field)];
      if (a !== b) {
        if (a === undefined) return 1;
        if (b === undefined) return -1;
        return a < b ? -direction : direction;
      }
      const [keyOfOne, keyOfOther] = [one, other].map((entry) => `${entry.identity} ${entry.rooftopId}`);
      return keyOfOne! < keyOfOther! ? -1 : 1;
    });
}

function sortValue(entry: NaiveVehicle, field: SortField | 'inventory_date'): string | number | undefined {
  const value = field === 'updated_at' ? entry.updatedAt : entry.vehicle[field];
  return typeof value === 'string' ? same(value) || undefined : value;
}

function same(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .trim()
    .replace(/\s+/g, ' ');
}

function passes(vehicle: Vehicle, filters: Filters): boolean {
  const anyOf = (wanted: readonly string[] | undefined, value: string | null | undefined): boolean =>
    !wanted?.length || (same(value ?? '') !== '' && wanted.some((text) => same(text) === same(value ?? '')));
  const between = (value: number | undefined, min?: number, max?: number): boolean =>
    (min === undefined && max === undefined) ||
    (value !== undefined && (min === undefined || value >= min) && (max === undefined || value <= max));
  return (
    anyOf(filters.make, vehicle.make) &&
    anyOf(filters.model, vehicle.model) &&
    anyOf(filters.trim, vehicle.trim) &&
    anyOf(filters.condition, vehicle.condition) &&
    anyOf(filters.vehicle_type, vehicle.vehicle_type ?? 'car') &&
    anyOf(filters.transmission, vehicle.transmission) &&
    anyOf(filters.fuel, vehicle.fuel) &&
    anyOf(filters.charge_port, vehicle.charge_port) &&
    anyOf(filters.driveline, vehicle.driveline) &&
    anyOf(filters.body, vehicle.body) &&
    anyOf(filters.exterior_color, vehicle.exterior_color) &&
    anyOf(filters.interior_color, vehicle.interior_color) &&
    anyOf(filters.rooftops, vehicle.rooftop) &&
    between(vehicle.year, filters.year_min, filters.year_max) &&
    between(vehicle.price, filters.price_min, filters.price_max) &&
    between(vehicle.mileage, undefined, filters.mileage_max) &&
    between(vehicle.displacement_cc, filters.displacement_cc_min, filters.displacement_cc_max) &&
    between(vehicle.electric_range_mi, filters.electric_range_mi_min, filters.electric_range_mi_max) &&
    (filters.dc_fast_charge === undefined || vehicle.dc_fast_charge === filters.dc_fast_charge) &&
    (filters.vin === undefined || same(filters.vin) === same(vehicle.vin ?? '-')) &&
    (filters.stock === undefined || same(filters.stock) === same(vehicle.stock ?? '-')) &&
    (filters.query === undefined || matchesText(vehicle, filters.query))
  );
}

function matchesText(vehicle: Vehicle, query: string): boolean {
  const words = splitWords(query);
  const text = textWords(vehicle);
  const has = (word: string, last: boolean): boolean =>
    last ? text.some((known) => known.startsWith(word)) : text.includes(word);
  return words.every((word, place) => {
    const isLast = place === words.length - 1;
    if (has(word, isLast)) return true;
    if (place > 0 && has(words[place - 1]! + word, isLast)) return true;
    return !isLast && has(word + words[place + 1]!, place + 1 === words.length - 1);
  });
}

function textWords(vehicle: Vehicle): string[] {
  const names = [vehicle.make, vehicle.model, vehicle.trim].map((name) => name ?? '');
  const phrases = [
    vehicle.body,
    vehicle.exterior_color,
    vehicle.interior_color,
    vehicle.fuel,
    vehicle.driveline,
    vehicle.transmission,
    vehicle.engine,
    String(vehicle.year ?? ''),
    vehicle.stock,
    vehicle.description,
    ...(vehicle.features ?? []),
  ].map((phrase) => phrase ?? '');
  const compounds = [...names, ...phrases].flatMap((text) => same(text).split(' '));
  return [
    ...compounds.flatMap((compound) => [
      ...splitWords(compound),
      ...neighbours(compound),
      splitWords(compound).join(''),
    ]),
    ...names.flatMap(neighbours),
  ].filter((word) => word !== '');
}

function neighbours(text: string): string[] {
  const words = splitWords(text);
  return words.slice(1).map((word, index) => words[index]! + word);
}

function splitWords(text: string): string[] {
  return same(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

export function naiveFacets(lot: readonly NaiveVehicle[], filters: Filters, maxValues: number): Facets {
  const selected = lot.filter(({ vehicle }) => passes(vehicle, filters));
  const terms = (
    value: (vehicle: Vehicle) => string | number | null | undefined,
  ): TermFacet[] | undefined => {
    const counts = new Map<string, number>();
    for (const { vehicle } of selected) {
      const key = same(String(value(vehicle) ?? ''));
      if (key !== '') counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const listed = [...counts].map(([key, count]) => ({ value: shownValue(lot, value, key), count }));
    listed.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
    return listed.length === 0 ? undefined : listed.slice(0, maxValues);
  };
  const range = (
    value: (vehicle: Vehicle) => number | undefined,
  ): { min: number; max: number } | undefined => {
    const values = selected.map(({ vehicle }) => value(vehicle)).filter((number) => number !== undefined);
    return values.length === 0 ? undefined : { min: Math.min(...values), max: Math.max(...values) };
  };
  const facets = {
    makes: terms(({ make }) => make),
    models: terms(({ model }) => model),
    trims: terms(({ trim }) => trim),
    years: terms(({ year }) => year),
    conditions: terms(({ condition }) => condition),
    transmissions: terms(({ transmission }) => transmission),
    fuels: terms(({ fuel }) => fuel),
    dc_fast_charge: terms(({ dc_fast_charge }) => dc_fast_charge?.toString()),
    charge_ports: terms(({ charge_port }) => charge_port),
    drivelines: terms(({ driveline }) => driveline),
    bodies: terms(({ body }) => body),
    vehicle_types: terms(({ vehicle_type }) => vehicle_type ?? 'car'),
    exterior_colors: terms(({ exterior_color }) => exterior_color),
    interior_colors: terms(({ interior_color }) => interior_color),
    rooftops: terms(({ rooftop }) => rooftop),
    statuses: terms(({ status }) => status),
    price_range: range(({ price }) => price),
    mileage_range: range(({ mileage }) => mileage),
    year_range: range(({ year }) => year),
    displacement_cc_range: range(({ displacement_cc }) => displacement_cc),
    electric_range_mi_range: range(({ electric_range_mi }) => electric_range_mi),
  };
  return Object.fromEntries(Object.entries(facets).filter(([, facet]) => facet !== undefined));
}

/** The commonest spelling on the whole lot, whatever is selected. */
function shownValue(
  lot: readonly NaiveVehicle[],
  value: (vehicle: Vehicle) => string | number | null | undefined,
  key: string,
): string | number {
  const spellings = new Map<string | number, number>();
  for (const { vehicle } of lot) {
    const text = value(vehicle);
    if (text === null || text === undefined || same(String(text)) !== key) continue;
    const spelling = typeof text === 'number' ? text : text.trim();
    spellings.set(spelling, (spellings.get(spelling) ?? 0) + 1);
  }
  const [best] = [...spellings].sort(
    ([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1),
  );
  return best![0];
}
