import {
  LISTING_STATUSES,
  SALE_CONDITIONS,
  VEHICLE_TYPES,
  type Fee,
  type Vehicle,
} from '../../model/vehicle.ts';
import { isVin } from '../../model/vin.ts';
import { webAddress } from '../mapping/fields/web-address.ts';

/**
 * The last look at a listing before it may go onto the lot: the rules of aap-v1.3 section 4 that a wrong profile
 * or a fault of the bridge could break. Names the first field that breaks one.
 */
export function brokenRule(vehicle: Vehicle): string | undefined {
  if (!isOneOf(vehicle.vehicle_type ?? 'car', VEHICLE_TYPES)) return 'vehicle_type';
  if (!isOneOf(vehicle.condition, SALE_CONDITIONS)) return 'condition';
  if (!isOneOf(vehicle.status, LISTING_STATUSES)) return 'status';
  if (vehicle.vin !== undefined && !isVin(vehicle.vin)) return 'vin';
  const { year } = vehicle;
  if (year === undefined || !Number.isInteger(year) || year < 1900 || year > 2100) return 'year';
  for (const field of WHOLE_NUMBERS) {
    const value = vehicle[field];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) return field;
  }
  for (const field of AMOUNTS) {
    if (vehicle[field] !== undefined && !(vehicle[field] > 0)) return field;
  }
  for (const field of MEASURES) {
    const value = vehicle[field];
    if (value !== undefined && !(Number.isFinite(value) && value >= 0)) return field;
  }
  if (vehicle.fees !== undefined && !areSound(vehicle.fees)) return 'fees';
  if (vehicle.vdp_url !== undefined && webAddress(vehicle.vdp_url) !== vehicle.vdp_url) return 'vdp_url';
  if (vehicle.photos?.some((photo) => !/^https?:\/\/[^\s<>"]+$/.test(photo)) === true) return 'photos';
  if (vehicle.inventory_date !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(vehicle.inventory_date))
    return 'inventory_date';
  return undefined;
}

const AMOUNTS = ['msrp', 'list_price', 'price'] as const;
const WHOLE_NUMBERS = [...AMOUNTS, 'mileage', 'displacement_cc', 'city_mpg', 'highway_mpg'] as const;
const MEASURES = ['electric_range_mi', 'battery_kwh', 'motor_power_hp'] as const;

function isOneOf(word: string | undefined, words: readonly string[]): boolean {
  return word !== undefined && words.includes(word);
}

function areSound(fees: readonly Fee[]): boolean {
  const names = new Set(fees.map(({ name }) => name.toLowerCase()));
  return (
    names.size === fees.length &&
    fees.every(({ name, amount }) => name !== '' && Number.isSafeInteger(amount) && amount >= 0)
  );
}
