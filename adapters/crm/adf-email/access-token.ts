import type { TokenRequest } from '../../../src/adapters/index.ts';
import type { OAuthOptions, Options } from './options.ts';

const MICROSOFT_SCOPE = 'https://outlook.office365.com/.default';
const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';
const GOOGLE_SCOPE = 'https://mail.google.com/';

/** What of a Google service account's key file is needed. */
interface ServiceAccount {
  client_email: string;
  private_key: string;
  private_key_id?: string;
}

/** How the core gets the access token for XOAUTH2. */
export function tokenRequestOf({
  oauth2,
  user = '',
  timeout_seconds,
}: Options['smtp']): TokenRequest | undefined {
  if (oauth2 === undefined) return undefined;
  const timeoutMs = timeout_seconds * 1000;
  if (oauth2.provider === 'microsoft') return { ...microsoft(oauth2), timeoutMs };
  const account =
    oauth2.service_account === undefined ? undefined : readServiceAccount(oauth2.service_account);
  return {
    ...(account === undefined ? googleByRefresh(oauth2) : googleByAccount(oauth2, account, user)),
    timeoutMs,
  };
}

/** The key file as Google hands it out; undefined when it is none. */
export function readServiceAccount(text: string): ServiceAccount | undefined {
  try {
    const content = JSON.parse(text) as Partial<Record<keyof ServiceAccount, unknown>> | null;
    const { client_email, private_key, private_key_id } = content ?? {};
    if (typeof client_email !== 'string' || typeof private_key !== 'string') return undefined;
    return {
      client_email,
      private_key,
      ...(typeof private_key_id === 'string' ? { private_key_id } : {}),
    };
  } catch {
    return undefined;
  }
}

type Request = Omit<TokenRequest, 'timeoutMs'>;

/** The bridge as an application of its own, without a person (client credentials). */
function microsoft({
  tenant = '',
  client_id = '',
  client_secret = '',
  token_url,
  scope,
}: OAuthOptions): Request {
  return {
    url: token_url ?? `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    form: { grant_type: 'client_credentials', client_id, client_secret, scope: scope ?? MICROSOFT_SCOPE },
  };
}

/** In the name of the mailbox, which needs domain-wide delegation. */
function googleByAccount({ token_url, scope }: OAuthOptions, account: ServiceAccount, user: string): Request {
  const url = token_url ?? GOOGLE_TOKEN_URL;
  const { client_email: iss, private_key: privateKey, private_key_id: keyId } = account;
  return {
    url,
    form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' },
    assertion: {
      claims: { iss, sub: user, scope: scope ?? GOOGLE_SCOPE, aud: url },
      privateKey,
      ...(keyId === undefined ? {} : { keyId }),
    },
  };
}

function googleByRefresh({
  client_id = '',
  client_secret = '',
  refresh_token = '',
  token_url,
}: OAuthOptions): Request {
  return {
    url: token_url ?? GOOGLE_TOKEN_URL,
    form: { grant_type: 'refresh_token', client_id, client_secret, refresh_token },
  };
}
