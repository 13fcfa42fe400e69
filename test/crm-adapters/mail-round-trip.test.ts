import { describe, expect, test } from 'vitest';
import type { LeadDocument } from '../../src/adapters/index.ts';
import { renderAdf } from '../../src/adf/document.ts';
import { leadWith, sampleLead } from '../adf/documents.ts';
import { mailBench } from './mail-bench.ts';

const { send } = mailBench();

const LEADS: [string, LeadDocument][] = [
  ['a plain lead', sampleLead('service-appointment')],
  ['a lead in many scripts', sampleLead('non-ascii')],
  ['the longest message, one line', leadWith({ message: 'word '.repeat(800) })],
  ['the longest message without a blank', leadWith({ message: 'x'.repeat(4000) })],
  ['the longest message of other letters', leadWith({ message: '漢'.repeat(4000) })],
  ['the longest message of emoji', leadWith({ message: '😀'.repeat(2000) })],
  [
    'many lines',
    leadWith({ message: Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\n') }),
  ],
  [
    'lines that mail treats specially',
    leadWith({ message: '.\n..\n.\nFrom here\n>From\n--\n =20=\n\ttab \nQUIT' }),
  ],
  ['carriage returns', leadWith({ message: 'a\r\nb\rc\r\n.\r\n' })],
];

describe.each(LEADS)('%s', (_, lead) => {
  const xml = renderAdf(lead, {});

  test('comes back byte for byte as the body', async () => {
    const { mail } = await send(lead);
    expect(mail.text).toBe(xml);
    expect(mail.html).toBe(false);
    expect(mail.attachments).toEqual([]);
    expect(mail.headers.get('content-type')).toMatchObject({ value: 'text/plain' });
  });

  test('comes back byte for byte as an attachment, and as both', async () => {
    const attached = await send(lead, { placement: 'attachment' });
    expect(attached.mail.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ['lead.xml', 'application/xml'],
    ]);
    expect(attached.mail.attachments[0]!.content.equals(Buffer.from(xml))).toBe(true);

    const both = await send(lead, { placement: 'both', attachment: { content_type: 'text/xml' } });
    expect(both.mail.text).toBe(xml);
    expect(both.mail.attachments[0]!.content.equals(Buffer.from(xml))).toBe(true);
  });

  test('keeps to lines that every server takes', async () => {
    for (const placement of ['body', 'attachment', 'both']) {
      const { raw } = await send(lead, { placement });
      const lines = raw.toString('latin1').split('\r\n');
      expect(lines.filter((line) => line.length > 76 + '.'.length)).toEqual([]);
      expect(raw.every((byte) => byte < 0x80)).toBe(true);
    }
  });
});

describe('with the visit as a calendar file', () => {
  const lead = sampleLead('test-drive-with-trade-in');
  lead.appointment = {
    appointment_id: 'appt_1',
    status: 'confirmed',
    confirmed_at: '2026-05-04T18:00:00Z',
  };
  lead.visit_minutes = 60;
  const xml = renderAdf(lead, {});

  test.each(['body', 'attachment', 'both'])('the ADF as %s comes back byte for byte', async (placement) => {
    const { mail, delivery } = await send(lead, { placement, calendar: true });
    if (placement !== 'attachment') expect(mail.text).toBe(xml);
    const files = mail.attachments.map(({ filename, content }) => [filename, content.toString()]);
    const calendar = delivery.attachments.at(-1)!;
    expect(calendar.content).toContain('BEGIN:VCALENDAR');
    expect(files).toEqual([
      ...(placement === 'body' ? [] : [['lead.xml', xml]]),
      ['visit.ics', calendar.content],
    ]);
  });

  test('a visit that is not confirmed has none', async () => {
    const { mail } = await send(sampleLead('test-drive-with-trade-in'), { calendar: true });
    expect(mail.attachments).toEqual([]);
  });
});

test('a short lead goes out unencoded, so that even a crude receiver can read it', async () => {
  const { raw } = await send(sampleLead('service-appointment'));
  expect(raw.toString()).toContain('Content-Transfer-Encoding: 7bit');
  expect(raw.toString()).toContain('<name part="first" type="individual">Elena</name>');
});

describe('headers', () => {
  const hostile = leadWith({
    customer: {
      first_name: 'Eve\r\nBcc: victim@example.com',
      last_name: 'Łukasz\nX-Evil: 1',
      email: 'eve@example.com',
    },
    vehicle_of_interest: { year: 2024, make: 'Honda', model: 'Civic\r\n\r\n<html>', condition: 'new' },
    source_agent: { name: 'agent\r\n\r\nbody' },
  });
  hostile.rooftop = {
    ...hostile.rooftop,
    profile: { ...hostile.rooftop.profile, name: 'Süd\r\nX-Evil: 2 Motors' },
  };

  test('no field can add one, and the envelope is the configured one', async () => {
    const { envelope, raw, mail } = await send(hostile, {
      subject: '{dealership} {customer} {vehicle} {source} {lead_id}',
      reply_to_customer: true,
    });
    expect(envelope).toEqual({
      from: 'leads@lakeview.example',
      to: ['store@crm.example', 'copy@lakeview.example'],
    });
    const head = raw.toString('latin1').split('\r\n\r\n')[0]!;
    const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name!.toLowerCase());
    expect(names.sort()).toEqual(
      [
        'content-transfer-encoding',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'reply-to',
        'subject',
        'to',
      ].sort(),
    );
    expect(mail.subject).toBe(
      'Süd X-Evil: 2 Motors Eve Bcc: victim@example.com Łukasz X-Evil: 1 2024 Honda Civic <html> agent body lead_0001',
    );
    expect(head).toMatch(/^Subject: =\?UTF-8\?/im);
    expect(mail.text).toMatch(/^<\?xml /);
    expect(mail.text!.match(/<prospect/g)).toHaveLength(1);
  });

  test('the customer is in neither From nor To, and each recipient is one', async () => {
    const { mail } = await send(sampleLead('non-ascii'), { reply_to_customer: true });
    expect(mail.from!.value).toEqual([
      { name: 'Lakeview, "Pre-Owned" <x>', address: 'leads@lakeview.example' },
    ]);
    expect([mail.to].flat().flatMap((header) => header!.value)).toEqual([
      { name: 'Store; 7, CRM', address: 'store@crm.example' },
      { name: '', address: 'copy@lakeview.example' },
    ]);
    expect(mail.replyTo!.value).toEqual([{ name: '', address: "o'brien+cars&trucks@example.com" }]);
  });

  test('a second attempt sends the same bytes', async () => {
    const first = await send(hostile, { placement: 'both' });
    const second = await send(hostile, { placement: 'both' });
    expect(second.raw.equals(first.raw)).toBe(true);
    expect(first.mail.messageId).toBe('<lead_0001@www.lakeviewpreowned.example.com>');
    expect(first.mail.date).toEqual(new Date('2026-04-30T11:05:10Z'));
  });
});
