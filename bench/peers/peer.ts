import type { Filters } from '../kinds.ts';
import type { Vehicle } from '../../src/model/vehicle.ts';

/** What one could pick instead: a library that searches and counts the same vehicles in the same process. */
export interface Peer {
  name: string;
  /** Its first 20 by price; how many match in all. Absent: it does not do this. */
  page?: (filters: Filters) => number | Promise<number>;
  /** Counts every value of the sixteen terms. */
  facets?: (filters: Filters) => unknown;
  close?: () => void;
}

/** Opens a peer over these vehicles; rejects where its package is not installed. */
export type OpenPeer = (vehicles: readonly Vehicle[]) => Promise<Peer>;

/** By a name that the type checker does not look up: the program is checked without these packages. */
export async function importPeer<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module;
}

export const PEER_NAMES = ['orama', 'itemsjs', 'duckdb', 'minisearch'] as const;

export interface PeerOrder {
  peer: (typeof PEER_NAMES)[number];
  what: 'page' | 'facets';
  size: number;
}

/** By kind of request: ms, or a word where there is no figure. */
export type PeerAnswers = Record<string, number | string>;

export const NOT_INSTALLED = 'not installed: npm ci --prefix bench';

export const TERMS = [
  ...['make', 'model', 'trim', 'year', 'condition', 'transmission', 'fuel', 'dc_fast_charge', 'charge_port'],
  ...['driveline', 'body', 'vehicle_type', 'exterior_color', 'interior_color', 'rooftop', 'status'],
] as const;

/** The filters that the kinds use and that name values. */
export const LISTS = ['make', 'condition', 'exterior_color', 'body'] as const;

/** One flat record a vehicle: its terms as text, its numbers, and all words in one field. */
export interface FlatVehicle extends Record<string, string | number> {
  id: string;
  words: string;
}

export function flat(vehicle: Vehicle): FlatVehicle {
  const record: FlatVehicle = { id: vehicle.vin ?? '', vin: vehicle.vin ?? '', words: wordsOf(vehicle) };
  for (const term of TERMS) {
    const value =
      (vehicle as Record<string, string | number | boolean | undefined>)[term] ??
      (term === 'vehicle_type' ? 'car' : undefined);
    if (value !== undefined) record[term] = String(value);
  }
  if (vehicle.price !== undefined) record.price = vehicle.price;
  if (vehicle.year !== undefined) record.model_year = vehicle.year;
  return record;
}

function wordsOf({ year, make, model, trim, body, exterior_color, features, description }: Vehicle): string {
  return [year, make, model, trim, body, exterior_color, ...(features ?? []), description].join(' ');
}
