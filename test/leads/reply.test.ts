import { expect, it } from 'vitest';
import { noTimeMessage, replyToLead } from '../../src/leads/reply.ts';
import type { AppointmentType } from '../../src/model/lead.ts';
import type { Rooftop } from '../../src/model/rooftop.ts';
import { HARBOR } from './lead-harness.ts';

type Phones = NonNullable<Rooftop['profile']['phones']>;

const SALES = { name: 'Sales', value: '+12075550110' };
const SERVICE = { name: ' SERVICE', value: '+12075550111' };

const rooftopWith = (phones: Phones): Rooftop => ({ ...HARBOR, profile: { ...HARBOR.profile, phones } });

it.each<[AppointmentType, Phones, string]>([
  ['service', [SALES, SERVICE], SERVICE.value],
  ['sales', [SERVICE, SALES], SALES.value],
  ['test_drive', [SERVICE, SALES], SALES.value],
  ['trade_in', [SALES, SERVICE], SALES.value],
  ['service', [SALES], SALES.value],
  ['service', [SALES, { name: 'Service', value: '555-0111' }], SALES.value],
  ['sales', [{ value: '+12075550119' }, { name: 'Customer service', value: '+12075550118' }], '+12075550119'],
])('names the number of the department for a %s visit: %j', (appointment_type, phones, number) => {
  const rooftop = rooftopWith(phones);
  const asked = { appointment_type };
  const answer = { appointment_id: 'appt_1', status: 'rejected' as const };
  const reply = replyToLead({
    leadId: 'lead_1',
    rooftop,
    channels: ['email'],
    appointment: { asked, answer },
  });
  expect(reply.message).toContain(`please call ${number} to arrange yours`);
  expect(noTimeMessage(asked, rooftop)).toContain(`please call ${number}, or`);
});
