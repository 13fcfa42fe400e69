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

/** What a shopper's word means, told once for filters and free text. */
export interface NaiveSynonym {
  field: 'make' | 'fuel' | 'driveline' | 'transmission' | 'condition' | 'vehicle_type';
  said: string;
  meant: string;
  /** Only where no vehicle has the word itself. */
  doubtful?: boolean;
}

export interface NaiveRequest {
  filters: Filters;
  sort?: { field: SortField; order: 'asc' | 'desc' } | undefined;
  synonyms?: readonly NaiveSynonym[];
}

export function naiveSearch(lot: readonly NaiveVehicle[], request: NaiveRequest): NaiveVehicle[] {
  const { filters, sort, synonyms = [] } = request;
  const field = sort?.field ?? 'inventory_date';
  const direction = (sort?.order ?? 'desc') === 'asc' ? 1 : -1;
  const place = (entry: NaiveVehicle): number =>
    sort === undefined ? textPlace(lot, entry.vehicle, filters.query ?? '', synonyms)! : 0;
  return lot
    .filter(({ vehicle }) => passes(lot, vehicle, filters, synonyms))
    .toSorted((one, other) => {
      if (place(one) !== place(other)) return place(one) - place(other);
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

function squash(text: string): string {
  return same(text).replace(/[ _.-]/g, '');
}

/** How what shoppers write may stand on a lot, as far as these tests write it. */
const OTHER_FORMS: Readonly<Record<string, readonly string[]>> = {
  fords: ['ford'],
  suvs: ['suv'],
  coupes: ['coupe'],
  bikes: ['bike'],
  trucks: ['truck'],
  owners: ['owner'],
  bodies: ['body', 'bodie'],
  grey: ['gray'],
  gray: ['grey'],
};

function passes(
  lot: readonly NaiveVehicle[],
  vehicle: Vehicle,
  filters: Filters,
  synonyms: readonly NaiveSynonym[],
): boolean {
  const anyOf = (
    field: Exclude<keyof Filters & keyof Vehicle, 'vin' | 'stock' | 'dc_fast_charge'> | 'rooftop',
    wanted: readonly string[] | undefined,
  ): boolean => {
    if (!wanted?.length) return true;
    const valueOf = (of: Vehicle): string => same(of[field] ?? (field === 'vehicle_type' ? 'car' : ''));
    const isMeant = (of: Vehicle, text: string): boolean => {
      const meant = synonyms.find(
        (synonym) =>
          synonym.field === field &&
          synonym.field !== 'condition' &&
          synonym.field !== 'vehicle_type' &&
          squash(synonym.said) === squash(text),
      )?.meant;
      const isAsked = (value: string): boolean =>
        value !== '' && (value === same(text) || (meant !== undefined && value === same(meant)));
      if (isAsked(valueOf(of))) return true;
      const isOnLot = lot.some((other) => isAsked(valueOf(other.vehicle)));
      return !isOnLot && squash(text) !== '' && squash(valueOf(of)) === squash(text);
    };
    return wanted.some((text) =>
      lot.some((other) => isMeant(other.vehicle, text))
        ? isMeant(vehicle, text)
        : OTHER_FORMS[same(text)]?.some((form) => isMeant(vehicle, form)),
    );
  };
  const between = (value: number | undefined, min?: number, max?: number): boolean =>
    (min === undefined && max === undefined) ||
    (value !== undefined && (min === undefined || value >= min) && (max === undefined || value <= max));
  return (
    anyOf('make', filters.make) &&
    anyOf('model', filters.model) &&
    anyOf('trim', filters.trim) &&
    anyOf('condition', filters.condition) &&
    anyOf('vehicle_type', filters.vehicle_type) &&
    anyOf('transmission', filters.transmission) &&
    anyOf('fuel', filters.fuel) &&
    anyOf('charge_port', filters.charge_port) &&
    anyOf('driveline', filters.driveline) &&
    anyOf('body', filters.body) &&
    anyOf('exterior_color', filters.exterior_color) &&
    anyOf('interior_color', filters.interior_color) &&
    anyOf('rooftop', filters.rooftops) &&
    between(vehicle.year, filters.year_min, filters.year_max) &&
    between(vehicle.price, filters.price_min, filters.price_max) &&
    between(vehicle.mileage, undefined, filters.mileage_max) &&
    between(vehicle.displacement_cc, filters.displacement_cc_min, filters.displacement_cc_max) &&
    between(vehicle.electric_range_mi, filters.electric_range_mi_min, filters.electric_range_mi_max) &&
    (filters.dc_fast_charge === undefined || vehicle.dc_fast_charge === filters.dc_fast_charge) &&
    (filters.vin === undefined || same(filters.vin) === same(vehicle.vin ?? '-')) &&
    (filters.stock === undefined || same(filters.stock) === same(vehicle.stock ?? '-')) &&
    textPlace(lot, vehicle, filters.query ?? '', synonyms) !== undefined
  );
}

const SAYS_NOTHING = new Set(['a', 'the', 'with', 'in', 'under']);

/**
 * How well the vehicle matches free text: 0 = every word is in its names, 1 = in names and details, 2 = also in the
 * description; undefined = not every word matches. Without a word all match alike.
 */
function textPlace(
  lot: readonly NaiveVehicle[],
  vehicle: Vehicle,
  query: string,
  synonyms: readonly NaiveSynonym[],
): number | undefined {
  const words = splitWords(query);
  const telling = words.filter((word) => !SAYS_NOTHING.has(word));
  const placeOfWord = (of: Vehicle, words: readonly string[], at: number): number => {
    const word = words[at]!;
    const literal = [
      word,
      ...(at > 0 ? [words[at - 1]! + word] : []),
      ...(at + 1 < words.length ? [word + words[at + 1]!] : []),
    ].map((text) => wordPlace(lot, of, text));
    const meant = synonyms
      .filter(({ doubtful }) => doubtful !== true || !isOnLot(lot, word))
      .filter(({ said }) => saysAround(words, at, said))
      .filter(
        ({ field, meant }) => same(of[field] ?? (field === 'vehicle_type' ? 'car' : '')) === same(meant),
      )
      .map(({ field }) => (field === 'make' ? 0 : 1));
    return Math.min(...[...literal, ...meant].map((place) => place ?? Infinity));
  };
  const places = words.map((word, at) => {
    if (telling.length > 0 && !telling.includes(word)) return 0;
    const asItIs = placeOfWord(vehicle, words, at);
    const isUnderstood =
      OTHER_FORMS[word] === undefined || lot.some((other) => placeOfWord(other.vehicle, words, at) < 2);
    if (isUnderstood) return asItIs;
    return Math.min(asItIs, ...OTHER_FORMS[word]!.map((form) => placeOfWord(vehicle, [form], 0)));
  });
  const worst = Math.max(0, ...places);
  return worst === Infinity ? undefined : worst;
}

/** Whether some one to four words that include the one at this place are what is said. */
function saysAround(words: readonly string[], at: number, said: string): boolean {
  const sought = splitWords(said).join('');
  return [1, 2, 3, 4].some((length) =>
    words.some(
      (_, start) =>
        start <= at && at < start + length && words.slice(start, start + length).join('') === sought,
    ),
  );
}

function wordPlace(lot: readonly NaiveVehicle[], vehicle: Vehicle, word: string): number | undefined {
  if (word.length === 17 && same(vehicle.vin ?? '') === word) return 0;
  const isWhole =
    /^(.|\d+)$/.test(word) && lot.some((other) => textWords(other.vehicle).flat().includes(word));
  const place = textWords(vehicle).findIndex((known) =>
    isWhole ? known.includes(word) : known.some((text) => text.startsWith(word)),
  );
  return place < 0 ? undefined : place;
}

function isOnLot(lot: readonly NaiveVehicle[], word: string): boolean {
  return lot.some(({ vehicle }) =>
    textWords(vehicle)
      .flat()
      .some((known) => known.startsWith(word)),
  );
}

/** Words of names, details and description. */
const wordsOfVehicle = new WeakMap<Vehicle, string[][]>();

function textWords(vehicle: Vehicle): string[][] {
  const known = wordsOfVehicle.get(vehicle) ?? readWords(vehicle);
  wordsOfVehicle.set(vehicle, known);
  return known;
}

function readWords(vehicle: Vehicle): string[][] {
  const { make, model, trim, year, stock, body, fuel, driveline, transmission, engine, description } =
    vehicle;
  const names = [make, model, trim].map((name) => name ?? '');
  const details = [
    body,
    vehicle.exterior_color,
    vehicle.interior_color,
    fuel,
    driveline,
    transmission,
    engine,
  ];
  return [
    [...compounds([...names, String(year ?? ''), stock]), ...names.flatMap(neighbours)],
    compounds([...details, ...(vehicle.features ?? [])]),
    compounds([description]),
  ];
}

function compounds(texts: readonly (string | undefined)[]): string[] {
  return texts
    .flatMap((text) => same(text ?? '').split(' '))
    .flatMap((compound) => [...splitWords(compound), ...neighbours(compound), splitWords(compound).join('')])
    .filter((word) => word !== '');
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

export function naiveFacets(
  lot: readonly NaiveVehicle[],
  { filters, synonyms = [] }: NaiveRequest,
  maxValues: number,
): Facets {
  const selected = lot.filter(({ vehicle }) => passes(lot, vehicle, filters, synonyms));
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
