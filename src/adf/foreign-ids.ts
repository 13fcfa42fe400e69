import { leaf } from './element.ts';
import type { AdfElement } from './element.ts';
import { singleLine } from './text.ts';

/** Names that other systems gave to the vendor or the provider; the source is required (adf-1.0 section 1.2). */
export function foreignIds(ids: readonly { source: string; value: string }[]): AdfElement<'id'>[] {
  return ids.map(({ source, value }) => leaf('id', singleLine(value), { source: singleLine(source) }));
}
