import type { Vehicle } from '../../model/vehicle.ts';
import { fold } from './fold.ts';

/**
 * Free text as words. A word is a run of letters and digits, folded; everything else separates. So that `f150`,
 * `f-150` and `f 150` all find an F-150, a compound is kept in its pieces and joined: F-150 gives `f`, `150` and
 * `f150`. In names (make, model, trim) neighbours are joined across blanks too: `Model 3` gives `model3`.
 */

/** The words of a query in order. Words without a letter or digit are no words. */
export function queryWords(query: string): string[] {
  return pieces(fold(query));
}

/** The vehicle's texts in which a compound is what no blank divides, but for the stock number. */
export function phrasesOf(vehicle: Vehicle): string[] {
  return [
    vehicle.body,
    vehicle.exterior_color,
    vehicle.interior_color,
    vehicle.fuel,
    vehicle.driveline,
    vehicle.transmission,
    vehicle.engine,
    vehicle.year?.toString(),
    vehicle.description,
    ...(vehicle.features ?? []),
  ].filter((text) => text !== undefined);
}

/** The vehicle's texts that are one compound each. */
export function namesOf(vehicle: Vehicle): string[] {
  return [vehicle.make, vehicle.model, vehicle.trim].filter((text) => text !== undefined);
}

/** @param chunk folded text without blanks */
export function chunkWords(chunk: string): string[] {
  const parts = pieces(chunk);
  return parts.length < 2 ? parts : [...parts, ...pairs(parts), parts.join('')];
}

/** @param name folded */
export function nameWords(name: string): string[] {
  return [...name.split(' ').flatMap(chunkWords), ...pairs(pieces(name))];
}

function pairs(parts: readonly string[]): string[] {
  return parts.slice(1).map((part, index) => `${parts[index] ?? ''}${part}`);
}

function pieces(folded: string): string[] {
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}
