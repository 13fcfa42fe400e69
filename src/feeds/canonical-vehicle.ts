import { hash } from 'node:crypto';
import type { Vehicle } from '../model/vehicle.ts';

/** The order in which listings are written, whatever order the profile names the fields in. */
const FIELD_ORDER = [
  ...['vehicle_type', 'vin', 'stock', 'vehicle_id', 'dealer_id', 'rooftop', 'year', 'make', 'model', 'trim'],
  ...['body', 'condition', 'status', 'msrp', 'list_price', 'price', 'fees', 'mileage', 'transmission'],
  ...['driveline', 'engine', 'displacement_cc', 'fuel', 'city_mpg', 'highway_mpg', 'electric_range_mi'],
  ...['battery_kwh', 'motor_power_hp', 'dc_fast_charge', 'charge_port', 'exterior_color', 'interior_color'],
  ...['features', 'photos', 'vdp_url', 'description', 'notes', 'other_attributes', 'inventory_date'],
] as (keyof Vehicle)[];

/** A copy with its fields in the one order, attributes by name, and without updated_at. */
export function canonicalVehicle(vehicle: Vehicle): Vehicle {
  const ordered: Record<string, unknown> = {};
  for (const field of FIELD_ORDER) {
    if (vehicle[field] !== undefined) ordered[field] = vehicle[field];
  }
  const attributes = vehicle.other_attributes;
  if (attributes !== undefined) {
    ordered['other_attributes'] = Object.fromEntries(Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  return ordered as Vehicle;
}

/** Changes exactly when the published content changes. The vehicle must be canonical. */
export function contentHash(vehicle: Vehicle): string {
  return hash('sha1', JSON.stringify(vehicle), 'base64url');
}
