import type { Vehicle } from '../../model/vehicle.ts';
import { fold } from './fold.ts';

/**
 * Free text as words. A word is a run of letters and digits, folded; everything else separates. So that `f150`,
 * `f-150` and `f 150` all find an F-150, a compound is kept in its pieces and joined: F-150 gives `f`, `150` and
 * `f150`. In names (make, model, trim) neighbours are joined across blanks too: `Model 3` gives `model3`.
 */

/** Where a word of free text stands, the most telling place first: what the vehicle is, has, and is said to be. */
export const WORD_PLACES = ['names', 'details', 'description'] as const;
export type WordPlace = (typeof WORD_PLACES)[number];

/** The texts of one vehicle in one place. */
export interface PlaceTexts {
  /** One compound each, across blanks. */
  readonly names?: readonly string[];
  /** A compound is what no blank divides. */
  readonly phrases?: readonly (string | undefined)[];
  /** The same, of texts that no two vehicles share. */
  readonly key?: string | undefined;
}

/** The words of a query in order. Words without a letter or digit are no words. */
export function queryWords(query: string): string[] {
  return pieces(fold(query));
}

export function textsOf(vehicle: Vehicle): Record<WordPlace, PlaceTexts> {
  return {
    names: {
      names: [vehicle.make, vehicle.model, vehicle.trim].filter((text) => text !== undefined),
      phrases: [vehicle.year?.toString()],
      key: vehicle.stock,
    },
    details: {
      phrases: [
        vehicle.body,
        vehicle.exterior_color,
        vehicle.interior_color,
        vehicle.fuel,
        vehicle.driveline,
        vehicle.transmission,
        vehicle.engine,
        ...(vehicle.features ?? []),
      ],
    },
    description: { phrases: [vehicle.description] },
  };
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
