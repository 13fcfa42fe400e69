import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { calendarFile } from '../../src/adapters/calendar-file.ts';
import { composeMail } from '../../src/leads/delivery/compose-mail.ts';
import type { LeadDocument } from '../../src/model/lead.ts';
import { CEDAR, leadRequest, LISTING } from '../leads/lead-fixtures.ts';

const SENDER = { name: 'Cedar Ridge', address: 'bridge@dealer.example' };

function visitLead(changes: Partial<LeadDocument> = {}, request = {}): LeadDocument {
  return {
    lead_id: 'lead_1',
    received_at: '2026-11-30T12:00:00Z',
    resend: false,
    request: leadRequest({
      appointment: {
        appointment_type: 'test_drive',
        appointment_at: '2026-12-03T17:00:00Z',
        notes: 'Rear seat, please; two boys',
      },
      ...request,
    }),
    listing: LISTING,
    appointment: { appointment_id: 'appt_7', status: 'confirmed', confirmed_at: '2026-12-03T17:00:00Z' },
    visit_minutes: 45,
    rooftop: CEDAR,
    ...changes,
  };
}

/** Content lines, unfolded. */
function linesOf(file: string | undefined): string[] {
  return (file ?? '').replaceAll('\r\n ', '').split('\r\n');
}

describe('a confirmed visit', () => {
  it('is an event of a published calendar, with times in UTC and no present in it', () => {
    expect(linesOf(calendarFile(visitLead(), SENDER))).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//dealer-bridge//leads//EN',
      'METHOD:PUBLISH',
      'BEGIN:VEVENT',
      'UID:appt_7@dealer-bridge.invalid',
      'DTSTAMP:20261130T120000Z',
      'DTSTART:20261203T170000Z',
      'DTEND:20261203T174500Z',
      'SEQUENCE:0',
      'STATUS:CONFIRMED',
      String.raw`SUMMARY:Test drive: Ada Lovelace\, 2024 Honda CR-V`,
      String.raw`DESCRIPTION:Phone: +14155550123\nE-mail: ada@example.com\nNotes: Rear seat\, please\; two boys\nLead: lead_1`,
      String.raw`LOCATION:12 Ridge Rd\, Cedar Ridge\, CO\, 80002`,
      'ORGANIZER;CN="Cedar Ridge Auto Center":mailto:bridge@dealer.example',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('names no way to the buyer that they do not allow', () => {
    const consent = { ...leadRequest().consent, allowed_channels: ['email' as const] };
    const file = calendarFile(visitLead({}, { consent }), SENDER) ?? '';
    expect(file).not.toContain('4155550123');
    expect(file).toContain('ada@example.com');
  });

  it.each([
    ['is not asked for', { appointment: undefined }],
    ['is only requested', { appointment: { appointment_id: 'a', status: 'requested' } }],
    ['is only proposed', { appointment: { appointment_id: 'a', status: 'proposed', proposed_times: [] } }],
    ['has no length', { visit_minutes: undefined }],
  ])('that %s makes no file', (_, changes) => {
    expect(calendarFile(visitLead(changes as Partial<LeadDocument>), SENDER)).toBeUndefined();
  });
});

describe('whatever a field holds', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      'x\r\nEND:VEVENT\r\nATTENDEE:mailto:evil@example.com',
      '";:mailto:evil@example.com',
      '\ud800',
      '🚗'.repeat(60),
      '\u2028X:1\u0085Y:2',
      '\\n,;\\',
    ),
  );

  it('the file has its own lines and no other, short ones, of whole characters', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (name, notes, dealership, street) => {
        const file = calendarFile(
          visitLead(
            {
              rooftop: {
                ...CEDAR,
                profile: { ...CEDAR.profile, name: dealership, address: { address_line_1: street } },
              },
            },
            {
              customer: { ...leadRequest().customer, first_name: name, email: name },
              appointment: { appointment_type: 'sales', notes },
              vehicle_of_interest: { make: name },
            },
          ),
          { name, address: `a@b.example${dealership}` },
        );
        const text = file ?? '';
        expect(text.isWellFormed()).toBe(true);
        expect(text.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        const names = linesOf(file).map((line) => /^[A-Z]+/.exec(line)?.[0] ?? '');
        expect(names).toEqual([
          'BEGIN',
          'VERSION',
          'PRODID',
          'METHOD',
          'BEGIN',
          'UID',
          'DTSTAMP',
          'DTSTART',
          'DTEND',
          'SEQUENCE',
          'STATUS',
          'SUMMARY',
          'DESCRIPTION',
          ...(street === '' ? [] : ['LOCATION']),
          'ORGANIZER',
          'END',
          'END',
          '',
        ]);
      }),
    );
  });

  it('comes through a mail byte for byte', async () => {
    const content =
      calendarFile(
        visitLead({}, { customer: { ...leadRequest().customer, first_name: 'Zoë 🚗'.repeat(20) } }),
        SENDER,
      ) ?? '';
    const mail = await composeMail({
      kind: 'email',
      server: { host: 'mail.example', port: 25, security: 'none', timeoutMs: 1000 },
      from: SENDER,
      to: [{ name: '', address: 'crm@example.com' }],
      subject: 'New lead',
      text: 'text',
      attachments: [
        { filename: 'visit.ics', contentType: 'text/calendar; charset=utf-8; method=PUBLISH', content },
      ],
      messageId: 'lead_1@dealer.example',
      date: '2026-11-30T12:00:00Z',
    });
    const parsed = await simpleParser(mail);
    const [attachment] = parsed.attachments;
    expect(attachment?.filename).toBe('visit.ics');
    expect(attachment?.contentType).toBe('text/calendar');
    expect(attachment?.content.toString('utf8')).toBe(content);
    expect(mail.toString('latin1')).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=PUBLISH/i);
  });
});
