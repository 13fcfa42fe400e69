import { hash } from 'node:crypto';
import type { LeadSubmitRequest } from '../model/lead.ts';
import type { Vehicle } from '../model/vehicle.ts';
import { canonicalJson } from './canonical-json.ts';

const HASH_CHARACTERS = 16;

export interface RepeatKeys {
  /** Of each way to reach the buyer. */
  buyers: string[];
  /** Of each identifier of the vehicle. */
  subjects: string[];
}

/**
 * What makes two leads the same: one buyer (by e-mail or phone) asking about one vehicle (aap-v1.3 section 5). Two
 * leads that share any of the buyers and any of the subjects are the same. Hashes, so that no customer data lies in
 * the index; 96 bits of them, so that it stays small.
 *
 * @param vehicle our listing where we have one, else what the buyer wrote
 */
export function repeatKeys(
  request: LeadSubmitRequest,
  vehicle: Vehicle | undefined,
  rooftopId: string,
): RepeatKeys {
  const subjects = vehicleKeys(vehicle, rooftopId) ?? [inquiryKey(request)];
  return { buyers: customerKeys(request).map(shortHash), subjects: subjects.map(shortHash) };
}

function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, HASH_CHARACTERS);
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
  if (isNamed(vin)) keys.push(`vin:${plain(vin)}`);
  if (isNamed(stock)) keys.push(`stock:${rooftopId}:${plain(stock)}`);
  if (isNamed(vehicle_id)) keys.push(`id:${rooftopId}:${plain(vehicle_id)}`);
  if (keys.length > 0) return keys;
  if (!isNamed(make) && !isNamed(model)) return undefined;
  return [`model:${year ?? ''}:${plain(make ?? '')}:${plain(model ?? '')}`];
}

/** What agents write where they know nothing: two buyers' wishes with nothing in common must not be one lead. */
const NO_NAME =
  /^(?:N\/?A|NONE|NULL|NIL|UNKNOWN|UNDEFINED|TBD|TBA|ANY|OTHER|NOT[ -]?(?:KNOWN|GIVEN|AVAILABLE)|[\W_0]*)$/u;

export function isNamed(text: string | undefined): text is string {
  return text !== undefined && !NO_NAME.test(plain(text));
}

/** A general inquiry is the same when it asks the same. */
function inquiryKey({ message, vehicle_of_interest, trade_in, appointment }: LeadSubmitRequest): string {
  const asked = { message: plain(message ?? ''), vehicle_of_interest, trade_in, appointment };
  return `inquiry:${canonicalJson(asked)}`;
}

function plain(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase();
}
