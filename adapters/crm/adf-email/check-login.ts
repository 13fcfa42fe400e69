import { createPrivateKey } from 'node:crypto';
import type { Problem } from '../../../src/adapters/index.ts';
import { readServiceAccount } from './access-token.ts';
import { fault } from './fault.ts';
import type { OAuthOptions, Options } from './options.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/** A mail server on this machine: nothing crosses a network. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

export function checkLogin({ smtp }: Options): Problem[] {
  const { user, password, oauth2, security, host } = smtp;
  if (oauth2 !== undefined && password !== undefined) {
    return [
      fault('smtp.password', 'a login is by password or by oauth2, not by both', 'Take one of them away.'),
    ];
  }
  const proof = password ?? oauth2;
  if ((user === undefined) !== (proof === undefined)) {
    const missing = user === undefined ? 'user' : 'password';
    return [fault(`smtp.${missing}`, `a login needs user and password or oauth2, and ${missing} is missing`)];
  }
  const problems = oauth2 === undefined ? [] : checkOAuth(oauth2);
  if (proof !== undefined && security === 'none' && !isLoopback(host)) {
    problems.push(
      fault(
        'smtp.security',
        'the password would cross the network unencrypted',
        'Use starttls or tls, or a relay without a login.',
      ),
    );
  }
  return problems;
}

const NEEDED = {
  microsoft: ['tenant', 'client_id', 'client_secret'],
  google: ['client_id', 'client_secret', 'refresh_token'],
} as const;

function checkOAuth(oauth2: OAuthOptions): Problem[] {
  const { provider, service_account: account, token_url: url } = oauth2;
  const problems: Problem[] = [];
  if (account !== undefined) {
    if (provider === 'microsoft') {
      problems.push(fault('smtp.oauth2.service_account', 'belongs to google, not to microsoft'));
    } else {
      problems.push(...checkServiceAccount(account));
    }
  }
  if (account === undefined || provider === 'microsoft') {
    for (const member of NEEDED[provider]) {
      if (oauth2[member] !== undefined) continue;
      problems.push(fault(`smtp.oauth2.${member}`, `oauth2 of ${provider} needs it, and it is missing`));
    }
  }
  if (url !== undefined && !isTokenUrl(url)) {
    problems.push(fault('smtp.oauth2.token_url', 'is no https address'));
  }
  return problems;
}

/** The text is a secret and is not told. */
function checkServiceAccount(text: string): Problem[] {
  const account = readServiceAccount(text);
  if (account === undefined || !isRsaKey(account.private_key)) {
    return [
      fault(
        'smtp.oauth2.service_account',
        'is not the key file of a service account',
        'Write ${file:/path} with the JSON file that Google hands out.',
      ),
    ];
  }
  return [];
}

function isTokenUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Mail systems and token servers everywhere understand RSA. */
export function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
