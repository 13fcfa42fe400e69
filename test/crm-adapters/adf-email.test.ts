import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AttemptOutcome, EmailDelivery, LeadDocument } from '../../src/adapters/index.ts';
import { leadWith } from '../adf/documents.ts';
import { places, shippedAdapter } from './shipped.ts';

const BASE = {
  smtp: { host: 'smtp.example.com' },
  from: { name: 'Lakeview', address: 'leads@lakeview.example' },
  to: [{ address: 'store@crm.example' }],
};

async function mailOf(lead: LeadDocument, changes: object = {}): Promise<EmailDelivery> {
  const { adapter, options, schemaFaults, problems } = await shippedAdapter('adf-email', {
    ...BASE,
    ...changes,
  });
  expect([schemaFaults, problems]).toEqual([[], []]);
  const delivery = adapter.build(lead, options);
  if (delivery.kind !== 'email') throw new Error(delivery.kind);
  return delivery;
}

describe('a mail', () => {
  test('is by default the ADF as its whole text, with fixed id and date', async () => {
    const mail = await mailOf(leadWith());
    expect(mail).toMatchObject({
      server: { host: 'smtp.example.com', port: 587, security: 'starttls', timeoutMs: 60_000 },
      from: { name: 'Lakeview', address: 'leads@lakeview.example' },
      to: [{ name: '', address: 'store@crm.example' }],
      subject: 'New lead for Lakeview Pre-Owned',
      attachments: [],
      messageId: 'lead_0001@www.lakeviewpreowned.example.com',
      date: '2026-04-30T11:05:10Z',
    });
    expect(mail.text).toMatch(/^<\?xml [\s\S]*<\/adf>\n$/);
    expect(mail.replyTo).toBeUndefined();
  });

  test('has the same Message-ID on a retry and from another destination', async () => {
    const other = await mailOf(leadWith({}, { resend: true }), {
      from: { address: 'else@other.example' },
      to: [{ address: 'b@c.example' }],
    });
    expect(other.messageId).toBe((await mailOf(leadWith())).messageId);
    expect(other.text).toContain('<prospect status="resend">');
  });

  test('of a dealership without a website has a Message-ID all the same', async () => {
    const lead = leadWith();
    const { website: _, ...profile } = lead.rooftop.profile;
    const bare = { ...lead, lead_id: 'lead <1>\r\n', rooftop: { ...lead.rooftop, profile } };
    expect((await mailOf(bare)).messageId).toBe('lead--1---@dealer-bridge.invalid');
  });

  test('carries the ADF where the CRM wants it', async () => {
    const body = await mailOf(leadWith());
    const attached = await mailOf(leadWith(), { placement: 'attachment', attachment: { name: 'adf.xml' } });
    expect(attached.text).toBe('New lead for Lakeview Pre-Owned: see the attached file adf.xml.\n');
    expect(attached.attachments).toEqual([
      { filename: 'adf.xml', contentType: 'application/xml', content: body.text },
    ]);
    const both = await mailOf(leadWith(), { placement: 'both' });
    expect([both.text, both.attachments[0]?.content]).toEqual([body.text, body.text]);
  });

  test('has a subject of one line, whatever the fields hold', async () => {
    const lead = leadWith({
      customer: {
        first_name: 'Eve\r\nBcc: v@example.com',
        last_name: 'Ł\u2028\u0000\uD800',
        phone: '+12075550142',
      },
      vehicle_of_interest: { year: 2024, make: 'Honda', model: '{lead_id}' },
      source_agent: { name: 'agent\n' },
    });
    const subject = '{customer} | {vehicle} | {source} | {kind} | {dealership} | {lead_id}';
    expect((await mailOf(lead, { subject })).subject).toBe(
      'Eve Bcc: v@example.com Ł \uFFFD | 2024 Honda {lead_id} | agent | vehicle inquiry | Lakeview Pre-Owned | lead_0001',
    );
    const long = leadWith({ source_agent: { name: '😀'.repeat(1000) } });
    expect((await mailOf(long, { subject: 'x{source}' })).subject).toBe(`x${'😀'.repeat(99)}`);
  });
});

describe('the customer as reply address', () => {
  const replyTo = async (email: string, allowed: ('email' | 'phone')[] = ['email']) => {
    const { consent } = leadWith().request;
    const customer = { first_name: 'A', last_name: 'B', email, phone: '+12075550142' };
    const lead = leadWith({ customer, consent: { ...consent, allowed_channels: allowed } });
    return (await mailOf(lead, { reply_to_customer: true })).replyTo;
  };

  test('a plain address', async () => {
    expect(await replyTo("o'brien+cars&trucks@example.com")).toEqual({
      name: '',
      address: "o'brien+cars&trucks@example.com",
    });
  });

  test('not when the customer does not allow e-mail', async () => {
    expect(await replyTo('ann@example.com', ['phone'])).toBeUndefined();
  });

  test.each([
    'a@b.example, c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    '"a b"@example.com',
    'Ann <ann@example.com>',
    'ann@[127.0.0.1]',
    'jörg@example.com',
    'ann@example..com',
    '@example.com',
    `${'a'.repeat(65)}@example.com`,
  ])('not %j', async (email) => {
    expect(await replyTo(email)).toBeUndefined();
  });
});

describe('settings', () => {
  const checked = async (changes: object) => shippedAdapter('adf-email', { ...BASE, ...changes });

  test('each address must be one', async () => {
    const { problems } = await checked({
      from: { address: 'leads@lakeview.example, boss@lakeview.example' },
      to: [{ address: 'store@crm.example' }, { address: 'a@b.example;c@d.example' }],
    });
    expect(places(problems)).toEqual(['from.address', 'to[1].address']);
  });

  test('a text in place of the address list is refused', async () => {
    expect((await checked({ to: 'a@b.example,c@d.example' })).schemaFaults).toHaveLength(1);
    expect((await checked({ to: [] })).schemaFaults).toHaveLength(1);
  });

  test('a misspelt place in the subject is told', async () => {
    expect(places((await checked({ subject: '{dealer} {lead_id}' })).problems)).toEqual(['subject']);
  });

  test('user and password come together, and not in plain over the network', async () => {
    const smtp = (options: object) => checked({ smtp: { host: 'smtp.example.com', ...options } });
    expect(places((await smtp({ user: 'u' })).problems)).toEqual(['smtp.password']);
    expect(places((await smtp({ password: 'p' })).problems)).toEqual(['smtp.user']);
    expect(places((await smtp({ user: 'u', password: 'p', security: 'none' })).problems)).toEqual([
      'smtp.security',
    ]);
    expect((await smtp({ user: 'u', password: 'p', security: 'none', host: '127.0.0.1' })).problems).toEqual(
      [],
    );
  });
});

describe('login by access token', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const smtp = (oauth2: object, more: object = {}) => ({
    smtp: { host: 'smtp.example.com', user: 'leads@lakeview.example', oauth2, ...more },
  });
  const tokenOf = async (oauth2: object) => (await mailOf(leadWith(), smtp(oauth2))).server.token;

  test('at Microsoft as an application of the tenant', async () => {
    const microsoft = {
      provider: 'microsoft',
      tenant: 'lakeview.example',
      client_id: 'app',
      client_secret: 's3cret',
    };
    expect(await tokenOf(microsoft)).toEqual({
      url: 'https://login.microsoftonline.com/lakeview.example/oauth2/v2.0/token',
      form: {
        grant_type: 'client_credentials',
        client_id: 'app',
        client_secret: 's3cret',
        scope: 'https://outlook.office365.com/.default',
      },
      timeoutMs: 60_000,
    });
  });

  test('at Google by refresh token, or as a service account in the name of the mailbox', async () => {
    const google = { provider: 'google', client_id: 'app', client_secret: 's3cret', refresh_token: 'r' };
    expect(await tokenOf(google)).toMatchObject({
      url: 'https://oauth2.googleapis.com/token',
      form: { grant_type: 'refresh_token', client_id: 'app', client_secret: 's3cret', refresh_token: 'r' },
    });
    const file = { client_email: 'bridge@p.example', private_key: key, private_key_id: 'k7' };
    expect(await tokenOf({ provider: 'google', service_account: JSON.stringify(file) })).toMatchObject({
      form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' },
      assertion: {
        claims: {
          iss: 'bridge@p.example',
          sub: 'leads@lakeview.example',
          scope: 'https://mail.google.com/',
          aud: 'https://oauth2.googleapis.com/token',
        },
        privateKey: key,
        keyId: 'k7',
      },
    });
  });

  test.each([
    [
      { provider: 'microsoft' },
      {},
      ['smtp.oauth2.tenant', 'smtp.oauth2.client_id', 'smtp.oauth2.client_secret'],
    ],
    [{ provider: 'google', client_id: 'a', client_secret: 'b' }, {}, ['smtp.oauth2.refresh_token']],
    [{ provider: 'google', service_account: '{}' }, {}, ['smtp.oauth2.service_account']],
    [
      {
        provider: 'google',
        client_id: 'a',
        client_secret: 'b',
        refresh_token: 'c',
        token_url: 'http://x.example',
      },
      {},
      ['smtp.oauth2.token_url'],
    ],
    [
      { provider: 'google', client_id: 'a', client_secret: 'b', refresh_token: 'c' },
      { password: 'p' },
      ['smtp.password'],
    ],
    [
      { provider: 'google', client_id: 'a', client_secret: 'b', refresh_token: 'c' },
      { security: 'none' },
      ['smtp.security'],
    ],
  ])('%j with %j is told', async (oauth2, more, expected) => {
    const { schemaFaults, problems } = await shippedAdapter('adf-email', { ...BASE, ...smtp(oauth2, more) });
    expect([schemaFaults, places(problems)]).toEqual([[], expected]);
  });

  test('DKIM needs an RSA key', async () => {
    const dkim = { domain: 'lakeview.example', selector: 's1', key };
    expect((await mailOf(leadWith(), { dkim })).dkim).toEqual({
      domain: 'lakeview.example',
      selector: 's1',
      privateKey: key,
    });
    const { problems } = await shippedAdapter('adf-email', {
      ...BASE,
      dkim: { ...dkim, key: 'secret words' },
    });
    expect(places(problems)).toEqual(['dkim.key']);
    expect(JSON.stringify(problems)).not.toContain('secret words');
  });
});

describe('what an answer means', async () => {
  const { adapter, options } = await shippedAdapter('adf-email', BASE);
  const judge = (outcome: Partial<Extract<AttemptOutcome, { kind: 'email' }>>) =>
    adapter.classify({ kind: 'email', sent: 'no', stage: 'envelope', ...outcome }, options);

  test.each([
    [{ sent: 'yes', stage: 'done', code: 250 }, 'delivered', false],
    [{ sent: 'yes', stage: 'done' }, 'delivered', false],
    [{ sent: 'yes', stage: 'done', code: 221, response: '221 bye' }, 'uncertain', false],
    [{ stage: 'connect', code: 221, response: '221 bye' }, 'retry', false],
    [{ code: 421, stage: 'connect' }, 'retry', false],
    [{ code: 451 }, 'retry', false],
    [{ sent: 'yes', code: 452, stage: 'data' }, 'retry', false],
    [{ code: 454, stage: 'auth' }, 'retry', false],
    [{ code: 550, response: '550 5.1.1 No such user' }, 'retry', true],
    [{ code: 553, response: '553 5.1.8 sender unknown' }, 'retry', true],
    [{ code: 550, response: '550 5.3.4 message too big' }, 'rejected', false],
    [
      { sent: 'yes', code: 550, stage: 'data', response: '550 5.7.60 may not send as this sender' },
      'retry',
      true,
    ],
    [{ sent: 'yes', code: 550, stage: 'data', response: '550-5.7.26 unauthenticated' }, 'retry', true],
    [{ sent: 'yes', code: 550, stage: 'data', response: '550 5.7.1 content refused' }, 'rejected', false],
    [{ stage: 'token', error: 'no access token', needsPerson: true }, 'retry', true],
    [{ stage: 'token', error: 'no access token' }, 'retry', false],
    [{ stage: 'tls', error: 'self-signed certificate', needsPerson: true }, 'retry', true],
    [{ sent: 'yes', code: 554, stage: 'data', response: '554 5.7.1 spam' }, 'rejected', false],
    [{ code: 552 }, 'retry', true],
    [{ code: 552, response: '552 5.3.4 Message size exceeds fixed limit' }, 'rejected', false],
    [{ code: 552, response: '552 Message size exceeds maximum permitted' }, 'rejected', false],
    [{ code: 552, response: '552 5.2.2 mailbox size limit exceeded' }, 'retry', true],
    [{ code: 530 }, 'retry', true],
    [{ code: 534, stage: 'auth' }, 'retry', true],
    [{ code: 535, stage: 'auth' }, 'retry', true],
    [{ stage: 'auth', error: 'no such mechanism' }, 'retry', true],
    [{ code: 550, response: '550 5.7.60 client may not send as this sender' }, 'retry', true],
    [{ code: 550, response: '550 authentication required' }, 'retry', true],
    [{ code: 554, stage: 'connect' }, 'retry', true],
    [{ stage: 'connect', error: 'ECONNREFUSED' }, 'retry', false],
    [{ stage: 'tls', error: 'certificate has expired' }, 'retry', false],
    [{ sent: 'maybe', stage: 'data', error: 'timeout' }, 'uncertain', false],
  ] as const)('%j', (outcome, state, pause) => {
    const verdict = judge(outcome);
    expect([verdict.state, verdict.pauseDestination ?? false]).toEqual([state, pause]);
    expect(verdict.reason).not.toBe('');
  });

  test.each([
    '550 5.7.1 Message rejected due to SPF policy',
    '550 5.7.0 DKIM verification failed',
    '554 Rejected by the DMARC policy of dealer.example',
    '550 SPF check failed, spf=fail',
    '554 5.7.1 You are not authorized to send from this address',
    '554 5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException',
    '554 5.2.252 SendAsDenied; bridge@dealer.example not allowed to send as leads@dealer.example',
    '550 5.7.1 Unable to relay',
    '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org',
    '550 5.1.8 Access denied, bad outbound sender',
    '550 5.1.1 User unknown',
    '550 5.4.5 Daily sending quota exceeded',
    '552 5.2.2 The mailbox is full',
    '552 Requested mail action aborted: exceeded storage allocation',
    '550 Mailbox of the recipient is full',
    '554 5.3.1 The disk is full',
    '550 5.2.1 Mailbox disabled',
  ])('after the content, what is the same for every lead waits and pauses: %s', (response) => {
    const code = Number.parseInt(response, 10);
    expect(judge({ sent: 'yes', stage: 'data', code, response })).toMatchObject({
      state: 'retry',
      pauseDestination: true,
    });
  });

  test.each([
    '550 5.7.1 Message content rejected',
    '554 5.7.1 Spam score 12: SPF_PASS DKIM_VALID, spf=pass dkim=pass DMARC: none',
    '552 5.7.0 This message was blocked because its content presents a potential security issue',
    '552 5.3.4 Message too big for system',
    '552 Message size exceeds the limit',
    '550 5.6.0 Lone CR or LF in body',
    '554 Transaction failed',
  ])('after the content, what is about this mail rejects it: %s', (response) => {
    const code = Number.parseInt(response, 10);
    const verdict = judge({ sent: 'yes', stage: 'data', code, response });
    expect(verdict).toEqual({ state: 'rejected', reason: `the mail server refused the mail: ${response}` });
  });

  test.each([
    [{ stage: 'envelope', code: 550 }, /^the mail server refuses the sender or a recipient: /],
    [{ stage: 'envelope', code: 530 }, /^the mail server does not let us send: /],
    [{ stage: 'auth', code: 535 }, /^the mail server does not let us send: /],
    [{ stage: 'connect', code: 554 }, /^the mail server does not let us send: /],
    [{ stage: 'envelope', code: 552 }, /^the mailbox that gets the leads has no room, or is out of use: /],
  ] as const)('what refuses all leads is told by where it stands: %j', (outcome, reason) => {
    const verdict = judge({ ...outcome, response: `${outcome.code} no` });
    expect(verdict).toMatchObject({ state: 'retry', pauseDestination: true });
    expect(verdict.reason).toMatch(reason);
  });

  test('no address gets into the reason, and it stays short', () => {
    const { reason } = judge({ code: 550, response: `550 <ann@example.com>: unknown ${'x'.repeat(5000)}` });
    expect(reason).toMatch(
      /^the mail server refuses the sender or a recipient: 550 <\(address\)>: unknown x+$/,
    );
    expect(reason.length).toBeLessThan(400);
  });
});
