import type { LeadDocument } from '../../model/lead.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

export interface TrialLead {
  name: string;
  lead: LeadDocument;
}

/** Stands in every free text and in the address of the lead `marked`: where it turns up is customer data. */
export const MARK = 'xq7zmark';

/** Fields that the AAP schemas hold to a form of their own: no text of a buyer's choice gets there. */
const FORMED = new Set([
  'type',
  'email',
  'phone',
  'preferred_contact',
  'granted_at',
  'expires_at',
  'allowed_channels',
  'scope',
  'url',
  'agent_card_url',
  'appointment_type',
  'appointment_at',
  'submitted_at',
  'condition',
  'status',
  'vehicle_type',
  'vin',
  'photos',
  'vdp_url',
  'inventory_date',
  'updated_at',
]);

/** Leads that the bridge may hand to an adapter and that have broken adapters before, from hostile to nearly empty. */
export function hostileLeads(): TrialLead[] {
  return [
    ...Object.entries(HOSTILE_TEXTS).map(([name, text]) => ({ name, lead: withEveryText(FULL_LEAD, text) })),
    { name: 'marked', lead: markedLead() },
    { name: 'the least there can be', lead: LEAST_LEAD },
    { name: 'empty texts', lead: withEveryText(FULL_LEAD, '') },
    { name: 'empty lists', lead: leadWith({ trade_in: {}, vehicle_of_interest: {} }) },
    { name: 'odd numbers', lead: leadWith({ vehicle_of_interest: { year: 2100, mileage: 0, price: 1 } }) },
    { name: 'a resent lead', lead: { ...FULL_LEAD, resend: true } },
  ];
}

function leadWith(changes: Partial<LeadDocument['request']>): LeadDocument {
  return { ...FULL_LEAD, request: { ...FULL_LEAD.request, ...changes } };
}

function markedLead(): LeadDocument {
  const marked = withEveryText(FULL_LEAD, MARK);
  const customer = { ...marked.request.customer, email: `${MARK}@customer.example` };
  return { ...marked, request: { ...marked.request, customer } };
}

/** Request and listing come from outside; the rest of the document is the dealer's and ours. */
function withEveryText(lead: LeadDocument, text: string): LeadDocument {
  return {
    ...lead,
    request: replaceTexts(lead.request, text),
    ...(lead.listing === undefined ? {} : { listing: replaceTexts(lead.listing, text) }),
  };
}

function replaceTexts<T>(value: T, text: string): T {
  if (typeof value === 'string') return text as T;
  if (Array.isArray(value)) return value.map((entry: unknown) => replaceTexts(entry, text)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]: [string, unknown]) => [
    key,
    FORMED.has(key) ? entry : replaceTexts(entry, text),
  ]);
  return Object.fromEntries(entries) as T;
}

const CONSENT: LeadDocument['request']['consent'] = {
  granted_at: '2026-04-30T10:14:00Z',
  allowed_channels: ['email', 'phone', 'sms'],
  consent_text: 'You may answer me about this vehicle.',
  scope: ['lead_submission'],
};

const LEAST_LEAD: LeadDocument = {
  lead_id: 'lead_01968800-0000-7000-8000-000000000001',
  received_at: '2026-04-30T10:15:00Z',
  resend: false,
  request: {
    type: 'lead.submit.request',
    customer: { first_name: 'A', last_name: 'B', phone: '+12075550123' },
    consent: { ...CONSENT, allowed_channels: ['phone'] },
    source_agent: { name: 'agent' },
  },
  rooftop: { id: 'ONE', feed_ids: [], profile: { name: 'One Store Motors' } },
};

const FULL_LEAD: LeadDocument = {
  lead_id: 'lead_01968800-0000-7000-8000-000000000002',
  received_at: '2026-04-30T10:15:00Z',
  resend: false,
  request: {
    type: 'lead.submit.request',
    customer: {
      first_name: 'Anna',
      last_name: "O'Neil",
      email: "anna.o'neil+cars@customer.example",
      phone: '+12075550123',
      preferred_contact: 'sms',
      address: {
        address_line_1: '1 Main Street',
        address_line_2: 'Apartment 2',
        city: 'Portland',
        state: 'ME',
        zip: '04101',
        country: 'US',
      },
    },
    consent: { ...CONSENT, expires_at: '2027-04-30T10:14:00Z' },
    source_agent: { name: 'agent', url: 'https://agent.example' },
    vehicle_of_interest: {
      vin: '1HGCM82633A004352',
      stock: '00417',
      vehicle_id: 'v-417',
      year: 2023,
      make: 'Honda',
      model: 'Accord',
      trim: 'EX',
      body: 'Sedan',
      condition: 'used',
      mileage: 21_000,
      price: 24_500,
      list_price: 23_900,
      transmission: 'CVT',
      exterior_color: 'Blue',
      interior_color: 'Grey',
      photos: ['https://dealer.example/417.jpg'],
      features: ['Heated seats'],
      other_attributes: { doors: '4' },
    },
    trade_in: { year: 2012, make: 'Ford', model: 'Focus', mileage: 98_000, condition: 'fair', notes: 'Dent' },
    appointment: {
      appointment_type: 'test_drive',
      appointment_at: '2026-05-04T14:00:00-04:00',
      duration_minutes: 30,
      notes: 'With my son',
    },
    message: 'Is it still there?',
    submitted_at: '2026-04-30T10:14:58Z',
    idempotency_key: 'key-1',
  },
  listing: {
    vin: '1HGCM82633A004352',
    stock: '00417',
    year: 2023,
    make: 'Honda',
    model: 'Accord',
    condition: 'used',
    status: 'available',
    updated_at: '2026-04-30T06:00:00Z',
    description: 'One owner.',
  },
  appointment: {
    appointment_id: 'appt_1',
    status: 'confirmed',
    confirmed_at: '2026-05-04T14:00:00-04:00',
  },
  rooftop: {
    id: 'ONE',
    feed_ids: [],
    profile: {
      name: 'One Store Motors',
      website: 'https://onestore.example',
      phones: [{ name: 'Sales', value: '+12075550100' }],
      emails: [{ name: 'Sales', value: 'sales@onestore.example' }],
      address: {
        address_line_1: '2 Main Street',
        city: 'Portland',
        state: 'ME',
        zip: '04101',
        country: 'US',
      },
      timezone: 'America/New_York',
    },
  },
};
