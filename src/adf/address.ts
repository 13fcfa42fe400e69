import type { PostalAddress } from '../model/rooftop.ts';
import { countryCodeOf } from './country-codes.ts';
import { leaf, optionalLeaf, parent } from './element.ts';
import type { AdfElement } from './element.ts';
import { lineOf } from './text.ts';

/**
 * Undefined when ADF cannot carry it: an address needs a street (adf-1.0 section 1.1). With `emptyStreet` it gets
 * one without text, as some CRMs accept.
 */
export function addressElement(
  address: PostalAddress | undefined,
  emptyStreet = false,
): AdfElement<'address'> | undefined {
  if (address === undefined || addressText(address) === '') return undefined;
  const streets = [lineOf(address.address_line_1), lineOf(address.address_line_2)].filter(
    (line) => line !== undefined,
  );
  if (streets.length === 0 && !emptyStreet) return undefined;
  const lines = streets.length === 0 ? [''] : streets;
  return parent(
    'address',
    {},
    {
      street: lines.map((line, index) => leaf('street', line, { line: String(index + 1) })),
      city: optionalLeaf('city', lineOf(address.city)),
      regioncode: optionalLeaf('regioncode', lineOf(address.state)),
      postalcode: optionalLeaf('postalcode', lineOf(address.zip)),
      country: leaf('country', countryCodeOf(lineOf(address.country) ?? 'US')),
    },
  );
}

/** What was given of an address, in one line; empty when nothing was. */
export function addressText(address: PostalAddress): string {
  const { address_line_1, address_line_2, city, state, zip, country } = address;
  const parts = [address_line_1, address_line_2, city, state, zip, country].map(lineOf);
  return parts.filter((part) => part !== undefined).join(', ');
}
