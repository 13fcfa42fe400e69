/** The one vehicle shape of AAP v1.3 (aap-v1.3 section 4). Whole US dollars, whole miles. */

export const VEHICLE_TYPES = ['car', 'motorcycle', 'trailer', 'rv', 'other'] as const;
export type VehicleType = (typeof VEHICLE_TYPES)[number];

/** What a listing or a vehicle of interest is sold as. */
export const SALE_CONDITIONS = ['new', 'used', 'cpo'] as const;
export type SaleCondition = (typeof SALE_CONDITIONS)[number];

/** The wear of a trade-in. */
export const WEAR_CONDITIONS = ['excellent', 'good', 'fair', 'poor'] as const;
type WearCondition = (typeof WEAR_CONDITIONS)[number];

/** The only three states in which a vehicle may leave the bridge. */
export const LISTING_STATUSES = ['available', 'intransit', 'pending'] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

export interface Fee {
  name: string;
  /** Whole US dollars, already inside `price`. */
  amount: number;
}

export type AttributeValue = string | number | boolean | string[] | number[];

export interface Vehicle {
  vehicle_type?: VehicleType;
  /** 17 characters, upper case, no I, O or Q. */
  vin?: string;
  stock?: string;
  vehicle_id?: string;
  dealer_id?: string;
  year?: number;
  make?: string;
  model?: string;
  trim?: string;
  body?: string;
  condition?: SaleCondition | WearCondition;
  status?: ListingStatus;
  /** The rooftop's name in dealer.information. */
  rooftop?: string | null;
  msrp?: number;
  /** Base amount before discounts, fees and add-ons. */
  list_price?: number;
  /** Advertised price with every mandatory dealer charge inside; absent when only a base amount is known. */
  price?: number;
  /** Complete itemisation inside `price`. `[]` says there are none, absent says not itemised. */
  fees?: Fee[];
  mileage?: number;
  transmission?: string;
  driveline?: string;
  engine?: string;
  displacement_cc?: number;
  fuel?: string;
  city_mpg?: number;
  highway_mpg?: number;
  electric_range_mi?: number;
  battery_kwh?: number;
  motor_power_hp?: number;
  dc_fast_charge?: boolean;
  charge_port?: string | null;
  exterior_color?: string;
  interior_color?: string;
  features?: string[];
  /** Absolute URLs, in the dealer's order. */
  photos?: string[];
  vdp_url?: string;
  description?: string;
  notes?: string;
  other_attributes?: Record<string, AttributeValue>;
  /** Calendar date `YYYY-MM-DD`, never an instant. */
  inventory_date?: string;
  /** When the dealer last confirmed the listing: RFC 3339 with offset. */
  updated_at?: string;
}

/**
 * A vehicle of which nothing is known: every field, in the order in which a listing is published. Rows begin as copies
 * of it, because objects that all have the same fields are filled and written as JSON several times faster.
 */
export const UNKNOWN_VEHICLE: Vehicle = {
  vehicle_type: undefined,
  vin: undefined,
  stock: undefined,
  vehicle_id: undefined,
  dealer_id: undefined,
  year: undefined,
  make: undefined,
  model: undefined,
  trim: undefined,
  body: undefined,
  condition: undefined,
  status: undefined,
  rooftop: undefined,
  msrp: undefined,
  list_price: undefined,
  price: undefined,
  fees: undefined,
  mileage: undefined,
  transmission: undefined,
  driveline: undefined,
  engine: undefined,
  displacement_cc: undefined,
  fuel: undefined,
  city_mpg: undefined,
  highway_mpg: undefined,
  electric_range_mi: undefined,
  battery_kwh: undefined,
  motor_power_hp: undefined,
  dc_fast_charge: undefined,
  charge_port: undefined,
  exterior_color: undefined,
  interior_color: undefined,
  features: undefined,
  photos: undefined,
  vdp_url: undefined,
  description: undefined,
  notes: undefined,
  other_attributes: undefined,
  inventory_date: undefined,
  updated_at: undefined,
} satisfies Record<keyof Vehicle, undefined> as object;

/** A vehicle as the bridge publishes it (inventory.search, inventory.vehicle). */
export interface Listing extends Vehicle {
  condition?: SaleCondition;
  status: ListingStatus;
  updated_at: string;
}

/** The same vehicle without the fields that nothing is known of, which its JSON does not have anyway. */
export function withoutUnknown(vehicle: Vehicle): Vehicle {
  return Object.fromEntries(Object.entries(vehicle).filter(([, value]) => value !== undefined));
}

/** Fields that are undefined stay so. */
export function inPublishedOrder(complete: Vehicle): Vehicle {
  return { ...UNKNOWN_VEHICLE, ...complete };
}
