import { formatInstant } from '../model/clock.ts';
import type { StagedVehicle } from '../model/intake.ts';
import { LISTING_STATUSES } from '../model/vehicle.ts';

/**
 * A vehicle is stored as JSON text ready to publish and never parsed and printed again. Only updated_at is left
 * out of it and spliced in at reading, because every file moves it while the rest stays as it is.
 */
export function storedText({ vehicle, json }: Pick<StagedVehicle, 'vehicle' | 'json'>): string {
  if (!LISTING_STATUSES.some((status) => status === vehicle.status)) {
    throw new Error(`A vehicle with status ${String(vehicle.status)} must not reach the inventory`);
  }
  if (json !== undefined && vehicle.updated_at === undefined) return json;
  const { updated_at: _, ...published } = vehicle;
  return JSON.stringify(published);
}

/** @param updatedAt ms since 1970 */
export function publishedText(stored: string, updatedAt: number): string {
  // Vehicles of one file carry one time, so the last one printed is mostly the next one.
  if (updatedAt !== lastInstant.epochMs) {
    lastInstant = { epochMs: updatedAt, text: formatInstant(updatedAt) };
  }
  return `${stored.slice(0, -1)},"updated_at":"${lastInstant.text}"}`;
}

let lastInstant = { epochMs: Number.NaN, text: '' };
