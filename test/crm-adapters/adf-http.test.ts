import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AttemptOutcome, HttpDelivery, Verdict } from '../../src/adapters/index.ts';
import { readAdf } from '../adf/adf-reader.ts';
import { leadWith } from '../adf/documents.ts';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '../feeds-sources/loopback-certificate.ts';
import { places, shippedAdapter } from './shipped.ts';

const BASE = { url: 'https://crm.example/leads' };

async function requestOf(changes: object = {}, lead = leadWith()): Promise<HttpDelivery> {
  const { adapter, options, schemaFaults, problems } = await shippedAdapter('adf-http', {
    ...BASE,
    ...changes,
  });
  expect([schemaFaults, problems]).toEqual([[], []]);
  const delivery = adapter.build(lead, options);
  if (delivery.kind !== 'http') throw new Error(delivery.kind);
  return delivery;
}

describe('a request', () => {
  test('is by default a POST of the XML with the lead’s id as key', async () => {
    const request = await requestOf();
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://crm.example/leads',
      headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Idempotency-Key': 'lead_0001' },
      timeoutMs: 30_000,
    });
    expect(readAdf(request.body).name).toBe('adf');
    expect((await requestOf({}, leadWith({}, { resend: true }))).headers).toEqual(request.headers);
  });

  test.each([
    [{ kind: 'basic', user: 'dealer', password: 'pä:ss' }, { Authorization: 'Basic ZGVhbGVyOnDDpDpzcw==' }],
    [{ kind: 'bearer', token: 'abc' }, { Authorization: 'Bearer abc' }],
    [{ kind: 'header', name: 'access_token', token: 'abc' }, { access_token: 'abc' }],
  ])('carries %j', async (auth, headers) => {
    expect((await requestOf({ auth })).headers).toMatchObject(headers);
  });

  test('carries a token in the query', async () => {
    const { url } = await requestOf({
      url: 'https://crm.example/l?a=1',
      auth: { kind: 'query', name: 'k', token: 'x y&z' },
    });
    expect(url).toBe('https://crm.example/l?a=1&k=x+y%26z');
  });

  test('has a signature made on the way, over the time of sending if the CRM wants that', async () => {
    const signature = { header: 'X-ADF-Signature', secret: 's3cret', prefix: 'sha256=' };
    expect((await requestOf({ signature })).signature).toEqual({ ...signature, encoding: 'hex' });
    const timed = await requestOf({ signature: { ...signature, timestamp: { header: 'X-Time' } } });
    expect(timed.signature?.timestamp).toEqual({ header: 'X-Time', format: 'seconds', separator: '.' });
  });

  test('wraps the XML into JSON, with facts of the lead beside it', async () => {
    const lead = leadWith({
      customer: { first_name: 'Zo"ë', last_name: '{adf}\uD800', email: 'z@example.com' },
    });
    const json = {
      version: 1,
      test: false,
      note: null,
      lead: {
        id: '{lead_id}',
        names: ['{first_name}', '{last_name}'],
        text: '{first_name} by {source}',
        vin: '{vin}',
      },
      adf: '{adf}',
    };
    const request = await requestOf({ json }, lead);
    expect(request.headers['Content-Type']).toBe('application/json');
    const { adf, ...rest } = JSON.parse(request.body) as Record<string, unknown>;
    expect(adf).toBe((await requestOf({}, lead)).body);
    expect(rest).toEqual({
      version: 1,
      test: false,
      note: null,
      lead: {
        id: 'lead_0001',
        names: ['Zo"ë', '{adf}\uFFFD'],
        text: `Zo"ë by ${lead.request.source_agent.name}`,
        vin: lead.request.vehicle_of_interest?.vin ?? '',
      },
    });
  });

  test('carries how to get a token', async () => {
    const auth = {
      kind: 'oauth2',
      token_url: 'https://login.crm.example/token',
      client_id: 'dealer',
      client_secret: 's3cret',
      scope: 'leads',
    };
    const { token, headers } = await requestOf({ auth });
    expect(token).toEqual({
      url: auth.token_url,
      form: {
        grant_type: 'client_credentials',
        client_id: 'dealer',
        client_secret: 's3cret',
        scope: 'leads',
      },
      timeoutMs: 30_000,
    });
    expect(headers.Authorization).toBeUndefined();
    const basic = await requestOf({ auth: { ...auth, client_auth: 'basic' } });
    expect(basic.token).toMatchObject({
      form: { grant_type: 'client_credentials', scope: 'leads' },
      basic: { user: 'dealer', password: 's3cret' },
    });
  });

  test('goes with certificates and through a proxy', async () => {
    const tls = { ca: LOOPBACK_CERTIFICATE, cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_KEY };
    const proxy = { url: 'http://proxy.house:3128', user: 'u', password: 'p' };
    expect(await requestOf({ tls, proxy })).toMatchObject({ tls, proxy });
  });
});

describe('settings', () => {
  const problemsOf = async (changes: object) =>
    places((await shippedAdapter('adf-http', { ...BASE, ...changes })).problems);

  test.each([
    ['http://crm.example/leads', ['url']],
    ['http://127.0.0.1.evil.example/', ['url']],
    ['http://127.0.0.1:8080/x', []],
    ['http://localhost/x', []],
    ['http://[::1]:9/x', []],
    ['ftp://crm.example/', ['url']],
    ['crm.example', ['url']],
    ['https://user:pw@crm.example/', ['url']],
    ['https://crm.example/#x', ['url']],
  ])('url %s', async (url, expected) => {
    expect(await problemsOf({ url })).toEqual(expected);
  });

  test('plain http only when allowed', async () => {
    expect(await problemsOf({ url: 'http://gateway.house/', allow_plain_http: true })).toEqual([]);
  });

  test('auth needs its members', async () => {
    expect(await problemsOf({ auth: { kind: 'basic', user: 'a:b' } })).toEqual([
      'auth.password',
      'auth.user',
    ]);
    expect(await problemsOf({ auth: { kind: 'bearer' } })).toEqual(['auth.token']);
    expect(await problemsOf({ auth: { kind: 'query' } })).toEqual(['auth.name', 'auth.token']);
    expect(await problemsOf({ auth: { kind: 'bearer', token: 'a\r\nb' } })).toEqual(['auth.token']);
  });

  test('headers can not break the request', async () => {
    expect(
      await problemsOf({
        headers: { 'X A': '1', 'X-B': 'a\r\nX-C: 1', Host: 'x', 'content-type': 'x', Authorization: 'y' },
        auth: { kind: 'bearer', token: 't' },
        signature: { header: 'x-b', secret: 's' },
        content_type: 'text/xml\n',
      }),
    ).toEqual([
      'headers.X A',
      'headers.X-B',
      'headers.Host',
      'headers.content-type',
      'content_type',
      'auth.kind',
      'signature.header',
    ]);
  });

  test('rules look at one place each, by patterns that end', async () => {
    expect(
      await problemsOf({
        answer: {
          rules: [{}, { json: 'parseOk' }, { json: '/a', xml: 'b' }, { pattern: '(' }, { pattern: '(a+)+$' }],
          reference: { pattern: '(a)\\1' },
        },
      }),
    ).toEqual([
      'answer.rules[0]',
      'answer.rules[1].json',
      'answer.rules[2]',
      'answer.rules[3].pattern',
      'answer.rules[4].pattern',
      'answer.reference.pattern',
    ]);
  });
});

describe('settings of the way', () => {
  const problemsOf = async (changes: object) =>
    places((await shippedAdapter('adf-http', { ...BASE, ...changes })).problems);
  const pem = (kind: 'rsa') =>
    generateKeyPairSync(kind, { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem' })
      .toString();

  test('certificates must be readable and fit', async () => {
    const [cert, key] = [LOOPBACK_CERTIFICATE, LOOPBACK_KEY];
    expect(await problemsOf({ tls: { cert, key, ca: cert } })).toEqual([]);
    expect(await problemsOf({ tls: { cert } })).toEqual(['tls.key']);
    expect(await problemsOf({ tls: { cert: 'x', key: 'y', ca: 'z' } })).toEqual([
      'tls.cert',
      'tls.key',
      'tls.ca',
    ]);
    expect(await problemsOf({ tls: { cert, key: pem('rsa') } })).toEqual(['tls.key']);
  });

  test('a proxy is an address without a login, and logins are whole', async () => {
    expect(await problemsOf({ proxy: { url: 'socks://p:1' } })).toEqual(['proxy.url']);
    expect(await problemsOf({ proxy: { url: 'http://u:p@proxy:1' } })).toEqual(['proxy.url']);
    expect(await problemsOf({ proxy: { url: 'http://proxy:1', user: 'u' } })).toEqual(['proxy.password']);
  });

  test('a token server is reached encrypted and has its client', async () => {
    expect(await problemsOf({ auth: { kind: 'oauth2' } })).toEqual([
      'auth.token_url',
      'auth.client_id',
      'auth.client_secret',
    ]);
    const client = { kind: 'oauth2', client_id: 'a', client_secret: 'b' };
    expect(await problemsOf({ auth: { ...client, token_url: 'http://login.example/' } })).toEqual([
      'auth.token_url',
    ]);
    expect(await problemsOf({ auth: { ...client, token_url: 'http://127.0.0.1:1/' } })).toEqual([]);
  });

  test('a JSON body holds the ADF once, and known places only', async () => {
    expect(await problemsOf({ json: { a: 'x {adf}' } })).toEqual(['json']);
    expect(await problemsOf({ json: { a: '{adf}', b: { c: ['{adf}'] } } })).toEqual(['json']);
    expect(await problemsOf({ json: { a: '{adf}', b: '{vim}' } })).toEqual(['json']);
    let deep: object = { adf: '{adf}' };
    for (let level = 0; level < 50; level += 1) deep = { deep };
    expect(await problemsOf({ json: deep })).toEqual(['json']);
  });

  test('where it goes is told without tokens, and whether it is in the clear', async () => {
    const place = async (changes: object) => {
      const { adapter, options } = await shippedAdapter('adf-http', { ...BASE, ...changes });
      return adapter.place?.(options);
    };
    expect(await place({ url: 'https://crm.example/l?token=t' })).toEqual({
      address: 'https://crm.example/l',
      unencrypted: false,
    });
    expect(await place({ url: 'http://gateway.house/', allow_plain_http: true })).toMatchObject({
      unencrypted: true,
    });
    expect(await place({ url: 'http://127.0.0.1:8080/' })).toMatchObject({ unencrypted: false });
  });
});

describe('what an answer means', () => {
  async function judge(
    outcome: Partial<Extract<AttemptOutcome, { kind: 'http' }>>,
    answer: object = {},
  ): Promise<Verdict> {
    const { adapter, options, problems } = await shippedAdapter('adf-http', { ...BASE, answer });
    expect(problems).toEqual([]);
    return adapter.classify({ kind: 'http', sent: 'yes', ...outcome }, options);
  }

  test.each([
    [{ status: 200 }, 'delivered', false],
    [{ status: 204 }, 'delivered', false],
    [{ status: 302 }, 'retry', true],
    [{ status: 401 }, 'retry', true],
    [{ status: 403 }, 'retry', true],
    [{ status: 400 }, 'rejected', false],
    [{ status: 402 }, 'retry', true],
    [{ status: 404 }, 'retry', true],
    [{ status: 405 }, 'retry', true],
    [{ status: 410 }, 'retry', true],
    [{ status: 415 }, 'retry', true],
    [{ status: 409 }, 'rejected', false],
    [{ status: 413 }, 'rejected', false],
    [{ status: 422 }, 'rejected', false],
    [{ status: 408 }, 'retry', false],
    [{ status: 429 }, 'retry', false],
    [{ status: 500 }, 'retry', false],
    [{ status: 503 }, 'retry', false],
    [{ sent: 'no', error: 'ENOTFOUND' }, 'retry', false],
    [{ sent: 'maybe', error: 'headers timeout' }, 'uncertain', false],
    [{ status: 100 }, 'uncertain', false],
  ] as const)('%j', async (outcome, state, pause) => {
    const verdict = await judge(outcome);
    expect([verdict.state, verdict.pauseDestination ?? false]).toEqual([state, pause]);
  });

  test.each([
    [{ 'retry-after': '120' }, 120_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '999999999' }, 86_400_000],
    [{ 'retry-after': '99999999999' }, 86_400_000],
    [{ 'retry-after': 'Thu, 30 Apr 2026 11:06:10 GMT', date: 'Thu, 30 Apr 2026 11:05:10 GMT' }, 60_000],
    [{ 'retry-after': 'Thu, 30 Apr 2026 11:04:10 GMT', date: 'Thu, 30 Apr 2026 11:05:10 GMT' }, 0],
    [{ 'retry-after': 'Thu, 30 Apr 2026 11:06:10 GMT' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('waits by %j', async (headers, wait) => {
    expect((await judge({ status: 503, headers: headers })).retryAfterMs).toBe(wait);
  });

  test.each([
    [{ stage: 'token', error: 'no access token', needsPerson: true }, true],
    [{ stage: 'token', error: 'no access token' }, false],
    [{ stage: 'proxy', error: 'the proxy answered 407', needsPerson: true }, true],
    [{ stage: 'tls', error: 'certificate has expired', needsPerson: true }, true],
    [{ stage: 'connect', error: 'ECONNREFUSED' }, false],
  ] as const)('nothing went out: %j', async (outcome, pause) => {
    const verdict = await judge({ sent: 'no', ...outcome });
    expect([verdict.state, verdict.pauseDestination ?? false]).toEqual(['retry', pause]);
    expect(verdict.reason).toContain(outcome.error);
  });

  test('a status means what the settings say', async () => {
    const status = { '409': 'delivered', '200': 'retry', '422': 'pause', '500': 'rejected' };
    const answer = { status, rules: [{ json: '/ok' }], reference: { json: '/id' } };
    expect(await judge({ status: 409, body: '{"id":7}' }, answer)).toMatchObject({
      state: 'delivered',
      reference: '7',
    });
    expect((await judge({ status: 200, body: '{"ok":1}' }, answer)).state).toBe('retry');
    expect(await judge({ status: 422, headers: { 'retry-after': '5' } }, answer)).toMatchObject({
      state: 'retry',
      pauseDestination: true,
      retryAfterMs: 5000,
    });
    expect((await judge({ status: 500 }, answer)).state).toBe('rejected');
    const notHere = await judge({ status: 404 }, { status: { '404': 'rejected' } });
    expect([notHere.state, notHere.pauseDestination]).toEqual(['rejected', undefined]);
    expect((await judge({ status: 201, body: '{}' }, answer)).state).toBe('rejected');
  });

  test('a rule may say for itself what it means when it is broken', async () => {
    const rules = [{ json: '/ok', otherwise: 'retry' }, { json: '/parsed' }];
    expect((await judge({ status: 200, body: '{"parsed":1}' }, { rules })).state).toBe('retry');
    expect((await judge({ status: 200, body: '{"ok":1}' }, { rules })).state).toBe('rejected');
  });

  test('an expression that takes too long is given up, and the answer counts as not judged', async () => {
    const pattern = '(?:a|a?)(?:a|a?)(?:a|a?).*a.*a.*a.*b';
    const body = 'a'.repeat(20_000);
    expect((await judge({ status: 200, body }, { rules: [{ pattern }] })).state).toBe('uncertain');
    const verdict = await judge({ status: 200, body }, { reference: { pattern } });
    expect(verdict).toEqual({ state: 'delivered', reason: 'the CRM answered 200' });
  });

  const GLADIUS = {
    rules: [
      { json: '/success', equals: true },
      { json: '/parseOk', equals: true },
    ],
    reference: { json: '/leadId' },
  };

  test('a 200 that says it could not read the lead is a failure', async () => {
    const body = (parseOk: unknown) => JSON.stringify({ success: true, leadId: 4711, parseOk });
    expect(await judge({ status: 200, body: body(true) }, GLADIUS)).toEqual({
      state: 'delivered',
      reason: 'the CRM answered 200',
      reference: '4711',
    });
    expect(await judge({ status: 200, body: body(false) }, GLADIUS)).toEqual({
      state: 'rejected',
      reason:
        'the CRM answered 200, but its answer breaks rule 2 of the settings; it says: success: true, leadId: 4711, parseOk: false',
    });
    expect((await judge({ status: 200, body: body('true') }, GLADIUS)).state).toBe('rejected');
    expect((await judge({ status: 200, body: '<html>ok</html>' }, GLADIUS)).state).toBe('rejected');
    expect((await judge({ status: 200 }, { ...GLADIUS, otherwise: 'retry' })).state).toBe('retry');
  });

  test('an answer that broke off is judged by what came of it, and a rule that it breaks says nothing', async () => {
    const error = 'the answer broke off: other side closed';
    expect(await judge({ status: 200, body: '{"success":', error }, GLADIUS)).toEqual({
      state: 'uncertain',
      reason: `the CRM answered 200, but its answer could not be read: ${error}`,
    });
    const byPattern = { rules: [{ pattern: 'taken' }] };
    expect((await judge({ status: 200, body: 'Lead taken, tha', error }, byPattern)).state).toBe('delivered');
    expect((await judge({ status: 200, body: 'Lea', error })).state).toBe('delivered');
    expect((await judge({ status: 422, body: '{"err', error }, GLADIUS)).state).toBe('rejected');
    expect((await judge({ status: 503, body: '{"err', error }, GLADIUS)).state).toBe('retry');
  });

  test('an answer for readers of pages pauses, and is told as no new address', async () => {
    const [cached, moved] = [await judge({ status: 304 }), await judge({ status: 308 })];
    expect([cached.state, cached.pauseDestination]).toEqual(['retry', true]);
    expect(cached.reason).toBe('the CRM answered 304: it takes no lead in this way');
    expect(moved.reason).toBe('the CRM answered 308: leads go to another address now');
  });

  test('an answer that cannot be decoded breaks no rule', async () => {
    const error = 'the answer cannot be decoded (gzip): incorrect header check';
    const verdict = await judge({ status: 200, body: '', error }, GLADIUS);
    expect(verdict.state).toBe('uncertain');
    expect(verdict.reason).toBe(`the CRM answered 200, but its answer could not be read: ${error}`);
    expect((await judge({ status: 200, body: '', error })).state).toBe('delivered');
  });

  test('an answer that was cut can not be judged', async () => {
    const body = `{"success":true,"text":"${'x'.repeat(64 * 1024)}`;
    expect((await judge({ status: 200, body }, GLADIUS)).state).toBe('uncertain');
  });

  test.each([
    ['{"a":{"b/c":[{"~d":"x"}]}}', { json: '/a/b~1c/0/~0d', equals: 'x' }, 'delivered'],
    ['{"a":null}', { json: '/a', equals: null }, 'delivered'],
    ['{"a":null}', { json: '/a' }, 'delivered'],
    ['{}', { json: '/a' }, 'rejected'],
    ['{}', { json: '/constructor' }, 'rejected'],
    ['{}', { json: '/__proto__/toString' }, 'rejected'],
    ['"ok"', { json: '', equals: 'ok' }, 'delivered'],
    ['<r><s code="00">OK</s></r>', { xml: 'r/s', equals: 'OK' }, 'delivered'],
    ['<r><s code="00">OK</s></r>', { xml: 'r/s/@code', equals: '00' }, 'delivered'],
    ['<x:r xmlns:x="u"><x:s>1</x:s><x:s>2</x:s></x:r>', { xml: 'r/s', equals: 1 }, 'delivered'],
    ['<r/>', { xml: 'r' }, 'delivered'],
    ['<r/>', { xml: 'r/s' }, 'rejected'],
    ['<!DOCTYPE r [<!ENTITY a "OK">]><r>&a;</r>', { xml: 'r', equals: 'OK' }, 'rejected'],
    ['Lead 12 accepted', { pattern: 'Lead \\d+ accepted' }, 'delivered'],
    ['status=OK;', { pattern: 'status=(\\w+)', equals: 'OK' }, 'delivered'],
    ['status=NO;', { pattern: 'status=(\\w+)', equals: 'OK' }, 'rejected'],
  ])('answer %j by %j is %s', async (body, rule, state) => {
    expect((await judge({ status: 200, body }, { rules: [rule] })).state).toBe(state);
  });

  test.each([
    ['<r><id>0042</id></r>', { xml: 'r/id' }, '0042'],
    ['id: AB-7\n', { pattern: 'id: (\\S+)' }, 'AB-7'],
    ['{"id":"a\\r\\nb"}', { json: '/id' }, 'a b'],
    ['{"id":{"deep":1}}', { json: '/id' }, undefined],
    ['{"id":""}', { json: '/id' }, undefined],
    [JSON.stringify({ id: 'x'.repeat(500) }), { json: '/id' }, 'x'.repeat(200)],
  ])('reference of %j by %j', async (body, reference, expected) => {
    expect((await judge({ status: 200, body }, { reference })).reference).toBe(expected);
  });
});
