import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AttemptOutcome, HttpDelivery, Verdict } from '../../src/adapters/index.ts';
import { readAdf } from '../adf/adf-reader.ts';
import { leadWith } from '../adf/documents.ts';
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

  test('is signed over the bytes that are sent', async () => {
    const request = await requestOf({
      signature: { header: 'X-ADF-Signature', secret: 's3cret', prefix: 'sha256=' },
      json: { field: 'adf' },
    });
    const expected = createHmac('sha256', 's3cret').update(Buffer.from(request.body)).digest('hex');
    expect(request.headers['X-ADF-Signature']).toBe(`sha256=${expected}`);
  });

  test('wraps the XML into JSON', async () => {
    const request = await requestOf({
      json: { field: 'adf', fields: { version: 1, test: false, note: null } },
    });
    const { adf, ...rest } = JSON.parse(request.body) as Record<string, unknown>;
    expect(adf).toBe((await requestOf()).body);
    expect(rest).toEqual({ version: 1, test: false, note: null });
    expect(request.headers['Content-Type']).toBe('application/json');
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
    [{ status: 404 }, 'rejected', false],
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
    [{ 'retry-after': 'Thu, 30 Apr 2026 11:06:10 GMT', date: 'Thu, 30 Apr 2026 11:05:10 GMT' }, 60_000],
    [{ 'retry-after': 'Thu, 30 Apr 2026 11:04:10 GMT', date: 'Thu, 30 Apr 2026 11:05:10 GMT' }, 0],
    [{ 'retry-after': 'Thu, 30 Apr 2026 11:06:10 GMT' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('waits by %j', async (headers, wait) => {
    expect((await judge({ status: 503, headers: headers })).retryAfterMs).toBe(wait);
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
    expect((await judge({ status: 200, body: body(false) }, GLADIUS)).state).toBe('rejected');
    expect((await judge({ status: 200, body: body('true') }, GLADIUS)).state).toBe('rejected');
    expect((await judge({ status: 200, body: '<html>ok</html>' }, GLADIUS)).state).toBe('rejected');
    expect((await judge({ status: 200 }, { ...GLADIUS, otherwise: 'retry' })).state).toBe('retry');
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
