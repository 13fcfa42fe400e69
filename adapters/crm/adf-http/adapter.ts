import { createHmac } from 'node:crypto';
import { renderAdf } from '../../../src/adapters/index.ts';
import type { CrmAdapter, HttpDelivery, LeadDocument } from '../../../src/adapters/index.ts';
import { check } from './check.ts';
import { classify } from './classify.ts';
import type { AuthOptions, Options } from './options.ts';

/** Each lead as one request with its ADF as the body, or inside a JSON object. */
const adfHttp: CrmAdapter<Options> = {
  check,
  build,
  classify,
  // A query may hold a token.
  place: ({ url }) => ({ address: url.split('?', 1)[0] ?? url }),
};
export default adfHttp;

function build(lead: LeadDocument, options: Options): HttpDelivery {
  const body = bodyOf(lead, options);
  return {
    kind: 'http',
    method: options.method,
    url: urlOf(options),
    headers: {
      ...options.headers,
      'Content-Type': contentTypeOf(options),
      // The same on every attempt, so that a CRM that knows this header takes the lead once.
      'Idempotency-Key': lead.lead_id.replaceAll(/[^\x21-\x7e]/gu, '-'),
      ...authHeaders(options.auth),
      ...signatureHeader(body, options),
    },
    body,
    timeoutMs: options.timeout_seconds * 1000,
  };
}

function bodyOf(lead: LeadDocument, { json, adf }: Options): string {
  const xml = renderAdf(lead, adf);
  return json === undefined ? xml : JSON.stringify({ ...json.fields, [json.field]: xml });
}

function contentTypeOf({ content_type, json }: Options): string {
  return content_type ?? (json === undefined ? 'application/xml; charset=utf-8' : 'application/json');
}

function urlOf({ url, auth }: Options): string {
  if (auth.kind !== 'query') return url;
  const withToken = new URL(url);
  withToken.searchParams.set(auth.name ?? '', auth.token ?? '');
  return withToken.href;
}

function authHeaders({
  kind,
  user = '',
  password = '',
  token = '',
  name = '',
}: AuthOptions): Record<string, string> {
  switch (kind) {
    case 'basic':
      return { Authorization: `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}` };
    case 'bearer':
      return { Authorization: `Bearer ${token}` };
    case 'header':
      return { [name]: token };
    case 'none':
    case 'query':
      return {};
  }
}

/** Over the bytes as they are sent (adf-1.0 section 2.3). */
function signatureHeader(body: string, { signature }: Options): Record<string, string> {
  if (signature === undefined) return {};
  const { header, secret, encoding, prefix } = signature;
  return { [header]: prefix + createHmac('sha256', secret).update(body, 'utf8').digest(encoding) };
}
