import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import type { CrmAdapter, Delivery, Verdict } from '../../src/adapters/crm-adapter.ts';
import { attemptDelivery } from '../../src/leads/attempt.ts';
import { secretWords, withoutSecretWords } from '../../src/leads/delivery/secret-words.ts';
import { toLeadDocument } from '../../src/leads/document.ts';
import { startHttp, startSmtp, startSocket, startTokenServer } from './crm-servers.ts';
import { destination, HARBOR, leadRequest, NOON, smtpServerAt, temporaryFolder } from './lead-harness.ts';

const LEAD = toLeadDocument(
  { lead_id: 'lead_1', received_at: NOON, rooftop_id: HARBOR.id, request: leadRequest() },
  HARBOR,
  false,
);

/** An adapter that tells everything it hears, which none should do. */
function gossip(delivery: Delivery): CrmAdapter {
  return {
    check: () => [],
    build: () => delivery,
    classify: (outcome): Verdict => {
      const said = JSON.stringify(outcome);
      return { state: 'retry', reason: said.slice(0, 1000), reference: said.slice(0, 190) };
    },
  };
}

async function told(delivery: Delivery, secrets: string[] = []): Promise<string> {
  const to = destination('crm', gossip(delivery), { secrets });
  const { verdict } = await attemptDelivery(LEAD, to, temporaryFolder());
  return JSON.stringify(verdict);
}

const HTTP = { kind: 'http', method: 'POST', headers: {}, body: '<adf/>', timeoutMs: 10_000 } as const;

it('tells nothing of what a CRM quotes back: login, header, query, token, signature and proxy secrets', async () => {
  const { url } = await startHttp((request, response) => {
    const { authorization = '', 'x-api-key': key = '' } = request.headers;
    response.end(`q ${request.url} a ${authorization} k ${String(key)}`);
  });
  const basic = Buffer.from('dealer:basic-secret-1').toString('base64');
  const said = await told({
    ...HTTP,
    url: `${url}/l?token=query-secret%261`,
    headers: { Authorization: `Basic ${basic}`, 'X-Api-Key': 'header-secret-1' },
  });
  expect(said).toContain('[secret]');
  for (const secret of ['query-secret', basic, 'basic-secret-1', 'header-secret-1'])
    expect(said).not.toContain(secret);
});

it('tells the id of the lead, as which the CRM knows it, though it travels as a key', async () => {
  const { url } = await startHttp((request, response) =>
    response.end(
      `CRM-${String(request.headers['idempotency-key'])} for ${String(request.headers['x-api-key'])}`,
    ),
  );
  const headers = { 'Idempotency-Key': LEAD.lead_id, 'X-Api-Key': 'header-secret-1' };
  const said = await told({ ...HTTP, url: `${url}/l?external_id=${LEAD.lead_id}`, headers });
  expect(said).toContain(`CRM-${LEAD.lead_id} for [secret]`);
});

it('tells no access token and no client secret, whoever quotes them', async () => {
  const tokens = await startTokenServer((number) =>
    number === 1
      ? { status: 200, body: { access_token: 'fetched-token-1', expires_in: 3600 } }
      : {
          status: 400,
          body: { error: 'invalid_client', error_description: 'no: client-secret-1, refresh-secret-1' },
        },
  );
  const crm = await startHttp((request, response) =>
    response.end(`you sent ${String(request.headers.authorization)}`),
  );
  const form = { client_secret: 'client-secret-1', refresh_token: 'refresh-secret-1' };
  const token = { url: tokens.url, form, timeoutMs: 10_000 };
  const taken = await told({ ...HTTP, url: crm.url, token });
  expect(taken).toContain('you sent');
  expect(taken).not.toContain('fetched-token-1');
  const refused = await told({
    ...HTTP,
    url: crm.url,
    token: { ...token, form: { ...form, scope: 'other' } },
  });
  expect(refused).toContain('invalid_client');
  for (const secret of Object.values(form)) expect(refused).not.toContain(secret);
});

it('tells no mail password that the server quotes, as it is or encoded', async () => {
  const port = await startSocket((socket) => {
    socket.write('220 crm\r\n');
    socket.on('data', (chunk) => {
      const line = chunk.toString().trim();
      if (line.startsWith('EHLO')) socket.write('250-crm\r\n250 AUTH PLAIN\r\n');
      else socket.write(`535 I do not know ${line.split(' ')[2] ?? ''} or mail-secret-1\r\n`);
    });
  });
  const said = await told({
    kind: 'email',
    server: smtpServerAt(port, { user: 'leads', password: 'mail-secret-1' }),
    from: { name: '', address: 'a@dealer.example' },
    to: [{ name: '', address: 'b@crm.example' }],
    subject: 'Lead',
    text: 'x',
    attachments: [],
    messageId: 'lead_1@dealer.example',
    date: '2026-11-30T12:00:00Z',
  });
  expect(said).toContain('535');
  expect(said).not.toContain('mail-secret-1');
  expect(said).not.toContain(Buffer.from('\0leads\0mail-secret-1').toString('base64'));
});

it('tells nothing that stood as a reference in the settings, also when an adapter hides it in the body', async () => {
  const { url } = await startHttp((request, response) => response.end(`you wrote ${request.body}`));
  const said = await told({ ...HTTP, url, body: '{"key":"configured-secret/1"}' }, ['configured-secret/1']);
  expect(said).toContain('you wrote');
  expect(said).not.toContain('configured-secret');
});

it('tells no line of a private key that cannot be used', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const broken = pem.replace('-----END', 'x-----END');
  const assertion = { claims: {}, privateKey: broken };
  const token = { url: 'http://127.0.0.1:1/', form: {}, assertion, timeoutMs: 1000 };
  const said = await told({ ...HTTP, url: 'http://127.0.0.1:1/', token });
  expect(said).toContain('cannot be used');
  expect(said).not.toContain(pem.split('\n')[1]);
});

it('leaves short words alone and tells what is no secret', async () => {
  const { port } = await startSmtp();
  const server = smtpServerAt(port);
  const mail: Delivery = {
    kind: 'email',
    server,
    from: { name: '', address: 'a@b.example' },
    to: [],
    subject: '',
    attachments: [],
    messageId: 'a@b',
    date: '2026-11-30T12:00:00Z',
  };
  expect(await told(mail, ['no'])).toContain('no usable mail');
});

it.each([
  ['percent, small letters', 'k=p%40ss%2fword-1%c3%a9'],
  ['percent of every letter', '%70%40%73%73%2F%77%6F%72%64%2D%31%C3%A9'],
  ['percent twice', 'k=p%2540ss%252Fword-1%25C3%25A9'],
  ['entities', 'k=p&#64;ss&#x2F;word-1&eacute;'],
  ['quoted-printable', 'k=p=40ss/word-1=C3=A9'],
  ['escapes of JSON', '"p@ss/word-1\\u00e9"'],
  ['base64 with more beside it', Buffer.from('user:p@ss/word-1é and more').toString('base64')],
])('takes a secret out of %s', (_form, text) => {
  const clean = withoutSecretWords(text, secretWords(undefined, ['p@ss/word-1é'], 'lead_1'));
  expect(clean).toContain('[secret]');
  expect(clean).not.toMatch(/word|%77|%6F/i);
});
