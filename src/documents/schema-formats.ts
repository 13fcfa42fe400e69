import type { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readInstant } from '../model/instant.ts';

/** The formats of JSON Schema. Of date-times the package takes more than RFC 3339 does, and than can be read later. */
export function addStrictFormats(ajv: Ajv2020): void {
  addFormats.default(ajv);
  ajv.addFormat('date-time', (text: string) => readInstant(text) !== undefined);
}
