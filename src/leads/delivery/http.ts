import { createHmac } from 'node:crypto';
import type { AttemptOutcome, HttpDelivery, HttpSignature } from '../../adapters/crm-adapter.ts';
import { accessToken, forgetToken, type TokenResult } from './access-token.ts';
import { requestOnce } from './request.ts';

type HttpOutcome = Extract<AttemptOutcome, { kind: 'http' }>;

/** One request to the CRM; a second one only when a token that was kept from earlier is refused with 401. */
export async function deliverHttp(delivery: HttpDelivery): Promise<HttpOutcome> {
  const { token: request } = delivery;
  if (request === undefined) return post(delivery, {});
  const first = await accessToken(request);
  const outcome = await postWithToken(delivery, first);
  if (!first.ok || outcome.status !== 401) return outcome;
  forgetToken(request);
  return first.isKept ? postWithToken(delivery, await accessToken(request)) : outcome;
}

async function postWithToken(delivery: HttpDelivery, result: TokenResult): Promise<HttpOutcome> {
  if (result.ok) return post(delivery, { Authorization: `Bearer ${result.token}` });
  const { ok: _, needsPerson, ...fault } = result;
  return { kind: 'http', sent: 'no', stage: 'token', ...fault, ...(needsPerson && { needsPerson }) };
}

async function post(delivery: HttpDelivery, login: Record<string, string>): Promise<HttpOutcome> {
  const { method, url, body, tls, proxy, timeoutMs, signature } = delivery;
  const headers = { ...delivery.headers, ...login, ...signatureHeaders(body, signature, Date.now()) };
  const result = await requestOnce({
    method,
    url,
    headers,
    body,
    timeoutMs,
    ...(tls !== undefined && { tls }),
    ...(proxy !== undefined && { proxy }),
  });
  if (result.answered) {
    const { answered: _, ...answer } = result;
    return { kind: 'http', sent: 'yes', ...answer };
  }
  const { stage, error, needsPerson } = result;
  if (stage === 'request') return { kind: 'http', sent: 'maybe', error };
  return { kind: 'http', sent: 'no', stage, error, ...(needsPerson && { needsPerson }) };
}

/** Over the bytes as they are sent (adf-1.0 section 2.3). */
function signatureHeaders(
  body: string,
  signature: HttpSignature | undefined,
  now: number,
): Record<string, string> {
  if (signature === undefined) return {};
  const { header, secret, encoding, prefix, timestamp } = signature;
  const sign = (text: string): string =>
    prefix + createHmac('sha256', secret).update(text, 'utf8').digest(encoding);
  if (timestamp === undefined) return { [header]: sign(body) };
  const time = timeText(now, timestamp.format);
  return { [timestamp.header]: time, [header]: sign(`${time}${timestamp.separator}${body}`) };
}

function timeText(now: number, format: NonNullable<HttpSignature['timestamp']>['format']): string {
  switch (format) {
    case 'seconds':
      return String(Math.floor(now / 1000));
    case 'milliseconds':
      return String(now);
    case 'rfc3339':
      return new Date(now).toISOString();
  }
}
