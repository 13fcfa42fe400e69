import { readFileSync } from 'node:fs';
import type { LeadDocument, LeadSubmitRequest } from '../../src/model/lead.ts';
import type { Rooftop } from '../../src/model/rooftop.ts';
import type { Listing } from '../../src/model/vehicle.ts';

export const LAKEVIEW: Rooftop = {
  id: 'LPO03',
  feed_ids: ['LPO03'],
  profile: {
    name: 'Lakeview Pre-Owned',
    website: 'https://www.lakeviewpreowned.example.com',
    emails: [{ name: 'Sales', value: 'sales@lakeviewpreowned.example.com' }],
    phones: [{ name: 'Sales', value: '+12075550130' }],
    address: {
      country: 'US',
      state: 'ME',
      city: 'Windham',
      address_line_1: '31 Lakeview Drive',
      address_line_2: 'Building B',
      zip: '04062',
    },
    timezone: 'America/New_York',
  },
};

/** The car of the sample leads as it stands on the demo lot. */
export const CIVIC: Listing = {
  vehicle_type: 'car',
  vin: '1HGCY2F57RA000001',
  stock: 'T12345',
  dealer_id: 'LPO03',
  rooftop: 'Lakeview Pre-Owned',
  year: 2022,
  make: 'Honda',
  model: 'Civic',
  trim: 'EX',
  body: 'sedan',
  condition: 'cpo',
  status: 'available',
  msrp: 26500,
  list_price: 24990,
  price: 26780,
  fees: [
    { name: 'Documentation fee', amount: 500 },
    { name: 'Pre-installed theft protection', amount: 1290 },
  ],
  mileage: 22150,
  transmission: 'automatic',
  driveline: 'fwd',
  engine: '2.0L I4',
  fuel: 'gas',
  exterior_color: 'Crystal Black Pearl',
  interior_color: 'Black',
  features: ['Adaptive Cruise Control', 'Apple CarPlay'],
  photos: ['https://img.example.com/lakeview/t12345/1.jpg'],
  vdp_url: 'https://lakeview.example.com/inventory/t12345',
  description: 'One owner, certified, serviced on schedule.',
  updated_at: '2026-04-30T08:00:00Z',
};

export const SAMPLE_NAMES = [
  'general-question',
  'non-ascii',
  'service-appointment',
  'test-drive-with-trade-in',
  'trade-in-only',
  'vin-only',
] as const;

/** The lead of samples/leads with that name, as it comes in at Lakeview on one fixed day. */
export function sampleLead(name: (typeof SAMPLE_NAMES)[number]): LeadDocument {
  const file = new URL(`../../samples/leads/${name}.json`, import.meta.url);
  const request = JSON.parse(readFileSync(file, 'utf8')) as LeadSubmitRequest;
  return {
    lead_id: `lead_01967f3a-0000-7000-8000-00000000000${SAMPLE_NAMES.indexOf(name) + 1}`,
    received_at: '2026-04-30T15:05:10Z',
    resend: false,
    request,
    ...(request.vehicle_of_interest?.vin === CIVIC.vin ? { listing: CIVIC } : {}),
    ...(request.appointment === undefined
      ? {}
      : { appointment: { appointment_id: 'appt_1', status: 'requested' as const } }),
    rooftop: LAKEVIEW,
  };
}

/** A small lead to which a test adds what it is about. */
export function leadWith(
  request: Partial<LeadSubmitRequest> = {},
  document: Partial<LeadDocument> = {},
): LeadDocument {
  return {
    lead_id: 'lead_0001',
    received_at: '2026-04-30T11:05:10Z',
    resend: false,
    request: {
      type: 'lead.submit.request',
      customer: { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com', phone: '+12075550142' },
      consent: {
        granted_at: '2026-04-30T11:05:00Z',
        allowed_channels: ['email', 'phone'],
        consent_text: 'You may contact me.',
        scope: ['lead_submission'],
      },
      source_agent: { name: 'shopping-assistant' },
      ...request,
    },
    rooftop: LAKEVIEW,
    ...document,
  };
}
