import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';
import type { EmailDelivery, LeadDocument } from '../../src/adapters/index.ts';
import { isMailAddress } from '../../src/adapters/index.ts';
import { composeMail } from '../../src/leads/delivery/compose-mail.ts';
import { leadWith } from '../adf/documents.ts';
import { shippedAdapter } from './shipped.ts';

/** What ends a header, begins one, or means something inside one, in any mixture with any text. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...['\r\n', '\r', '\n', '\0', '\u0085', '\u2028', '\t', ' ', ',', ';', ':', '<', '>', '"', '\\'],
        ...[
          'Bcc: v@example.com',
          'X-Evil: 1',
          '\r\n\r\n',
          '=?UTF-8?Q?',
          '?=',
          '@',
          '(',
          ')',
          '\uD800',
          'é',
          '漢',
        ],
        ...['{customer}', 'word', '.', '%0d%0a', '\u202E', '😀'],
      ),
      { maxLength: 14 },
    )
    .map((pieces) => pieces.join('')),
  fc.string({ minLength: 900, maxLength: 1100 }),
);

/** Names of all headers, folded lines taken together; throws on what is no header. */
function headerNames(raw: string): string[] {
  const [head = ''] = raw.split('\r\n\r\n');
  return head
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
    .map((line) => {
      const name = /^([A-Za-z-]+): ?[^\r\n]*$/.exec(line)?.[1];
      if (name === undefined) throw new Error(`no header: ${JSON.stringify(line)}`);
      return name.toLowerCase();
    })
    .sort();
}

const ALLOWED = new Set(
  'content-transfer-encoding content-type date from message-id mime-version reply-to subject to'.split(' '),
);

function expectOwnHeadersOnly(raw: Buffer): void {
  // The connection to the mail server makes CRLF of every line end.
  const text = raw.toString('latin1').replaceAll(/\r?\n/g, '\r\n');
  const names = headerNames(text);
  expect(names.filter((name) => !ALLOWED.has(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(text.split('\r\n').filter((line) => /[\r\n]/.test(line) || line.length > 998)).toEqual([]);
}

const { adapter, options } = await shippedAdapter('adf-email', {
  smtp: { host: 'smtp.example.com' },
  from: { name: 'Lakeview', address: 'leads@lakeview.example' },
  to: { default: [{ address: 'store@crm.example' }], new: [{ address: 'new@crm.example' }] },
  placement: 'both',
  subject: '{dealership} {customer} {vehicle} {source} {kind} {lead_id}',
  reply_to_customer: true,
});

const hostileLead: fc.Arbitrary<LeadDocument> = fc
  .record({
    first_name: hostileText,
    last_name: hostileText,
    email: fc.oneof(fc.emailAddress(), hostileText),
    make: hostileText,
    model: hostileText,
    agent: hostileText,
    dealership: hostileText,
    website: hostileText,
    lead_id: hostileText,
    message: hostileText,
    condition: fc.constantFrom('new', 'used'),
  })
  .map(
    ({
      first_name,
      last_name,
      email,
      make,
      model,
      agent,
      dealership,
      website,
      lead_id,
      message,
      condition,
    }) => {
      const lead = leadWith(
        {
          customer: { first_name, last_name, email },
          vehicle_of_interest: { make, model, condition },
          source_agent: { name: agent },
          message,
        },
        { lead_id },
      );
      const profile = { ...lead.rooftop.profile, name: dealership, website };
      return { ...lead, rooftop: { ...lead.rooftop, profile } };
    },
  );

describe('no field of a lead reaches the headers of its mail as more than text', () => {
  test('no header is added, doubled or too long, and the mail goes where the settings say', async () => {
    await fc.assert(
      fc.asyncProperty(hostileLead, async (lead) => {
        const delivery = adapter.build(lead, options) as EmailDelivery;
        const raw = await composeMail(delivery);
        expectOwnHeadersOnly(raw);
        const mail = await simpleParser(raw);
        expect(mail.from!.value).toEqual([{ name: 'Lakeview', address: 'leads@lakeview.example' }]);
        const isNew = lead.request.vehicle_of_interest!.condition === 'new';
        expect([mail.to].flat().flatMap((header) => header!.value)).toEqual([
          { name: '', address: isNew ? 'new@crm.example' : 'store@crm.example' },
        ]);
        expect([mail.cc, mail.bcc]).toEqual([undefined, undefined]);
        const email = lead.request.customer.email!;
        expect(mail.replyTo?.value).toEqual(
          isMailAddress(email) ? [{ name: '', address: email }] : undefined,
        );
        expect(mail.text).toBe(delivery.text);
        expect(mail.attachments.map(({ content }) => content.toString())).toEqual([delivery.text]);
        expect(delivery.text!.match(/<prospect /g)).toHaveLength(1);
      }),
      { numRuns: 150, endOnFailure: true },
    );
  });
});

test('nor does any text that an adapter of somebody else hands over', async () => {
  await fc.assert(
    fc.asyncProperty(
      hostileText,
      hostileText,
      hostileText,
      hostileText,
      hostileText,
      async (name, subject, messageId, filename, contentType) => {
        const raw = await composeMail({
          kind: 'email',
          server: { host: 'smtp.example.com', port: 587, security: 'starttls', timeoutMs: 1000 },
          from: { name, address: 'leads@lakeview.example' },
          to: [{ name, address: 'store@crm.example' }],
          replyTo: { name, address: subject },
          subject,
          text: 'body',
          attachments: [{ filename, contentType, content: 'content' }],
          messageId,
          date: '2026-04-30T11:05:10Z',
        });
        expectOwnHeadersOnly(raw);
        const mail = await simpleParser(raw);
        expect([mail.to].flat().flatMap((header) => header!.value.map(({ address }) => address))).toEqual([
          'store@crm.example',
        ]);
      },
    ),
    { numRuns: 150 },
  );
});
