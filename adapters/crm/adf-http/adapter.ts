import { renderAdf } from '../../../src/adapters/index.ts';
import type { CrmAdapter, HttpDelivery, LeadDocument, TokenRequest } from '../../../src/adapters/index.ts';
import { check } from './check.ts';
import { classify } from './classify.ts';
import { isLoopback } from './check-url.ts';
import { fillBody } from './json-body.ts';
import type { AuthOptions, Options } from './options.ts';

/** Each lead as one request with its ADF as the body, or inside a JSON object. */
const adfHttp: CrmAdapter<Options> = {
  check,
  build,
  classify,
  place: ({ url }) => ({
    // A query may hold a token.
    address: url.split('?', 1)[0] ?? url,
    unencrypted: url.startsWith('http:') && !isLoopback(new URL(url).hostname),
  }),
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
    },
    body,
    ...connectionOf(options),
    timeoutMs: options.timeout_seconds * 1000,
  };
}

function bodyOf(lead: LeadDocument, { json, adf }: Options): string {
  const xml = renderAdf(lead, adf);
  return json === undefined ? xml : JSON.stringify(fillBody(json, lead, xml));
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
    case 'oauth2':
      return {};
  }
}

/** What the core adds on the way: a token, a signature over the bytes as they are sent, certificates, a proxy. */
function connectionOf(options: Options): Partial<HttpDelivery> {
  const { signature, tls, proxy } = options;
  const token = tokenRequestOf(options);
  return {
    ...(token === undefined ? {} : { token }),
    ...(signature === undefined ? {} : { signature }),
    ...(tls === undefined ? {} : { tls }),
    ...(proxy === undefined ? {} : { proxy }),
  };
}

/** Client credentials (RFC 6749 section 4.4). */
function tokenRequestOf({ auth, timeout_seconds }: Options): TokenRequest | undefined {
  if (auth.kind !== 'oauth2') return undefined;
  const { token_url = '', client_id = '', client_secret = '', scope, audience, client_auth } = auth;
  return {
    url: token_url,
    form: {
      grant_type: 'client_credentials',
      ...(client_auth === 'form' ? { client_id, client_secret } : {}),
      ...(scope === undefined ? {} : { scope }),
      ...(audience === undefined ? {} : { audience }),
    },
    ...(client_auth === 'basic' ? { basic: { user: client_id, password: client_secret } } : {}),
    timeoutMs: timeout_seconds * 1000,
  };
}
