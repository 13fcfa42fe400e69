import { hash } from 'node:crypto';
import type { LeadSubmitRequest } from '../model/lead.ts';
import { isNamed } from '../model/named.ts';
import type { Listing, Vehicle } from '../model/vehicle.ts';
import { normaliseWord } from '../model/vocabulary.ts';
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
 * @param listing what the buyer's words stand for, where the vehicle is one of ours
 */
export function repeatKeys(
  request: LeadSubmitRequest,
  listing: Listing | undefined,
  rooftopId: string,
): RepeatKeys {
  const vehicleSubjects = vehicleKeys(listing ?? request.vehicle_of_interest, rooftopId);
  const subjects = vehicleSubjects?.map((key) => department(request, listing) + key) ?? [inquiryKey(request)];
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

/** The car that a buyer brings to the workshop is the buyer's own, unless it is one of ours: nobody asks to buy it. */
function department({ appointment }: LeadSubmitRequest, listing: Listing | undefined): string {
  return listing === undefined && appointment?.appointment_type === 'service' ? 'service:' : '';
}

/**
 * Undefined when nothing tells which vehicle is meant. Stock numbers and ids are only unique at one rooftop, and so is
 * the wish for a car that has neither: another rooftop has others of that model.
 */
function vehicleKeys(vehicle: Vehicle | undefined, rooftopId: string): string[] | undefined {
  if (vehicle === undefined) return undefined;
  const { vin, stock, vehicle_id, year, make, model, trim, condition } = vehicle;
  const keys: string[] = [];
  if (isNamed(vin)) keys.push(`vin:${plain(vin)}`);
  if (isNamed(stock)) keys.push(`stock:${rooftopId}:${plain(stock)}`);
  if (isNamed(vehicle_id)) keys.push(`id:${rooftopId}:${plain(vehicle_id)}`);
  if (keys.length > 0) return keys;
  if (!isNamed(make) && !isNamed(model)) return undefined;
  const words = [make, model, trim, condition].map((text) => (isNamed(text) ? normaliseWord(text) : ''));
  return [`model:${rooftopId}:${year ?? ''}:${words.join(':')}`];
}

/** A general inquiry is the same when it asks the same. */
function inquiryKey({ message, vehicle_of_interest, trade_in, appointment }: LeadSubmitRequest): string {
  const asked = { message: plain(message ?? ''), vehicle_of_interest, trade_in, appointment };
  return `inquiry:${canonicalJson(asked)}`;
}

function plain(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase();
}
