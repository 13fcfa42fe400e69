import type { Vehicle } from '../model/vehicle.ts';
import { saysNothing } from './listing.ts';
import { tradeInAmounts } from './price.ts';
import { lineOf } from './text.ts';
import { vehicleComments } from './vehicle-comments.ts';

/** One line with what the trade-in's own vehicle says in its elements, for CRMs that do not read that one. */
export function tradeInFacts(vehicle: Vehicle | undefined): string[] {
  if (vehicle === undefined || saysNothing(vehicle)) return [];
  const { year, make, model, trim, body, vin, stock, mileage, transmission, condition } = vehicle;
  const facts = [
    words(' ', year, make, model, trim, body),
    labelled('VIN', vin),
    labelled('stock', stock),
    mileage === undefined ? '' : words(' ', mileage, 'mi'),
    words(' ', transmission),
    labelled('condition', condition),
    words(' / ', vehicle.exterior_color, vehicle.interior_color),
    tradeInAmounts(vehicle).pricecomments.replaceAll('\n', ' '),
  ];
  return [`Trade-in: ${facts.filter((fact) => fact !== '').join(', ')}`];
}

/** What the buyer says about it, and all that has no element. */
export function tradeInRemarks(vehicle: Vehicle | undefined): string {
  return vehicle === undefined ? '' : vehicleComments(vehicle, [], vehicle.photos);
}

function labelled(label: string, value: unknown): string {
  return lineOf(value) === undefined ? '' : words(' ', label, value);
}

function words(joint: string, ...values: readonly unknown[]): string {
  return values
    .map(lineOf)
    .filter((value) => value !== undefined)
    .join(joint);
}
