import type { LeadSubmitRequest } from '../model/lead.ts';
import type { Vehicle } from '../model/vehicle.ts';
import { canonicalJson, sha256 } from './canonical-json.ts';

/**
 * What makes two leads the same: one buyer (by e-mail or phone) asking about one vehicle (aap-v1.3 section 5).
 * Gives one hash for each pair of buyer and vehicle identifier; two leads that share any are the same. Hashes,
 * so that no customer data lies in the index.
 *
 * @param vehicle our listing where we have one, else what the buyer wrote
 */
export function duplicateKeys(
  request: LeadSubmitRequest,
  vehicle: Vehicle | undefined,
  rooftopId: string,
): string[] {
  const subjects = vehicleKeys(vehicle, rooftopId) ?? [inquiryKey(request)];
  return customerKeys(request).flatMap((customer) =>
    subjects.map((subject) => sha256(`${customer}\n${subject}`)),
  );
}

function customerKeys({ customer }: LeadSubmitRequest): string[] {
  const keys: string[] = [];
  if (customer.email !== undefined) keys.push(`email:${customer.email.trim().toLowerCase()}`);
  if (customer.phone !== undefined) keys.push(`phone:${customer.phone.replace(/\D/g, '')}`);
  return keys;
}

/** Undefined when nothing tells which vehicle is meant. Stock numbers and ids are only unique at one rooftop. */
function vehicleKeys(vehicle: Vehicle | undefined, rooftopId: string): string[] | undefined {
  if (vehicle === undefined) return undefined;
  const { vin, stock, vehicle_id, year, make, model } = vehicle;
  const keys: string[] = [];
  if (vin !== undefined) keys.push(`vin:${plain(vin)}`);
  if (stock !== undefined) keys.push(`stock:${rooftopId}:${plain(stock)}`);
  if (vehicle_id !== undefined) keys.push(`id:${rooftopId}:${plain(vehicle_id)}`);
  if (keys.length > 0) return keys;
  if (make === undefined && model === undefined) return undefined;
  return [`model:${year ?? ''}:${plain(make ?? '')}:${plain(model ?? '')}`];
}

/** A general inquiry is the same when it asks the same. */
function inquiryKey({ message, vehicle_of_interest, trade_in, appointment }: LeadSubmitRequest): string {
  const asked = { message: plain(message ?? ''), vehicle_of_interest, trade_in, appointment };
  return `inquiry:${canonicalJson(asked)}`;
}

function plain(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase();
}
