import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AAP_ERRORS } from '../../src/agent/errors.ts';
import { SORT_FIELDS } from '../../src/inventory/inventory.ts';
import type { Facets, Filters } from '../../src/inventory/inventory.ts';
import { APPOINTMENT_TYPES, CONTACT_CHANNELS } from '../../src/model/lead.ts';
import type {
  AppointmentAnswer,
  AppointmentRequest,
  Consent,
  Customer,
  LeadAnswer,
  LeadSubmitRequest,
  SourceAgent,
} from '../../src/model/lead.ts';
import { WEEKDAYS } from '../../src/model/rooftop.ts';
import type { PostalAddress, RooftopProfile } from '../../src/model/rooftop.ts';
import {
  LISTING_STATUSES,
  SALE_CONDITIONS,
  VEHICLE_TYPES,
  WEAR_CONDITIONS,
} from '../../src/model/vehicle.ts';
import type { Fee, Vehicle } from '../../src/model/vehicle.ts';

/** Lists every key of a type: the compiler refuses a missing and a foreign one, the test compares with the schema. */
type Keys<T> = Record<keyof Required<T>, true>;

interface Schema {
  properties: Record<string, Schema>;
  required?: string[];
  enum?: string[];
  items: Schema;
  $defs: Record<string, Schema>;
}

function schema(name: string): Schema {
  const url = new URL(`../../schemas/aap/v1.3/${name}.schema.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Schema;
}

const vehicle: Keys<Vehicle> = {
  vehicle_type: true,
  vin: true,
  stock: true,
  vehicle_id: true,
  dealer_id: true,
  year: true,
  make: true,
  model: true,
  trim: true,
  body: true,
  condition: true,
  status: true,
  rooftop: true,
  msrp: true,
  list_price: true,
  price: true,
  fees: true,
  mileage: true,
  transmission: true,
  driveline: true,
  engine: true,
  displacement_cc: true,
  fuel: true,
  city_mpg: true,
  highway_mpg: true,
  electric_range_mi: true,
  battery_kwh: true,
  motor_power_hp: true,
  dc_fast_charge: true,
  charge_port: true,
  exterior_color: true,
  interior_color: true,
  features: true,
  photos: true,
  vdp_url: true,
  description: true,
  notes: true,
  other_attributes: true,
  inventory_date: true,
  updated_at: true,
};
const filters: Keys<Filters> = {
  make: true,
  model: true,
  trim: true,
  condition: true,
  vehicle_type: true,
  transmission: true,
  fuel: true,
  charge_port: true,
  driveline: true,
  body: true,
  exterior_color: true,
  interior_color: true,
  rooftops: true,
  electric_range_mi_min: true,
  electric_range_mi_max: true,
  displacement_cc_min: true,
  displacement_cc_max: true,
  year_min: true,
  year_max: true,
  price_min: true,
  price_max: true,
  mileage_max: true,
  dc_fast_charge: true,
  vin: true,
  stock: true,
  query: true,
};
const facets: Keys<Facets> = {
  makes: true,
  models: true,
  trims: true,
  years: true,
  conditions: true,
  transmissions: true,
  fuels: true,
  dc_fast_charge: true,
  charge_ports: true,
  drivelines: true,
  bodies: true,
  vehicle_types: true,
  exterior_colors: true,
  interior_colors: true,
  rooftops: true,
  statuses: true,
  price_range: true,
  mileage_range: true,
  year_range: true,
  displacement_cc_range: true,
  electric_range_mi_range: true,
};
const fee: Keys<Fee> = { name: true, amount: true };
const address: Keys<PostalAddress> = {
  country: true,
  state: true,
  city: true,
  address_line_1: true,
  address_line_2: true,
  zip: true,
};
const rooftop: Keys<RooftopProfile> = {
  name: true,
  legal_name: true,
  website: true,
  geo: true,
  emails: true,
  phones: true,
  address: true,
  schedules: true,
  timezone: true,
  notes: true,
  fees: true,
  capabilities: true,
};
const customer: Keys<Customer> = {
  first_name: true,
  last_name: true,
  email: true,
  phone: true,
  preferred_contact: true,
  address: true,
};
const consent: Keys<Consent> = {
  granted_at: true,
  allowed_channels: true,
  consent_text: true,
  scope: true,
  expires_at: true,
};
const sourceAgent: Keys<SourceAgent> = { name: true, url: true, agent_card_url: true };
const appointment: Keys<AppointmentRequest> = {
  appointment_type: true,
  appointment_at: true,
  duration_minutes: true,
  notes: true,
};
const leadRequest: Keys<LeadSubmitRequest> = {
  type: true,
  customer: true,
  consent: true,
  source_agent: true,
  vehicle_of_interest: true,
  trade_in: true,
  appointment: true,
  message: true,
  submitted_at: true,
  idempotency_key: true,
};
const leadAnswer: Keys<LeadAnswer> = { lead_id: true, status: true, appointment: true, dealer: true };
const appointmentAnswer: Keys<AppointmentAnswer> = {
  appointment_id: true,
  status: true,
  confirmed_at: true,
  proposed_times: true,
};

const PAIRS: [name: string, keys: object, schema: Schema | undefined][] = [
  ['Vehicle', vehicle, schema('vehicle')],
  ['Filters', filters, schema('filters')],
  ['Facets', facets, schema('facets')],
  ['Fee', fee, schema('dealer-fee')],
  ['PostalAddress', address, schema('address')],
  ['RooftopProfile', rooftop, schema('dealer-information').$defs.rooftop],
  ['Customer', customer, schema('customer')],
  ['Consent', consent, schema('consent-grant')],
  ['SourceAgent', sourceAgent, schema('source-agent')],
  ['AppointmentRequest', appointment, schema('appointment')],
  ['LeadSubmitRequest', leadRequest, schema('lead-submit-request')],
  ['LeadAnswer', leadAnswer, schema('lead-submit-response').properties.data],
  [
    'AppointmentAnswer',
    appointmentAnswer,
    schema('lead-submit-response').properties.data?.properties.appointment,
  ],
];

/** Compiles only while exactly the required keys of the type are required. */
type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
const required = <T>(keys: Record<RequiredKeys<T>, true>): string[] => Object.keys(keys).sort();

describe('the model and the AAP schemas', () => {
  it.each(PAIRS)('%s has the same keys in both', (_name, keys, shape) => {
    expect(Object.keys(shape?.properties ?? {}).sort()).toEqual(Object.keys(keys).sort());
  });

  it('require the same', () => {
    expect(schema('vehicle').required).toBeUndefined();
    expect(required<Vehicle>({})).toEqual([]);
    expect(schema('customer').required?.sort()).toEqual(
      required<Customer>({ first_name: true, last_name: true }),
    );
    expect(schema('consent-grant').required?.sort()).toEqual(
      required<Consent>({ granted_at: true, allowed_channels: true, consent_text: true, scope: true }),
    );
    expect(schema('lead-submit-request').required?.sort()).toEqual(
      required<LeadSubmitRequest>({ type: true, customer: true, consent: true, source_agent: true }),
    );
    expect(schema('source-agent').required).toEqual(required<SourceAgent>({ name: true }));
    expect(schema('appointment').required).toEqual(required<AppointmentRequest>({ appointment_type: true }));
    expect(schema('dealer-fee').required?.sort()).toEqual(required<Fee>({ name: true, amount: true }));
  });

  it('know the same words', () => {
    const common = schema('common').$defs;
    expect(common.sale_condition?.enum).toEqual(SALE_CONDITIONS);
    expect(common.wear_condition?.enum).toEqual(WEAR_CONDITIONS);
    expect(common.vehicle_type?.enum).toEqual(VEHICLE_TYPES);
    expect(schema('vehicle').properties.condition?.enum).toEqual([...SALE_CONDITIONS, ...WEAR_CONDITIONS]);
    expect(schema('vehicle').properties.status?.enum).toEqual(LISTING_STATUSES);
    expect(schema('consent-grant').properties.allowed_channels?.items.enum).toEqual(CONTACT_CHANNELS);
    expect(schema('customer').properties.preferred_contact?.enum).toEqual([...CONTACT_CHANNELS, 'any']);
    expect(schema('appointment').properties.appointment_type?.enum).toEqual(APPOINTMENT_TYPES);
    expect(schema('inventory-search-request').properties.sort?.properties.field?.enum).toEqual(SORT_FIELDS);
    expect(Object.keys(schema('dealer-information').$defs.week?.properties ?? {})).toEqual(WEEKDAYS);
    expect(schema('error').properties.code?.enum?.sort()).toEqual(Object.keys(AAP_ERRORS).sort());
  });
});
