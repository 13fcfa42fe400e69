import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../src/model/log.ts';
import type { LeadSubmitRequest } from '../../src/model/lead.ts';
import {
  answered,
  CEDAR,
  destination,
  fileCrm,
  HARBOR,
  leadRequest,
  leadsConfig,
  LISTING,
  openDesk,
  openStore,
  refusalCode,
  temporaryFolder,
} from './lead-harness.ts';

const crm = fileCrm('outgoing');

async function codeOf(changes: Partial<LeadSubmitRequest>, follow_up_channels = ['email', 'phone'] as const) {
  const desk = openDesk(openStore(), { leads: leadsConfig({ follow_up_channels: [...follow_up_channels] }) });
  return refusalCode(await desk.submit(leadRequest(changes)));
}

function consent(changes: Partial<LeadSubmitRequest['consent']>): Partial<LeadSubmitRequest> {
  return { consent: { ...leadRequest().consent, ...changes } };
}

describe('the consent record', () => {
  it.each([
    [
      'granted six minutes ahead of our clock',
      consent({ granted_at: '2026-11-30T12:06:00Z' }),
      'INVALID_CONSENT',
    ],
    ['granted four minutes ahead', consent({ granted_at: '2026-11-30T12:04:00Z' }), 'received'],
    ['granted at no time at all', consent({ granted_at: 'yesterday' }), 'INVALID_CONSENT'],
    ['expired a second ago', consent({ expires_at: '2026-11-30T11:59:59Z' }), 'INVALID_CONSENT'],
    ['expiring this very moment', consent({ expires_at: '2026-11-30T12:00:00Z' }), 'INVALID_CONSENT'],
    ['valid for one more second', consent({ expires_at: '2026-11-30T12:00:01Z' }), 'received'],
    ['offsets are honoured', consent({ expires_at: '2026-11-30T12:30:00+02:00' }), 'INVALID_CONSENT'],
    ['expiring in a leap second', consent({ expires_at: '2026-12-31T23:59:60Z' }), 'received'],
    ['granted in small letters', consent({ granted_at: '2026-11-30t11:00:00z' }), 'received'],
    ['for another purpose', consent({ scope: ['marketing'] }), 'INVALID_CONSENT'],
    ['for more than this', consent({ scope: ['lead_submission', 'marketing'] }), 'INVALID_CONSENT'],
    ['for nothing', consent({ scope: [] }), 'INVALID_CONSENT'],
    ['with a blank text', consent({ consent_text: ' \n ' }), 'INVALID_CONSENT'],
    ['with a text that nobody can see', consent({ consent_text: '\u200b\u00a0.' }), 'INVALID_CONSENT'],
  ])('%s', async (_, changes, code) => {
    expect(await codeOf(changes)).toBe(code);
  });

  it('is told when nobody can read until when it holds, and not that it has expired', async () => {
    const outcome = await openDesk(openStore()).submit(leadRequest(consent({ expires_at: 'when I say so' })));
    expect(outcome).toMatchObject({
      code: 'INVALID_CONSENT',
      message: 'The consent does not say until when it holds.',
    });
  });

  it('is judged sound or not before it is asked what it allows', async () => {
    expect(await codeOf(consent({ scope: ['marketing'], allowed_channels: ['sms'] }))).toBe(
      'INVALID_CONSENT',
    );
  });
});

describe('the channels', () => {
  const { customer } = leadRequest();

  it('refuses a preferred channel that is not allowed', async () => {
    const changes = { customer: { ...customer, preferred_contact: 'sms' as const } };
    expect(await codeOf(changes)).toBe('CONTACT_CONSENT_REQUIRED');
    expect(await codeOf({ customer: { ...customer, preferred_contact: 'any' } })).toBe('received');
  });

  it('refuses when none that the dealer uses is allowed', async () => {
    expect(await codeOf(consent({ allowed_channels: ['sms'] }))).toBe('CONTACT_CONSENT_REQUIRED');
  });

  it('tells a customer with only a phone that e-mail is the only channel left', async () => {
    const desk = openDesk(openStore());
    const outcome = await desk.submit(
      leadRequest({
        customer: { first_name: 'Ada', last_name: 'Lovelace', phone: '+14155550123' },
        ...consent({ allowed_channels: ['email'] }),
      }),
    );
    expect(outcome).toMatchObject({
      code: 'CONTACT_CONSENT_REQUIRED',
      message: 'The dealer may answer by email only, but the lead gives no e-mail address.',
    });
  });

  it('reaches a text message by the phone number', async () => {
    const desk = openDesk(openStore(), { leads: leadsConfig({ follow_up_channels: ['sms'] }) });
    const phoneOnly = { first_name: 'Ada', last_name: 'Lovelace', phone: '+14155550123' };
    const texts = consent({ allowed_channels: ['sms'] });
    expect(refusalCode(await desk.submit(leadRequest({ customer: phoneOnly, ...texts })))).toBe('received');
    const mailOnly = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
    expect(refusalCode(await desk.submit(leadRequest({ customer: mailOnly, ...texts })))).toBe(
      'CONTACT_CONSENT_REQUIRED',
    );
  });
});

describe('the vehicle', () => {
  const testDrive = { appointment_type: 'test_drive' as const };

  it.each([
    ['a test drive of nothing', { appointment: testDrive }, 'MISSING_REQUIRED_FIELD'],
    ['a test drive by an unknown VIN', { vin: '1HGCY2F57RA999999' }, 'VEHICLE_NOT_FOUND'],
    ['a test drive by an unknown stock number', { stock: 'NOT-OURS' }, 'VEHICLE_NOT_FOUND'],
    ['a test drive of a vehicle without a name', {}, 'MISSING_REQUIRED_FIELD'],
    ['a test drive of blanks', { stock: ' ', make: '', features: [' '] }, 'MISSING_REQUIRED_FIELD'],
    ['a test drive of words for nothing', { stock: 'N/A', model: 'unknown' }, 'MISSING_REQUIRED_FIELD'],
    ['a test drive at a rooftop', { rooftop: 'Harbor Point Motors' }, 'MISSING_REQUIRED_FIELD'],
    ['a test drive by a word for no stock number', { stock: 'N/A', make: 'Honda' }, 'received'],
    ['a test drive of any of a year', { year: 2024 }, 'received'],
    ['a test drive of a car that is gone', { vin: '1HGCY2F57RA000002' }, 'VEHICLE_UNAVAILABLE'],
    ['a test drive of a listed car', { vin: '1HGCY2F57RA000001' }, 'received'],
    ['a test drive of any such model', { make: 'Honda', model: 'CR-V' }, 'received'],
    ['a test drive by a blank stock number', { stock: ' ', make: 'Honda' }, 'received'],
    ['a test drive by blanks for all', { vin: '', stock: '', vehicle_id: '', make: 'Honda' }, 'received'],
  ])('%s', async (_, vehicle, code) => {
    const { vehicle_of_interest: _interest, ...general } = leadRequest();
    const request =
      'appointment' in vehicle
        ? { ...general, ...vehicle }
        : { ...general, vehicle_of_interest: vehicle, appointment: testDrive };
    expect(refusalCode(await openDesk(openStore()).submit(request))).toBe(code);
  });

  it('takes any other lead for a vehicle that is unknown or gone', async () => {
    expect(await codeOf({ vehicle_of_interest: { vin: '1HGCY2F57RA999999' } })).toBe('received');
    expect(await codeOf({ vehicle_of_interest: { vin: '1HGCY2F57RA000002' } })).toBe('received');
  });
});

describe('what is stored', () => {
  it('is on disk before the answer: another connection sees lead, listing, consent and deliveries', async () => {
    const file = join(temporaryFolder(), 'leads.db');
    const store = openStore(file);
    const other = openStore(file);
    const destinations = [
      destination('cedar', crm, { rooftops: [CEDAR.id] }),
      destination('both', crm),
      destination('harbor', crm, { rooftops: [HARBOR.id] }),
    ];
    const request = leadRequest();
    const { answer } = answered(
      await openDesk(store, { leads: leadsConfig({ destinations }) }).submit(request),
    );

    const trail = await other.find(answer.lead_id);
    expect(trail?.lead).toMatchObject({ rooftop_id: CEDAR.id, request, listing: LISTING });
    expect(trail?.reply.answer).toEqual(answer);
    expect(trail?.deliveries.map(({ destination, state }) => [destination, state])).toEqual([
      ['cedar', 'queued'],
      ['both', 'queued'],
    ]);
    expect(JSON.parse(trail?.consents[0]?.record ?? '')).toEqual({
      consent: request.consent,
      customer: request.customer,
      source_agent: request.source_agent,
    });
  });

  it('goes to the default rooftop without a vehicle of ours, and to the rooftop that the buyer names', async () => {
    const store = openStore();
    const desk = openDesk(store);
    const rooftopOf = async (vehicle_of_interest: object) => {
      const { answer } = answered(await desk.submit(leadRequest({ vehicle_of_interest })));
      return (await store.find(answer.lead_id))?.lead.rooftop_id;
    };
    expect(await rooftopOf({ make: 'Ford' })).toBe(HARBOR.id);
    expect(await rooftopOf({ make: 'Ford', model: 'F-150', rooftop: 'Cedar Ridge Auto Center' })).toBe(
      CEDAR.id,
    );
    expect(await rooftopOf({ make: 'Kia', rooftop: ' cedar ridge auto center' })).toBe(CEDAR.id);
    expect(await rooftopOf({ vin: '1HGCY2F57RA000002' })).toBe(CEDAR.id);
  });

  it('says so in the log when no destination serves the rooftop, and logs no customer data', async () => {
    const lines: string[] = [];
    const keep = (facts: object, message: string) => void lines.push(JSON.stringify({ ...facts, message }));
    const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
    await openDesk(openStore(), { log }).submit(leadRequest());
    expect(lines.join('\n')).toContain('no destination serves its rooftop');
    expect(lines.join('\n')).not.toMatch(/ada|lovelace|4155550123|still there/i);
  });
});

describe('the answer', () => {
  it('names the dealer, its E.164 phone and what happens next', async () => {
    const request = leadRequest({ vehicle_of_interest: { make: 'Ford' } });
    const outcome = answered(await openDesk(openStore()).submit(request));
    expect(outcome.answer).toEqual({
      lead_id: expect.stringMatching(/^lead_/),
      status: 'received',
      dealer: { name: 'Harbor Point Motors', phone: '+16195550100' },
    });
    expect(outcome.message).toBe(
      'Harbor Point Motors has received your inquiry and will contact you by e-mail or phone.',
    );
  });

  it('leaves an appointment to the staff and tells the time on the dealer’s clock', async () => {
    const request = leadRequest({
      customer: { ...leadRequest().customer, preferred_contact: 'phone' },
      appointment: { appointment_type: 'test_drive', appointment_at: '2026-12-03T18:00:00Z' },
    });
    const { answer, message } = answered(await openDesk(openStore()).submit(request));
    expect(answer.appointment).toEqual({
      appointment_id: expect.stringMatching(/^appt_/),
      status: 'requested',
    });
    expect(message).toBe(
      'Cedar Ridge Auto Center has received your inquiry. The staff will contact you by phone or e-mail to ' +
        'arrange your test drive on Thursday, December 3, 2026 at 11:00 AM MST, which is not yet confirmed.',
    );
  });
});
