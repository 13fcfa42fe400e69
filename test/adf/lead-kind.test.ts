import { expect, test } from 'vitest';
import { leadKind } from '../../src/adf/lead-kind.ts';
import type { LeadDocument } from '../../src/model/lead.ts';
import { CIVIC, leadWith, sampleLead } from './documents.ts';

const NEW_CIVIC = { ...CIVIC, condition: 'new' as const };

test.each<[string, LeadDocument, string]>([
  ['a new vehicle', leadWith({ vehicle_of_interest: { make: 'Kia', condition: 'new' } }), 'new'],
  ['a used vehicle', leadWith({ vehicle_of_interest: { make: 'Kia', condition: 'used' } }), 'used'],
  ['a certified vehicle', leadWith({ vehicle_of_interest: { make: 'Kia', condition: 'cpo' } }), 'used'],
  [
    'a vehicle that our listing knows',
    leadWith({ vehicle_of_interest: { vin: CIVIC.vin! } }, { listing: NEW_CIVIC }),
    'new',
  ],
  [
    'a vehicle that our listing says otherwise of',
    leadWith({ vehicle_of_interest: { vin: CIVIC.vin!, condition: 'used' } }, { listing: NEW_CIVIC }),
    'used',
  ],
  ['a vehicle that nobody knows', leadWith({ vehicle_of_interest: { make: 'Kia' } }), 'other'],
  ['a vehicle and a trade-in', sampleLead('test-drive-with-trade-in'), 'used'],
  ['a trade-in alone', sampleLead('trade-in-only'), 'trade_in'],
  ['an appraisal alone', leadWith({ appointment: { appointment_type: 'trade_in' } }), 'trade_in'],
  [
    'an empty vehicle and a trade-in',
    leadWith({ vehicle_of_interest: {}, trade_in: { make: 'Kia' } }),
    'trade_in',
  ],
  ['a visit to the workshop', sampleLead('service-appointment'), 'service'],
  [
    'a visit to the workshop with a vehicle',
    leadWith({
      appointment: { appointment_type: 'service' },
      vehicle_of_interest: { make: 'Kia', condition: 'new' },
    }),
    'service',
  ],
  ['a question', sampleLead('general-question'), 'other'],
])('%s', (_, lead, kind) => {
  expect(leadKind(lead)).toBe(kind);
});
