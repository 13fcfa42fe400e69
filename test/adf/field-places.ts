import type { LeadSubmitRequest } from '../../src/model/lead.ts';

/** Where a field's value stands in the document: element, then what is to be read there; or why it is nowhere. */
export type FieldPlace = { at: string; reads: string } | { reason: string };

const COMMENTS = 'customer/comments';
const WANTED = 'vehicle[1]';
const TRADE_IN = 'vehicle[2]';

const TYPE = 'a constant of the protocol';
const OURS = 'our own listing says so, and the agent only hands it back';

/** Every field of the request with a value that no other field has. */
export const FULL_REQUEST = {
  type: 'lead.submit.request',
  customer: {
    first_name: 'Firstina',
    last_name: 'Lastova',
    email: 'buyer@example.com',
    phone: '+12075550142',
    preferred_contact: 'phone',
    address: {
      country: 'Canada',
      state: 'QC',
      city: 'Gatineau',
      address_line_1: '7 Rue Neuve',
      address_line_2: 'App. 3',
      zip: 'J8X 1A1',
    },
  },
  consent: {
    granted_at: '2026-04-30T11:05:00Z',
    allowed_channels: ['email', 'phone'],
    consent_text: 'You may contact me.',
    scope: ['lead_submission'],
    expires_at: '2027-01-31T00:00:00Z',
  },
  source_agent: {
    name: 'shopping-assistant',
    url: 'https://agent.example.net/',
    agent_card_url: 'https://agent.example.net/card.json',
  },
  vehicle_of_interest: vehicleFields('wanted', 'cpo', '1HGCY2F57RA000001', 1),
  trade_in: vehicleFields('offered', 'good', '2T1BURHE0EC000001', 2),
  appointment: {
    appointment_type: 'test_drive',
    appointment_at: '2026-05-04T18:00:00Z',
    duration_minutes: 45,
    notes: 'Ring the bell twice.',
  },
  message: 'Is it still there?',
  submitted_at: '2026-04-30T11:05:08Z',
  idempotency_key: 'key-of-the-agent',
} as const satisfies Record<keyof LeadSubmitRequest, unknown>;

function vehicleFields(word: string, condition: 'cpo' | 'good', vin: string, number: 1 | 2) {
  return {
    vehicle_type: 'motorcycle',
    vin,
    stock: `stock-${word}`,
    vehicle_id: `unit-${word}`,
    dealer_id: `dealer-${word}`,
    year: 2020 + number,
    make: `make-${word}`,
    model: `model-${word}`,
    trim: `trim-${word}`,
    body: `body-${word}`,
    condition,
    status: 'pending',
    rooftop: `rooftop-${word}`,
    msrp: 31000 + number,
    list_price: 29000 + number,
    price: 28000 + number,
    fees: [{ name: `fee-${word}`, amount: 500 + number }],
    mileage: 12000 + number,
    transmission: '6-speed manual',
    driveline: `driveline-${word}`,
    engine: `engine-${word}`,
    displacement_cc: 880 + number,
    fuel: `fuel-${word}`,
    city_mpg: 20 + number,
    highway_mpg: 30 + number,
    electric_range_mi: 250.5 + number,
    battery_kwh: 70.5 + number,
    motor_power_hp: 200.5 + number,
    dc_fast_charge: true,
    charge_port: `port-${word}`,
    exterior_color: `outside-${word}`,
    interior_color: `inside-${word}`,
    features: [`feature-${word}`, `second-feature-${word}`],
    photos: [`https://img.example.com/${word}/1.jpg`, `https://img.example.com/${word}/2.jpg`],
    vdp_url: `https://cars.example.com/${word}`,
    description: `description-${word}`,
    notes: `notes-${word}`,
    other_attributes: { [`attribute-${word}`]: `value-${word}` },
    inventory_date: '2026-04-01',
    updated_at: '2026-04-30T08:00:00Z',
  };
}

export const FIELD_PLACES: Readonly<Record<string, FieldPlace>> = {
  type: { reason: TYPE },
  'customer.first_name': { at: 'customer/contact/name[1]@part=first', reads: 'Firstina' },
  'customer.last_name': { at: 'customer/contact/name[2]@part=last', reads: 'Lastova' },
  'customer.email': { at: 'customer/contact/email', reads: 'buyer@example.com' },
  'customer.phone': { at: 'customer/contact/phone', reads: '+12075550142' },
  'customer.preferred_contact': {
    at: 'customer/contact/phone@preferredcontact=1',
    reads: '+12075550142',
  },
  'customer.address.country': { at: 'customer/contact/address/country', reads: 'CA' },
  'customer.address.state': { at: 'customer/contact/address/regioncode', reads: 'QC' },
  'customer.address.city': { at: 'customer/contact/address/city', reads: 'Gatineau' },
  'customer.address.address_line_1': {
    at: 'customer/contact/address/street[1]@line=1',
    reads: '7 Rue Neuve',
  },
  'customer.address.address_line_2': { at: 'customer/contact/address/street[2]@line=2', reads: 'App. 3' },
  'customer.address.zip': { at: 'customer/contact/address/postalcode', reads: 'J8X 1A1' },
  'consent.granted_at': { at: COMMENTS, reads: '\nConsent granted at 2026-04-30T11:05:00Z\n' },
  'consent.allowed_channels': { at: COMMENTS, reads: '\nThe customer allows contact by: e-mail, phone\n' },
  'consent.consent_text': { reason: 'the record of consent stays with us' },
  'consent.scope': { reason: TYPE },
  'consent.expires_at': { at: COMMENTS, reads: '\nConsent expires at 2027-01-31T00:00:00Z\n' },
  'source_agent.name': { at: 'provider/name', reads: 'shopping-assistant' },
  'source_agent.url': { at: 'provider/url', reads: 'https://agent.example.net/' },
  'source_agent.agent_card_url': {
    at: COMMENTS,
    reads: '\nAgent card: https://agent.example.net/card.json\n',
  },
  ...vehiclePlaces('vehicle_of_interest', WANTED, 'wanted', 1),
  'vehicle_of_interest.condition': { at: `${WANTED}/comments`, reads: 'certified pre-owned (CPO)' },
  'vehicle_of_interest.price': { at: `${WANTED}/price@type=quote`, reads: '28001' },
  'vehicle_of_interest.fees[].name': { at: `${WANTED}/pricecomments`, reads: 'price includes fee-wanted' },
  'vehicle_of_interest.fees[].amount': { at: `${WANTED}/pricecomments`, reads: 'fee-wanted 501' },
  'vehicle_of_interest.photos': {
    at: `${WANTED}/imagetag`,
    reads: 'https://img.example.com/wanted/1.jpg',
  },
  ...vehiclePlaces('trade_in', TRADE_IN, 'offered', 2),
  'trade_in.condition': { at: `${TRADE_IN}/condition`, reads: 'good' },
  'trade_in.price': { at: `${TRADE_IN}/pricecomments`, reads: 'price 28002 named by the buyer' },
  'trade_in.fees[].name': { at: `${TRADE_IN}/pricecomments`, reads: 'fee fee-offered' },
  'trade_in.fees[].amount': { at: `${TRADE_IN}/pricecomments`, reads: 'fee-offered 502' },
  'trade_in.photos': { at: `${TRADE_IN}/comments`, reads: 'photo: https://img.example.com/offered/2.jpg' },
  'appointment.appointment_type': { at: COMMENTS, reads: '\nRequested: test drive\n' },
  'appointment.appointment_at': { at: COMMENTS, reads: '\nWhen: Monday May 4 2026 at 2:00 PM EDT, ' },
  'appointment.duration_minutes': { at: COMMENTS, reads: ' EDT, 45 minutes\n' },
  'appointment.notes': { at: COMMENTS, reads: '\nAppointment notes:\nRing the bell twice.' },
  message: { at: COMMENTS, reads: 'Is it still there?\n' },
  submitted_at: { at: 'requestdate', reads: '2026-04-30T07:05:08-04:00' },
  idempotency_key: { reason: 'it is between the agent and us; the CRM knows the lead by its id' },
};

function vehiclePlaces(
  field: string,
  element: string,
  word: string,
  number: 1 | 2,
): Record<string, FieldPlace> {
  const told = (reads: string): FieldPlace => ({ at: `${element}/comments`, reads });
  const places: Record<string, FieldPlace> = {
    vehicle_type: told('vehicle type: motorcycle'),
    vin: { at: `${element}/vin`, reads: number === 1 ? '1HGCY2F57RA000001' : '2T1BURHE0EC000001' },
    stock: { at: `${element}/stock`, reads: `stock-${word}` },
    vehicle_id: told(`vehicle id: unit-${word}`),
    dealer_id: { reason: 'it decides which rooftop gets the lead' },
    year: { at: `${element}/year`, reads: String(2020 + number) },
    make: { at: `${element}/make`, reads: `make-${word}` },
    model: { at: `${element}/model`, reads: `model-${word}` },
    trim: { at: `${element}/trim`, reads: `trim-${word}` },
    body: { at: `${element}/bodystyle`, reads: `body-${word}` },
    status: { reason: OURS },
    rooftop: { reason: 'it decides which rooftop gets the lead' },
    msrp: { at: `${element}/pricecomments`, reads: `MSRP ${31000 + number}` },
    list_price: { at: `${element}/pricecomments`, reads: `list price ${29000 + number}` },
    mileage: { at: `${element}/odometer@units=mi`, reads: String(12000 + number) },
    transmission: { at: `${element}/transmission`, reads: 'M' },
    driveline: told(`driveline: driveline-${word}`),
    engine: told(`engine: engine-${word}`),
    displacement_cc: told(`${880 + number} cc`),
    fuel: told(`fuel: fuel-${word}`),
    city_mpg: told(`city ${20 + number} mpg`),
    highway_mpg: told(`highway ${30 + number} mpg`),
    electric_range_mi: told(`electric range ${250.5 + number} mi`),
    battery_kwh: told(`battery ${70.5 + number} kWh`),
    motor_power_hp: told(`motor ${200.5 + number} hp`),
    dc_fast_charge: told('DC fast charge: yes'),
    charge_port: told(`charge port: port-${word}`),
    exterior_color: { at: `${element}/colorcombination/exteriorcolor`, reads: `outside-${word}` },
    interior_color: { at: `${element}/colorcombination/interiorcolor`, reads: `inside-${word}` },
    features: told(`features: feature-${word}, second-feature-${word}`),
    vdp_url: told(`https://cars.example.com/${word}`),
    description: told(`description-${word}`),
    notes: told(`notes-${word}`),
    other_attributes: told(`attribute-${word}: value-${word}`),
    inventory_date: { reason: OURS },
    updated_at: { reason: OURS },
  };
  return Object.fromEntries(Object.entries(places).map(([name, place]) => [`${field}.${name}`, place]));
}
