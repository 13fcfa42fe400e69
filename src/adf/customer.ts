import type { ContactChannel, Customer, LeadDocument } from '../model/lead.ts';
import { addressElement } from './address.ts';
import { customerComments } from './customer-comments.ts';
import { leaf, optionalLeaf, parent } from './element.ts';
import type { AdfElement } from './element.ts';
import type { AdfSettings } from './options.ts';
import { phoneText } from './phone.ts';
import { singleLine } from './text.ts';

export function customerElement(lead: LeadDocument, settings: AdfSettings): AdfElement<'customer'> {
  const { customer } = lead.request;
  return parent(
    'customer',
    {},
    {
      contact: parent(
        'contact',
        {},
        {
          name: nameElements(customer, settings),
          ...channelElements(lead, settings),
          address: addressElement(customer.address, settings.street_missing === 'empty_street'),
        },
      ),
      comments: optionalLeaf('comments', customerComments(lead, settings)),
    },
  );
}

/** Names are never split further, and joined only when the CRM wants one, or when there is only one. */
function nameElements(customer: Customer, settings: AdfSettings): AdfElement<'name'>[] {
  const first = singleLine(customer.first_name);
  const last = singleLine(customer.last_name);
  const name = (part: string, text: string): AdfElement<'name'> =>
    leaf('name', text, { part, type: 'individual' });
  const parts = [
    { part: 'first', text: first },
    { part: 'last', text: last },
  ].filter(({ text }) => text !== '');
  const apart = settings.names === 'split' ? parts.length === 2 : settings.names === 'split_only';
  return apart && parts.length > 0
    ? parts.map(({ part, text }) => name(part, text))
    : [name('full', parts.map(({ text }) => text).join(' '))];
}

/** The e-mail stands before the phone. A lead that has neither (the schema forbids it) still gets what ADF demands. */
function channelElements(
  lead: LeadDocument,
  settings: AdfSettings,
): { email?: AdfElement<'email'>; phone?: AdfElement<'phone'> } {
  const { email, phone } = lead.request.customer;
  const phoneNumber = phone ?? (email === undefined ? '' : undefined);
  return {
    ...(email === undefined ? {} : { email: leaf('email', singleLine(email), preferred(lead, 'email')) }),
    ...(phoneNumber === undefined
      ? {}
      : {
          phone: leaf('phone', phoneText(phoneNumber, settings.phone_form), {
            type: settings.phone_type,
            ...preferred(lead, 'phone'),
          }),
        }),
  };
}

/** Marked only where the buyer both prefers and allows to be reached. */
function preferred({ request }: LeadDocument, channel: ContactChannel): Record<string, string> {
  const marked =
    request.customer.preferred_contact === channel && request.consent.allowed_channels.includes(channel);
  return marked ? { preferredcontact: '1' } : {};
}
