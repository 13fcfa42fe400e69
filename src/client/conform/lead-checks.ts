import { formatInstant, systemClock } from '../../model/clock.ts';
import { newMessageId } from '../../model/identifier.ts';
import { textAt } from '../json-value.ts';
import { allOf, expectThat, type Check } from './check.ts';
import { aapRefusal, served, summary } from './expectations.ts';
import { NotChecked, type Probe, type Probed } from './probe.ts';
import { keepsSchema } from './skill-checks.ts';

/** lead.submit (aap-v1.3 section 5). Every one of them may leave a lead behind, so all wait for `--with-leads`. */
export const LEAD_CHECKS: readonly Check[] = [
  {
    id: 'ERR-08',
    promise: 'A lead without consent is CONTACT_CONSENT_REQUIRED.',
    run: async (probe) => {
      const { consent: _, ...lead } = testLead(newMessageId());
      return aapRefusal(await submit(probe, lead), -32000, 'CONTACT_CONSENT_REQUIRED');
    },
  },
  {
    id: 'ERR-09',
    promise: 'A consent of another scope is INVALID_CONSENT.',
    run: async (probe) => {
      const lead = testLead(newMessageId());
      const consent = { ...lead.consent, scope: ['advertising'] };
      return aapRefusal(await submit(probe, { ...lead, consent }), -32000, 'INVALID_CONSENT');
    },
  },
  {
    id: 'LEAD-02',
    promise: 'The same idempotency_key with the same payload brings the same answer again.',
    run: async (probe) => {
      const lead = testLead(newMessageId());
      const first = await submit(probe, lead);
      const second = await submit(probe, lead);
      return allOf(
        keepsSchema(first, 'lead.submit'),
        served(second),
        expectThat(
          leadId(first) === leadId(second),
          `the lead ${String(leadId(first))} again`,
          summary(second),
        ),
      );
    },
  },
  {
    id: 'LEAD-03',
    promise: 'The same idempotency_key with another payload is IDEMPOTENCY_CONFLICT.',
    run: async (probe) => {
      const lead = testLead(newMessageId());
      const first = await submit(probe, lead);
      const other = await submit(probe, { ...lead, message: 'TEST, please ignore. Another text.' });
      return allOf(served(first), aapRefusal(other, -32000, 'IDEMPOTENCY_CONFLICT'));
    },
  },
];

/** Marked so that nobody at the dealer takes it for a buyer; the names and addresses are reserved for examples. */
function testLead(idempotencyKey: string) {
  return {
    type: 'lead.submit.request',
    customer: { first_name: 'TEST', last_name: 'Please ignore', email: 'conformance-test@example.com' },
    consent: {
      granted_at: formatInstant(systemClock.now() - 60_000),
      allowed_channels: ['email'],
      consent_text: 'TEST: no person stands behind this lead; it checks the agent. Please ignore it.',
      scope: ['lead_submission'],
    },
    source_agent: { name: 'dealer-bridge conformance test' },
    message: 'TEST, please ignore. This lead checks whether the agent keeps the protocol.',
    idempotency_key: idempotencyKey,
  };
}

function submit(probe: Probe, lead: object): Promise<Probed> {
  probe.needs('lead.submit');
  if (!probe.withLeads) throw new NotChecked('test leads are sent with --with-leads only');
  return probe.send(lead);
}

function leadId({ data }: Probed): string | undefined {
  return textAt(data, 'lead_id');
}
