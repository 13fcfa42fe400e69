import type { Listing, Vehicle } from '../model/vehicle.ts';
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

/**
 * The vehicle of interest with its gaps filled from our listing of the same car. What the buyer stated stays;
 * nothing is invented.
 */
export function fillFromListing(stated: Vehicle, listing: Listing | undefined): Vehicle {
  if (listing === undefined || isAnotherCar(stated, listing)) return stated;
  const filled: Vehicle = { ...stated };
  for (const field of FILLED_FIELDS) {
    if (isBlank(filled[field])) Object.assign(filled, { [field]: listing[field] });
  }
  // Fees explain one price: they come from where the price comes from.
  if (!isAmount(stated.price)) Object.assign(filled, { price: listing.price, fees: listing.fees });
  return filled;
}

/** 0 and less mean "no price", never a price of 0 (aap-v1.3 section 4). */
export function isAmount(value: number | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

/** True when the buyer named nothing at all. */
export function saysNothing(vehicle: Vehicle | undefined): boolean {
  return vehicle === undefined || Object.values(vehicle).every(isBlank);
}

function isAnotherCar(stated: Vehicle, listing: Listing): boolean {
  return stated.vin !== undefined && listing.vin !== undefined && stated.vin !== listing.vin;
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return typeof value !== 'boolean' && lineOf(value) === undefined;
}
