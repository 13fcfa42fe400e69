import type { Rooftop } from '../model/rooftop.ts';
import { newLeadId } from '../model/identifier.ts';
import type { LeadDocument } from '../model/lead.ts';

/** A lead that a person at the CRM sees to be a trial at first glance, whichever field they look at. */
export function testLead(rooftop: Rooftop, receivedAt: string): LeadDocument {
  return {
    lead_id: `test_${newLeadId()}`,
    received_at: receivedAt,
    resend: false,
    request: {
      type: 'lead.submit.request',
      customer: {
        first_name: 'TEST',
        last_name: 'Please ignore',
        // Reserved for examples: nobody is ever written to or called.
        email: 'test-lead@example.com',
        phone: '+12025550100',
      },
      consent: {
        granted_at: receivedAt,
        allowed_channels: ['email', 'phone'],
        consent_text: 'None: this is a test lead, nobody may be contacted.',
        scope: ['lead_submission'],
      },
      source_agent: { name: 'dealer-bridge test' },
      message:
        'TEST LEAD, please ignore and delete. The dealership checks whether leads from dealer-bridge arrive. ' +
        'There is no customer.',
    },
    rooftop,
  };
}
