import { isNamed } from '../model/named.ts';
import { isOtherNumber } from '../model/said-otherwise.ts';
import type { Listing, Vehicle } from '../model/vehicle.ts';
import { isAmount } from './amounts.ts';
import { namesOtherListPrice } from './our-listing.ts';
import { lineOf } from './text.ts';

/** What our own listing may add: facts of the car. Its sales texts and free attributes are not the buyer's words. */
const FILLED_FIELDS = [
  'year',
  'make',
  'model',
  'vin',
  'stock',
  'vehicle_id',
  'trim',
  'body',
  'condition',
  'transmission',
  'mileage',
  'list_price',
  'msrp',
  'exterior_color',
  'interior_color',
  'photos',
  'vehicle_type',
  'engine',
  'displacement_cc',
  'fuel',
  'driveline',
  'vdp_url',
] as const satisfies readonly (keyof Vehicle)[];

const REFERENCES = ['stock', 'vehicle_id'] as const;
/** Written as we write them, when they are ours: the CRM matches on them. */
const NUMBERS = ['vin', ...REFERENCES] as const;

/**
 * The vehicle of interest with its gaps filled from our listing of the same car. What the buyer stated stays;
 * nothing is invented.
 */
export function fillFromListing(stated: Vehicle, listing: Listing | undefined): Vehicle {
  if (listing === undefined || isAnotherCar(stated, listing)) return stated;
  const filled: Vehicle = { ...stated };
  for (const field of FILLED_FIELDS) {
    if (isOpen(field, filled[field], listing[field])) Object.assign(filled, { [field]: listing[field] });
  }
  for (const field of NUMBERS) {
    const isOurs = isNamed(listing[field]) && !isOtherNumber(filled[field], listing[field]);
    if (isOurs) Object.assign(filled, { [field]: listing[field] });
  }
  // Fees explain one price: they come from where the price and the list price come from.
  if (!isAmount(stated.price)) {
    const fees = namesOtherListPrice(stated, listing) ? undefined : listing.fees;
    Object.assign(filled, { price: listing.price, fees });
  }
  return filled;
}

/** The listing that belongs to the lead's vehicle. */
export function listingOf(stated: Vehicle, listing: Listing | undefined): Listing | undefined {
  return listing === undefined || isAnotherCar(stated, listing) ? undefined : listing;
}

/** Nothing is there, or a word for nothing where we know better. */
function isOpen(field: (typeof FILLED_FIELDS)[number], stated: unknown, ours: unknown): boolean {
  if (isBlank(stated)) return true;
  // Here `other` is a kind of vehicle.
  return field !== 'vehicle_type' && typeof stated === 'string' && !isNamed(stated) && !isBlank(ours);
}

/** True when the buyer named nothing at all. */
export function saysNothing(vehicle: Vehicle | undefined): boolean {
  return vehicle === undefined || Object.values(vehicle).every(isBlank);
}

/** A listing may have been found by the stock number although nobody knows the VIN. */
function isAnotherCar(stated: Vehicle, listing: Listing): boolean {
  return (
    isOtherNumber(stated.vin, listing.vin) &&
    !REFERENCES.some((field) => isSame(stated[field], listing[field]))
  );
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return isNamed(one) && isNamed(other) && !isOtherNumber(one, other);
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return typeof value !== 'boolean' && lineOf(value) === undefined;
}
