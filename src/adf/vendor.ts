import type { Rooftop } from '../model/rooftop.ts';
import { addressElement } from './address.ts';
import { leaf, optionalLeaf, parent } from './element.ts';
import type { AdfElement } from './element.ts';
import { foreignIds } from './foreign-ids.ts';
import type { AdfSettings } from './options.ts';
import { phoneText } from './phone.ts';
import { lineOf, singleLine } from './text.ts';

/**
 * The vendor is the dealership, told from its own profile and never from the buyer. Its names carry no `type`:
 * receivers were seen to look at `part` only.
 */
export function vendorElement({ id, profile }: Rooftop, settings: AdfSettings): AdfElement<'vendor'> {
  const name = singleLine(profile.name);
  return parent(
    'vendor',
    {},
    {
      id: foreignIds(settings.vendor_ids.filter(({ rooftop }) => rooftop === undefined || rooftop === id)),
      vendorname: leaf('vendorname', name),
      url: optionalLeaf('url', lineOf(profile.website)),
      contact: parent(
        'contact',
        {},
        {
          name: leaf('name', name, { part: 'full' }),
          ...channelElements(
            lineOf(profile.emails?.[0]?.value),
            lineOf(phoneText(profile.phones?.[0]?.value ?? '', settings.phone_form)),
          ),
          address: addressElement(profile.address),
        },
      ),
    },
  );
}

/** ADF demands one of the two; a dealership that publishes neither gets a phone without a number. */
function channelElements(
  email: string | undefined,
  phone: string | undefined,
): { email?: AdfElement<'email'> | undefined; phone?: AdfElement<'phone'> | undefined } {
  if (email === undefined && phone === undefined) return { phone: leaf('phone', '', { type: 'voice' }) };
  return { email: optionalLeaf('email', email), phone: optionalLeaf('phone', phone, { type: 'voice' }) };
}
