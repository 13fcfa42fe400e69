import { hash } from 'node:crypto';
import type { Vehicle } from '../../model/vehicle.ts';

/**
 * Changes when the published content changes. Fields always stand in the same order (check.ts), so the
 * plain JSON text is canonical enough; an order that differs after an upgrade marks vehicles as changed once.
 */
export function contentHash(vehicle: Vehicle): string {
  return hash('sha1', JSON.stringify(vehicle), 'base64url');
}
