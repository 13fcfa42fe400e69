import { hash } from 'node:crypto';

/**
 * Changes when the published content changes. Fields always stand in the same order (check.ts), so the
 * vehicle's plain JSON text is canonical enough; an order that differs after an upgrade marks vehicles as changed once.
 */
export function contentHash(json: string): string {
  return hash('sha1', json, 'base64url');
}
