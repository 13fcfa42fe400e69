import type { FeedMode } from '../../model/intake.ts';
import type { VocabularyField } from '../../model/vocabulary.ts';

/** A profile as it counts: read, checked, merged with what it extends, defaults filled in. */
export interface FeedProfile {
  /** As asked for: a name or a path. */
  name: string;
  /** Absolute. */
  file: string;
  description: string;
  reader: string;
  /** For the reader, not yet checked against its schema. */
  options: Record<string, unknown>;
  mode?: FeedMode;
  price_basis?: 'base' | 'all_in';
  /** Stands before the decimals of amounts, mileages and other numbers. */
  decimal_mark?: '.' | ',';
  price_bounds: { lowest: number; highest: number };
  /** Each entry: fields of which one at least must have its column in the file. */
  required: string[][];
  action?: { column: string; delete?: Scalar[]; upsert?: Scalar[] };
  /** The files bring no vehicles of their own and only add to those of another feed. */
  companion: boolean;
  /** Rows of one vehicle belong together, in the order of a column with numbers, else of the file. */
  gather?: { order_by?: string };
  /** What else the vendor sends, in words; told with a file that cannot be what this profile reads. */
  sent_beside?: string;
  never_publish: string[];
  vocabulary: Partial<Record<VocabularyField, Record<string, Scalar>>>;
  map: ProfileMap;
}

type Scalar = string | number | boolean;

/** A column, or the first that is not empty of several, or a spec. */
type Source<Spec> = string | string[] | Spec;

export interface TextSpec {
  column?: string | string[];
  /** The same as column; reads better for XML. */
  path?: string | string[];
  constant?: Scalar;
}

/** `from_vin`: a year that no column tells is taken from the VIN, where that leaves no doubt. */
interface YearSpec extends TextSpec {
  from_vin?: boolean;
}

/** `from_vin`: a stock number that is blank is so many characters at the end of the VIN. */
interface StockSpec extends TextSpec {
  from_vin?: number;
}

interface WordSpec extends TextSpec {
  values?: Record<string, Scalar>;
}

/** `if_yes`: what it means where the column says anything but blank or no; `if_no`: where it says no. */
export interface StatusSpec extends WordSpec {
  if_yes?: string;
  if_no?: string;
}

export interface ConditionSpec extends WordSpec {
  certified?: string | string[];
  new_values?: Scalar[];
  used_values?: Scalar[];
}

export interface MileageSpec extends TextSpec {
  unit?: string | string[] | { constant: string };
}

export interface MoneySpec extends TextSpec {
  /** Its columns, or the same currency in every row. */
  currency?: string | string[] | { constant: string };
}

interface DateSpec extends TextSpec {
  format?: string;
}

/** A price for a time: `during` holds both its dates in one text, else `from` and `until` do. */
export interface SaleSpec extends TextSpec {
  during?: string | string[];
  from?: string | string[];
  until?: string | string[];
  format?: string;
}

export interface ListSpec extends TextSpec {
  separator?: string;
  after?: string;
  skip?: number;
}

/** One cell source, or several whose items are joined. */
export type ListSource = string | ListSpec | (string | ListSpec)[];

/** One reading, or the instruments of a vehicle, which are read one by one. */
export type MileageSource = Source<MileageSpec> | (string | MileageSpec)[];

export type FeesSource = { name: string; column: string }[] | { column: string; separator: string };

export const TEXT_FIELDS = ['model', 'trim', 'engine', 'exterior_color', 'interior_color'] as const;
export const WORD_FIELDS = ['make', 'body', 'fuel', 'driveline', 'transmission', 'charge_port'] as const;
export const WHOLE_NUMBER_FIELDS = ['city_mpg', 'highway_mpg'] as const;
export const NUMBER_FIELDS = ['electric_range_mi', 'battery_kwh', 'motor_power_hp'] as const;
export const PROSE_FIELDS = ['description', 'notes'] as const;

type TextField =
  | (typeof TEXT_FIELDS)[number]
  | (typeof WHOLE_NUMBER_FIELDS)[number]
  | (typeof NUMBER_FIELDS)[number]
  | (typeof PROSE_FIELDS)[number]
  | 'dealer_id'
  | 'vin'
  | 'vehicle_id'
  | 'price_disclaimer'
  | 'displacement_cc'
  | 'dc_fast_charge'
  | 'vdp_url';

type WordField = (typeof WORD_FIELDS)[number] | 'vehicle_type';

/** One column, or several of which each says something. */
type StatusSource = Source<StatusSpec> | (string | StatusSpec)[];

/** The `map` of a profile (schemas/feed-profile.schema.json). */
export type ProfileMap = Partial<Record<TextField, Source<TextSpec>>> &
  Partial<Record<WordField, Source<WordSpec>>> & {
    year?: Source<YearSpec>;
    stock?: Source<StockSpec>;
    msrp?: Source<MoneySpec>;
    list_price?: Source<MoneySpec>;
    price?: Source<MoneySpec>;
    condition?: Source<ConditionSpec>;
    mileage?: MileageSource;
    status?: StatusSource;
    inventory_date?: Source<DateSpec>;
    expires?: Source<DateSpec>;
    sale_price?: Source<SaleSpec>;
    features?: ListSource;
    photos?: ListSource;
    fees?: FeesSource;
    other_attributes?: Record<string, ListSource>;
    other_attributes_list?: { column: string; separator: string };
  };

/** The YAML file as it is written; null takes a field of the extended profile away. */
export type WrittenProfile = Partial<Omit<FeedProfile, 'required' | 'action' | 'map' | 'price_bounds'>> & {
  extends?: string;
  required?: (string | string[])[];
  action?: string | NonNullable<FeedProfile['action']>;
  price_bounds?: Partial<FeedProfile['price_bounds']>;
  map?: { [Field in keyof ProfileMap]: ProfileMap[Field] | null };
};

/** The columns of a source, in order, as the profile spells them. */
export function columnsOf(source: Source<TextSpec> | undefined): string[] {
  if (source === undefined) return [];
  if (typeof source === 'string') return [source];
  if (Array.isArray(source)) return source;
  return [source.column ?? [], source.path ?? []].flat();
}

/** The columns that name the unit of a mileage or the currency of a price; none where it is the same in every row. */
export function unitColumns(unit: MileageSpec['unit'] | MoneySpec['currency']): string[] {
  return typeof unit === 'string' || Array.isArray(unit) ? [unit].flat() : [];
}

/** Whether a year that no column tells is taken from the VIN. */
export function isYearFromVin({ year }: ProfileMap): boolean {
  return typeof year === 'object' && !Array.isArray(year) && year.from_vin === true;
}
