import { everyElement } from './adf-reader.ts';
import type { ReadElement } from './adf-reader.ts';

/**
 * A second, independent statement of the element table of ADF 1.0, for machines without xmllint: children of each
 * parent as a regular expression over their names, each followed by a blank.
 */
const CONTENT: Record<string, RegExp> = {
  adf: /^(prospect )+$/,
  prospect: /^(id )*requestdate (vehicle )+customer vendor (provider )?$/,
  vehicle:
    /^(id )*year make model (vin )?(stock )?(trim )?(doors )?(bodystyle )?(transmission )?(odometer )?(condition )?(colorcombination )*(imagetag )?(price )?(pricecomments )?(option )*(finance )?(comments )?$/,
  colorcombination: /^(interiorcolor (exteriorcolor )?|exteriorcolor )preference $/,
  customer: /^contact (id )*(timeframe )?(comments )?$/,
  vendor: /^(id )*vendorname (url )?contact $/,
  provider: /^(id )*name (service )?(url )?(email )?(phone )?(contact )?$/,
  contact: /^(name )+(email (phone )*|(phone )+)(address )?$/,
  address: /^(street )+(apartment )?(city )?(regioncode )?(postalcode )?(country )?$/,
};

const TEXT_ELEMENTS = new Set(
  (
    'id requestdate year make model vin stock trim bodystyle transmission odometer condition interiorcolor ' +
    'exteriorcolor preference imagetag price pricecomments comments vendorname url name service email phone street ' +
    'city regioncode postalcode country'
  ).split(' '),
);

const ANY = /^/;

const ATTRIBUTES: Record<string, Record<string, RegExp>> = {
  prospect: { status: /^(new|resend)$/ },
  id: { sequence: /^\d+$/, source: ANY },
  vehicle: { interest: /^(buy|lease|sell|trade-in|test-drive)$/, status: /^(new|used)$/ },
  odometer: { status: /^(unknown|rolledover|replaced|original)$/, units: /^(km|mi)$/ },
  price: { type: /^(quote|offer|msrp|invoice|call|appraisal|asking)$/, currency: /^[A-Z]{3}$/ },
  name: { part: /^(first|middle|last|full)$/, type: /^(individual|business)$/ },
  email: { preferredcontact: /^[01]$/ },
  phone: { type: /^(voice|fax|cellphone|pager)$/, preferredcontact: /^[01]$/ },
  street: { line: /^[1-5]$/ },
};

/** Everything that breaks the table; empty = valid. */
export function orderFaults(root: ReadElement): string[] {
  if (root.name !== 'adf') return [`the root is ${root.name}`];
  return everyElement(root).flatMap((element) => [...contentFaults(element), ...attributeFaults(element)]);
}

function contentFaults({ name, children, text }: ReadElement): string[] {
  const sequence = children.map((child) => `${child.name} `).join('');
  const content = CONTENT[name];
  if (content !== undefined) {
    return [
      ...(content.test(sequence) ? [] : [`${name} holds ${sequence}`]),
      ...(text.trim() === '' ? [] : [`${name} holds text`]),
    ];
  }
  if (!TEXT_ELEMENTS.has(name)) return [`${name} is no element of ADF`];
  return children.length === 0 ? [] : [`${name} holds ${sequence}`];
}

function attributeFaults({ name, attributes }: ReadElement): string[] {
  const faults = Object.entries(attributes)
    .filter(([attribute, value]) => ATTRIBUTES[name]?.[attribute]?.test(value) !== true)
    .map(([attribute, value]) => `${name} has ${attribute}="${value}"`);
  return name === 'id' && attributes.source === undefined ? [...faults, 'id without source'] : faults;
}
