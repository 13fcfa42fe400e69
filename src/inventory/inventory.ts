import type { Listing, SaleCondition, VehicleType } from '../model/vehicle.ts';

/** The inventory's public face: what the agent's skills and the leads ask of the lot. */
export interface Inventory {
  search(request: SearchRequest): SearchPage;
  facets(filters: Filters): Facets;
  /** Why filters match nothing; asked only when they do. */
  whyNone(filters: Filters): NoMatch;
  /** Of several identifiers the most specific one counts: vin, then stock, then vehicle_id. */
  find(reference: VehicleReference, isMeant?: IsMeant): Found;
  /** The same object until the lot is swapped. */
  status(): InventoryStatus;
}

export interface VehicleReference {
  vin?: string;
  stock?: string;
  vehicle_id?: string;
}

/**
 * Tells the vehicle that is meant from others that carry the same identifier: stock numbers and vehicle_ids are unique
 * at one rooftop only.
 */
export type IsMeant = (candidate: { rooftopId: string; listing: Listing }) => boolean;

export type Found =
  | { kind: 'listed'; listing: Listing; json: string; rooftopId: string }
  /** We had it; it left the lot at that time (RFC 3339). */
  | { kind: 'gone'; leftAt: string; rooftopId: string }
  | { kind: 'unknown' };

/** Filters of inventory.search and inventory.facets (aap-v1.3 section 5); an empty array is no constraint. */
export interface Filters {
  make?: string[];
  model?: string[];
  trim?: string[];
  condition?: SaleCondition[];
  vehicle_type?: VehicleType[];
  transmission?: string[];
  fuel?: string[];
  charge_port?: string[];
  driveline?: string[];
  body?: string[];
  exterior_color?: string[];
  interior_color?: string[];
  rooftops?: string[];
  electric_range_mi_min?: number;
  electric_range_mi_max?: number;
  displacement_cc_min?: number;
  displacement_cc_max?: number;
  year_min?: number;
  year_max?: number;
  price_min?: number;
  price_max?: number;
  mileage_max?: number;
  dc_fast_charge?: boolean;
  vin?: string;
  stock?: string;
  query?: string;
}

export const SORT_FIELDS = [
  'price',
  'list_price',
  'msrp',
  'mileage',
  'year',
  'make',
  'model',
  'stock',
  'updated_at',
] as const;
export type SortField = (typeof SORT_FIELDS)[number];

export interface SearchRequest {
  filters: Filters;
  skip: number;
  limit: number;
  sort?: { field: SortField; order: 'asc' | 'desc' };
  includeFacets: boolean;
}

export interface SearchPage {
  total: number;
  skip: number;
  limit: number;
  /** One ready JSON text a vehicle, updated_at included, in order. */
  vehicles: string[];
  facets?: Facets;
}

export interface TermFacet {
  value: string | number;
  count: number;
}

export interface RangeFacet {
  min: number;
  max: number;
}

/** A facet without inventory is left out. */
export interface Facets {
  makes?: TermFacet[];
  models?: TermFacet[];
  trims?: TermFacet[];
  years?: TermFacet[];
  conditions?: TermFacet[];
  transmissions?: TermFacet[];
  fuels?: TermFacet[];
  dc_fast_charge?: TermFacet[];
  charge_ports?: TermFacet[];
  drivelines?: TermFacet[];
  bodies?: TermFacet[];
  vehicle_types?: TermFacet[];
  exterior_colors?: TermFacet[];
  interior_colors?: TermFacet[];
  rooftops?: TermFacet[];
  statuses?: TermFacet[];
  price_range?: RangeFacet;
  mileage_range?: RangeFacet;
  year_range?: RangeFacet;
  displacement_cc_range?: RangeFacet;
  electric_range_mi_range?: RangeFacet;
}

/** What filters ask for, a lower and an upper bound as one. */
export type Constraint =
  | Exclude<keyof Filters, `${string}_min` | `${string}_max`>
  | 'price'
  | 'mileage'
  | 'year'
  | 'displacement_cc'
  | 'electric_range_mi';

export type NoMatch =
  | { kind: 'empty_lot' }
  /** The constraint matches nothing on the whole lot. */
  | ({ kind: 'alone' } & Blame)
  /** Without the constraint there are `total` vehicles. */
  | ({ kind: 'without'; total: number } & Blame)
  /** Leaving one constraint away changes nothing. */
  | { kind: 'together' };

export interface Blame {
  constraint: Constraint;
  /**
   * What there is instead: values of the whole lot or, with `without`, of the vehicles that pass the rest. The most
   * frequent six; absent where no vehicle says anything.
   */
  facet?: TermFacet[] | RangeFacet;
  /** Set: `facet` holds only the values that share a word with what was asked for. */
  likeNames?: true;
  /** How many of these vehicles do not say what every vehicle has, such as a price: they may be what is wanted. */
  untold?: number;
  /** Of free text: the first word that finds nothing. */
  word?: string;
}

export interface InventoryStatus {
  vehicles: number;
  /** Grows with every swap of the lot. */
  lotVersion: number;
  rooftops: { rooftopId: string; vehicles: number; /** RFC 3339 */ confirmedAt?: string }[];
}
