import { createHmac, generateKeyPairSync, verify } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HttpDelivery, TokenRequest } from '../../src/adapters/crm-adapter.ts';
import { attemptDelivery } from '../../src/leads/attempt.ts';
import { deliverHttp } from '../../src/leads/delivery/http.ts';
import { toLeadDocument } from '../../src/leads/document.ts';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '../feeds-sources/loopback-certificate.ts';
import {
  closedPort,
  startHttp,
  startHttps,
  startProxy,
  startSocket,
  startTokenServer,
} from './crm-servers.ts';
import { destination, HARBOR, httpCrm, leadRequest, NOON, temporaryFolder } from './lead-harness.ts';

function post(url: string, changes: Partial<HttpDelivery> = {}): HttpDelivery {
  return {
    kind: 'http',
    method: 'POST',
    url,
    headers: { 'content-type': 'application/xml' },
    body: '<adf>é</adf>',
    timeoutMs: 10_000,
    ...changes,
  };
}

it('posts the exact bytes and brings back status, headers and body', async () => {
  const { url, received } = await startHttp((_request, response) => {
    response.setHeader('x-lead', 'crm-7');
    response.end('{"ok":true}');
  });
  const outcome = await deliverHttp(post(`${url}/leads?token=t`));
  expect(outcome).toMatchObject({ sent: 'yes', status: 200, body: '{"ok":true}' });
  expect(outcome.headers?.['x-lead']).toBe('crm-7');
  expect(received[0]).toMatchObject({ method: 'POST', url: '/leads?token=t', body: '<adf>é</adf>' });
  expect(received[0]?.headers['content-length']).toBe('13');
});

it('uses a fresh connection for each attempt', async () => {
  const ports: (number | undefined)[] = [];
  const { url } = await startHttp((_request, response) => {
    ports.push(response.socket?.remotePort);
    response.end();
  });
  await deliverHttp(post(url));
  await deliverHttp(post(url));
  expect(new Set(ports).size).toBe(2);
});

it('follows no redirect', async () => {
  const { url, received } = await startHttp((_request, response) => {
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await deliverHttp(post(url))).toMatchObject({ sent: 'yes', status: 307 });
  expect(received).toHaveLength(1);
});

it('keeps 64 KB of an answer that has no end', async () => {
  const { url } = await startHttp((_request, response) => {
    const more = () => {
      while (response.writable && response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  });
  const outcome = await deliverHttp(post(url));
  expect(outcome).toMatchObject({ sent: 'yes', status: 200 });
  expect(outcome.body).toHaveLength(65_536);
});

it('keeps the status when the body breaks off', async () => {
  const { url } = await startHttp((_request, response) => {
    response.writeHead(201, { 'content-length': '1000' });
    response.write('half', () => response.destroy());
  });
  expect(await deliverHttp(post(url))).toMatchObject({ sent: 'yes', status: 201, body: 'half' });
});

it('tells that an answer that drips for ever was not read to its end', async () => {
  const { url } = await startHttp((_request, response) => {
    response.write('{"ok":');
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  });
  const outcome = await deliverHttp(post(url, { timeoutMs: 300 }));
  expect(outcome).toMatchObject({ sent: 'yes', status: 200 });
  expect(outcome.body).toMatch(/^\{"ok": *$/);
  expect(outcome.error).toMatch(/^the answer broke off: /);
});

it('asks for an answer as it is, unless the settings ask for something else', async () => {
  const { url, received } = await startHttp((_request, response) => response.end());
  await deliverHttp(post(url));
  await deliverHttp(post(url, { headers: { 'accept-Encoding': 'gzip' } }));
  expect(received.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity', 'gzip']);
});

const SAID = '{"parseOk":true,"note":"é"}';
it.each<[string, Buffer, string | undefined]>([
  ['gzip', gzipSync(SAID), 'gzip'],
  ['its old name', gzipSync(SAID), 'X-Gzip'],
  ['deflate', deflateSync(SAID), 'deflate'],
  ['deflate without its frame', deflateRawSync(SAID), 'deflate'],
  ['br', brotliCompressSync(SAID), 'br'],
  ['two codings', gzipSync(deflateSync(SAID)), 'deflate, gzip'],
  ['the coding that is none', Buffer.from(SAID), 'identity'],
  ['a byte order mark', Buffer.from(`\uFEFF${SAID}`), undefined],
  ['a byte order mark inside gzip', gzipSync(`\uFEFF${SAID}`), 'gzip'],
  ['a coding that it has not', Buffer.from(SAID), 'gzip'],
  ['a coding that nobody knows, and which it has not', Buffer.from(SAID), 'x-own'],
])('reads an answer with %s', async (_, body, coding) => {
  const { url } = await startHttp((_request, response) => {
    if (coding !== undefined) response.setHeader('content-encoding', coding);
    response.end(body);
  });
  const outcome = await deliverHttp(post(url));
  expect(outcome).toMatchObject({ sent: 'yes', status: 200, body: SAID });
  expect(outcome.error).toBeUndefined();
});

it.each<[string, Buffer, string]>([
  ['a coding that nobody knows', gzipSync(SAID), 'x-own'],
  ['another coding', gzipSync(SAID), 'br'],
  ['an end that is missing', gzipSync(SAID).subarray(0, -12), 'gzip'],
  ['codings without end', gzipSync(SAID), 'gzip, gzip, gzip, gzip'],
])('says that an answer with %s cannot be decoded, and keeps its status', async (_, body, coding) => {
  const { url } = await startHttp((_request, response) =>
    response.writeHead(200, { 'content-encoding': coding }).end(body),
  );
  const outcome = await deliverHttp(post(url));
  expect(outcome).toMatchObject({ sent: 'yes', status: 200, body: '' });
  expect(outcome.error).toMatch(/^the answer cannot be decoded \(/);
});

it('reads of a coded answer as much as of any other, however much there is in it', async () => {
  const words = `taken ${' '.repeat(50_000_000)}`;
  const { url } = await startHttp((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(words)),
  );
  const outcome = await deliverHttp(post(url));
  expect(outcome).toMatchObject({ sent: 'yes', status: 200, body: words.slice(0, 64 * 1024) });
  expect(outcome.error).toBeUndefined();
});

it('takes a coding without a body for no answer at all, and no fault', async () => {
  const { url } = await startHttp((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(),
  );
  expect(await deliverHttp(post(url))).not.toHaveProperty('error');
});

it('reads of a coded answer that breaks off what has come', async () => {
  const words = 'taken '.repeat(20_000);
  const { url } = await startHttp((_request, response) => {
    const coded = gzipSync(words, { level: 0 });
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': coded.length });
    response.write(coded.subarray(0, 40_000), () => response.destroy());
  });
  const outcome = await deliverHttp(post(url));
  expect(outcome.error).toMatch(/^the answer broke off: /);
  expect(words.startsWith(outcome.body?.slice(0, 1000) ?? '-')).toBe(true);
  expect(outcome.body?.length).toBeGreaterThan(1000);
});

it('knows that a server that is not there has nothing', async () => {
  const outcome = await deliverHttp(post(`http://127.0.0.1:${await closedPort()}`));
  expect(outcome).toMatchObject({ sent: 'no' });
  expect(outcome.error).toContain('ECONNREFUSED');
});

it('cannot know what became of a lead that was never answered', async () => {
  const silent = await startHttp(() => undefined);
  expect(await deliverHttp(post(silent.url, { timeoutMs: 300 }))).toMatchObject({
    sent: 'maybe',
    error: 'no answer within 300 ms',
  });
  const hangsUp = await startHttp((_request, response) => response.destroy());
  expect(await deliverHttp(post(hangsUp.url))).toMatchObject({ sent: 'maybe' });
});

it('leaves an answer that drips for ever', async () => {
  const port = await startSocket((socket) => {
    const drip = setInterval(() => socket.write('H'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  const outcome = await deliverHttp(post(`http://127.0.0.1:${port}`, { timeoutMs: 300 }));
  expect(outcome.sent).toBe('maybe');
});

it('turns settings that make no request into an outcome', async () => {
  expect(await deliverHttp(post('not a url'))).toMatchObject({ sent: 'no' });
  expect(await deliverHttp(post('http://127.0.0.1:1', { headers: { 'x-a': 'b\r\nc: d' } }))).toMatchObject({
    sent: 'no',
  });
});

const LOGIN = (url: string, changes: Partial<TokenRequest> = {}): TokenRequest => ({
  url,
  form: { grant_type: 'client_credentials', client_id: 'dealer', client_secret: 's3cret+&=' },
  timeoutMs: 10_000,
  ...changes,
});

it('fetches a token once, sends it with each lead, and one fresh one when it is refused', async () => {
  const tokens = await startTokenServer();
  const crm = await startHttp((request, response) => {
    // The CRM takes each token for two requests.
    const isSpent =
      crm.received.filter(({ headers }) => headers.authorization === request.headers.authorization).length >
      2;
    response.writeHead(isSpent ? 401 : 200).end();
  });
  const delivery = post(crm.url, { token: LOGIN(tokens.url) });
  for (let number = 0; number < 3; number += 1) {
    expect(await deliverHttp(delivery)).toMatchObject({ sent: 'yes', status: 200 });
  }
  expect(crm.received.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer token-1',
    'Bearer token-1',
    'Bearer token-1',
    'Bearer token-2',
  ]);
  expect(tokens.forms()).toEqual(
    Array(2).fill({ grant_type: 'client_credentials', client_id: 'dealer', client_secret: 's3cret+&=' }),
  );
});

it('asks no third time when a fresh token is refused, too', async () => {
  const tokens = await startTokenServer();
  const crm = await startHttp((_request, response) => response.writeHead(401).end());
  expect(await deliverHttp(post(crm.url, { token: LOGIN(tokens.url) }))).toMatchObject({
    sent: 'yes',
    status: 401,
  });
  expect(crm.received).toHaveLength(1);
  expect(await deliverHttp(post(crm.url, { token: LOGIN(tokens.url) }))).toMatchObject({ status: 401 });
  expect([crm.received.length, tokens.received.length]).toEqual([2, 2]);
});

it('asks one token for two leads at the same instant', async () => {
  const tokens = await startTokenServer();
  const crm = await startHttp((_request, response) => response.end());
  const delivery = post(crm.url, { token: LOGIN(tokens.url) });
  await Promise.all([deliverHttp(delivery), deliverHttp(delivery)]);
  expect(tokens.received).toHaveLength(1);
});

it('sends the client as a Basic login, form-encoded', async () => {
  const tokens = await startTokenServer();
  const crm = await startHttp((_request, response) => response.end());
  const basic = { user: 'a b', password: 'p:ä' };
  await deliverHttp(
    post(crm.url, { token: LOGIN(tokens.url, { form: { grant_type: 'client_credentials' }, basic }) }),
  );
  const [, sent = ''] = tokens.received[0]!.headers.authorization!.split(' ');
  expect(Buffer.from(sent, 'base64').toString()).toBe('a+b:p%3A%C3%A4');
});

it('signs a token request with the key of the service account', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const tokens = await startTokenServer();
  const crm = await startHttp((_request, response) => response.end());
  const assertion = {
    claims: { iss: 'bridge@project.example', aud: tokens.url },
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    keyId: 'key-7',
  };
  await deliverHttp(post(crm.url, { token: LOGIN(tokens.url, { form: { grant_type: 'jwt' }, assertion }) }));
  const [head, claims, signature] = tokens.forms()[0]!.assertion!.split('.') as [string, string, string];
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, number>;
  expect(read(head)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-7' });
  const { iat = 0, exp = 0, ...own } = read(claims);
  expect(own).toEqual(assertion.claims);
  expect(exp - iat).toBe(3600);
  expect(Math.abs(iat * 1000 - Date.now())).toBeLessThan(120_000);
  expect(
    verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url')),
  ).toBe(true);
});

it.each([
  [
    { status: 400, body: { error: 'invalid_grant', error_description: 'AADSTS700082: expired\r\n' } },
    true,
    'answered 400 invalid_grant: AADSTS700082: expired',
  ],
  [{ status: 401, body: { error: 'invalid_client' } }, true, 'answered 401 invalid_client'],
  [{ status: 404, body: 'nothing here' }, true, 'answered 404'],
  [{ status: 302, body: {} }, true, 'answered 302'],
  [{ status: 200, body: { token_type: 'Bearer' } }, true, 'answered 200 without one'],
  [{ status: 200, body: { access_token: 'a\r\nX-Evil: 1' } }, true, 'answered 200 without one'],
  [{ status: 429, body: {} }, false, 'answered 429'],
  [{ status: 503, body: {} }, false, 'answered 503'],
  [
    { status: 400, body: { error: 'temporarily_unavailable' } },
    false,
    'answered 400 temporarily_unavailable',
  ],
])('without a token nothing is sent: %j', async (answer, needsPerson, words) => {
  const tokens = await startTokenServer(() => answer);
  const crm = await startHttp((_request, response) => response.end());
  const outcome = await deliverHttp(post(crm.url, { token: LOGIN(tokens.url) }));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'token' });
  expect(outcome.needsPerson ?? false).toBe(needsPerson);
  expect(outcome.error?.trim().endsWith(words)).toBe(true);
  expect(crm.received).toEqual([]);
});

it('waits for a token server that is away', async () => {
  const token = LOGIN(`http://127.0.0.1:${await closedPort()}/token`);
  const outcome = await deliverHttp(post('http://127.0.0.1:1/', { token }));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'token' });
  expect(outcome.needsPerson).toBeUndefined();
});

it('waits as long as a token server asks for, and reads its answer in any coding', async () => {
  const tokens = await startHttp((_request, response, number) =>
    number === 1
      ? response.writeHead(429, { 'retry-after': '60' }).end()
      : response
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync('\uFEFF{"access_token":"coded-token"}')),
  );
  const { url, received } = await startHttp((_request, response) => response.end('taken'));
  const delivery = post(url, { token: LOGIN(`${tokens.url}/token`) });
  const { crm } = destination('http', httpCrm(url));
  const tried = destination('http', { ...crm, build: () => delivery });
  const lead = toLeadDocument(
    { lead_id: 'lead_1', received_at: NOON, rooftop_id: HARBOR.id, request: leadRequest() },
    HARBOR,
    false,
  );
  const waits = await attemptDelivery(lead, tried, temporaryFolder());
  expect(waits).toMatchObject({ stage: 'token', verdict: { state: 'retry', retryAfterMs: 60_000 } });
  expect((await attemptDelivery(lead, tried, temporaryFolder())).verdict.state).toBe('delivered');
  expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer coded-token']);
});

it('waits for a token server whose answer broke off', async () => {
  const tokens = await startHttp((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"access_to', () => response.destroy());
  });
  const outcome = await deliverHttp(post('http://127.0.0.1:1/', { token: LOGIN(`${tokens.url}/token`) }));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'token' });
  expect(outcome.error).toContain('could not be read: the answer broke off');
  expect(outcome.needsPerson).toBeUndefined();
});

it('signs the bytes that are sent', async () => {
  const { url, received } = await startHttp((_request, response) => response.end());
  const signature = { header: 'x-signature', secret: 'k', encoding: 'base64', prefix: 'sha256=' } as const;
  await deliverHttp(post(url, { signature }));
  const expected = createHmac('sha256', 'k').update(Buffer.from('<adf>é</adf>')).digest('base64');
  expect(received[0]!.headers['x-signature']).toBe(`sha256=${expected}`);
});

it.each([
  ['seconds', /^\d{10}$/],
  ['milliseconds', /^\d{13}$/],
  ['rfc3339', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
] as const)('signs the time of sending in %s with the bytes', async (format, form) => {
  const { url, received } = await startHttp((_request, response) => response.end());
  const timestamp = { header: 'x-time', format, separator: '.' };
  await deliverHttp(
    post(url, { signature: { header: 'x-sig', secret: 'k', encoding: 'hex', prefix: '', timestamp } }),
  );
  const { 'x-time': time, 'x-sig': signature } = received[0]!.headers as Record<string, string>;
  expect(time).toMatch(form);
  expect(signature).toBe(createHmac('sha256', 'k').update(`${time}.<adf>é</adf>`).digest('hex'));
});

it('trusts a private authority only when the settings name it', async () => {
  const { url, received } = await startHttps();
  expect(await deliverHttp(post(url))).toMatchObject({ sent: 'no', stage: 'tls', needsPerson: true });
  expect(received).toEqual([]);
  expect(await deliverHttp(post(url, { tls: { ca: LOOPBACK_CERTIFICATE } }))).toMatchObject({ status: 200 });
});

it.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'shows its certificate to a CRM that wants one (%s)',
  async (version) => {
    const asking = {
      requestCert: true,
      rejectUnauthorized: true,
      ca: LOOPBACK_CERTIFICATE,
      minVersion: version,
      maxVersion: version,
    };
    const { url, received } = await startHttps(asking);
    const ca = LOOPBACK_CERTIFICATE;
    const shown = { ca, cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_KEY };
    expect(await deliverHttp(post(url, { tls: shown }))).toMatchObject({ status: 200 });
    const hidden = await deliverHttp(post(url, { tls: { ca } }));
    // With 1.3 the server judges after the client has begun to send, and Node's hangs up without a word.
    const expected = {
      'TLSv1.2': { sent: 'no', stage: 'tls', needsPerson: true },
      'TLSv1.3': { sent: 'maybe' },
    };
    expect(hidden).toMatchObject(expected[version]);
    expect(received).toHaveLength(1);
  },
);

it('refuses TLS older than 1.2', async () => {
  const { url } = await startHttps({
    minVersion: 'TLSv1.1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  expect(await deliverHttp(post(url, { tls: { ca: LOOPBACK_CERTIFICATE } }))).toMatchObject({
    sent: 'no',
    needsPerson: true,
  });
});

describe('through a proxy', () => {
  const login = { user: 'dealer', password: 'pröxy' };

  it('tunnels plain and encrypted requests', async () => {
    const proxy = await startProxy(login);
    const [plain, secure] = [
      await startHttp((_request, response) => response.end('plain')),
      await startHttps(),
    ];
    const by = { proxy: { url: proxy.url, ...login } };
    expect(await deliverHttp(post(plain.url, by))).toMatchObject({ status: 200, body: 'plain' });
    expect(await deliverHttp(post(secure.url, { ...by, tls: { ca: LOOPBACK_CERTIFICATE } }))).toMatchObject({
      status: 200,
      body: 'ok',
    });
    expect(proxy.asked).toEqual([plain.url, secure.url].map((url) => new URL(url).host));
    expect(plain.received[0]!.headers['proxy-authorization']).toBeUndefined();
  });

  it('needs a person when the proxy refuses the login', async () => {
    const proxy = await startProxy(login);
    const crm = await startHttp((_request, response) => response.end());
    const outcome = await deliverHttp(post(crm.url, { proxy: { url: proxy.url } }));
    expect(outcome).toMatchObject({
      sent: 'no',
      stage: 'proxy',
      error: 'the proxy answered 407',
      needsPerson: true,
    });
    expect(crm.received).toEqual([]);
  });

  it('knows that nothing went out when proxy or CRM are away', async () => {
    const away = `http://127.0.0.1:${await closedPort()}`;
    expect(await deliverHttp(post('http://127.0.0.1:1/', { proxy: { url: away } }))).toMatchObject({
      sent: 'no',
      stage: 'proxy',
    });
    const silent = await startSocket(() => undefined);
    const outcome = await deliverHttp(
      post('http://127.0.0.1:1/', { proxy: { url: `http://127.0.0.1:${silent}` }, timeoutMs: 300 }),
    );
    expect(outcome).toMatchObject({ sent: 'no', stage: 'proxy', error: 'no answer within 300 ms' });
  });
});
