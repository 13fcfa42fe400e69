import { type NumberedProblems, testsOf } from '../numbered-problems.ts';

/**
 * The problems that people reported with ADF leads (adf-1.0 section 3), one number each, and in which file of this
 * folder the test stands that says what the bridge does right. `fault(5, …)` is the test of number 5.
 */
export const PLACES = ['text', 'order', 'values', 'mail', 'receivers'] as const;
type Place = (typeof PLACES)[number];

function at(place: Place, words: string): NumberedProblems<Place>[number] {
  return { place, words };
}

export const FAULTS: NumberedProblems<Place> = {
  1: at('text', 'the first lines parse; the offset is one that there is; the e-mail stands before the phone'),
  2: at('text', 'the XML declaration stands before the adf instruction'),
  3: at('order', 'requestdate is an element, primarycontact is none'),
  4: at('values', 'time with T and an offset with a colon, a phone type that there is, always a vendor'),
  5: at('text', 'every text and every attribute is escaped'),
  6: at('order', 'comments belong to the customer, after the contact'),
  7: at('values', 'a phone whose kind nobody stated claims none'),
  8: at('mail', 'nothing but the XML, as plain text, never HTML'),
  9: at('mail', 'the dealership in the subject, plain ASCII, headers as they must be'),
  10: at('mail', 'one lead one mail, whatever the vehicles; body or attachment as the CRM wants it'),
  11: at('receivers', 'the vehicle is filled in from the lot, the name of the provider is stable'),
  12: at('mail', 'what the mail holds is ADF as a whole, so nothing is thrown away silently'),
  13: at('mail', 'leads can leave the mail: as files, or over HTTPS'),
  14: at('receivers', 'how each field is mapped is written down'),
  15: at('order', 'vin after model, phone types of ADF, hours of two digits with an offset'),
  16: at('values', 'year, month and day in their order, two letters for the country, make and model apart'),
  17: at(
    'order',
    'nothing before the declaration, comments outside the contact, the vendor inside the prospect',
  ),
  18: at('values', 'the odometer is a text with units as an attribute'),
  19: at('text', 'the XML declaration is closed'),
  20: at(
    'receivers',
    'each lead has its own id, vendor has a contact, there is a vehicle, no secrets are added',
  ),
  21: at('receivers', 'what a receiver reads that knows two interests, split names and ten digits'),
  22: at('receivers', 'the buyer’s vehicle and the first name stand first'),
  23: at('receivers', 'what a receiver reads that knows phone type phone, one vehicle and needs a year'),
  24: at('order', 'no namespace, no version attribute, vehicle before customer'),
  25: at('values', 'the sender is the provider; nothing is invented to please the DTD'),
  26: at('mail', 'the content type and its parameters are those of mail'),
  27: at('values', 'a 0 is a value, and a text that looks like JSON is a text'),
  28: at('mail', 'long lines, equals signs and dots come through byte for byte'),
  29: at('text', 'emoji are kept, and what XML forbids is dropped before it is written'),
  30: at('text', 'zeros and plus signs survive; no blank, no entity of HTML, no byte beyond ASCII'),
  31: at('order', 'the order that the protocol’s own example gets wrong'),
};

export const faultsAt = testsOf('reported problems', FAULTS);
