import type { SourceConfig } from '../../config/config.ts';
import { visibleText } from '../reporting/visible-text.ts';

/** For people: without user, and without the query of an address, which may hold a token. */
export function placeOf(source: SourceConfig): string {
  if (source.kind !== 'http') return `${source.kind}://${source.host}:${source.port}`;
  const { origin, pathname } = new URL(source.url);
  return `${origin}${pathname}`;
}

/** Why a look failed, on one line. Servers like to repeat what they were told; our secrets are taken out. */
export function reasonOf(fault: unknown, source: SourceConfig): string {
  let text = messageOf(fault);
  for (const secret of secretsOf(source)) text = text.replaceAll(secret, '[removed]');
  return visibleText(text);
}

/** What Node and its libraries say by code, in words for whoever looks after the feed. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody answers at this address and port',
  ECONNRESET: 'the server broke the connection off',
  EHOSTUNREACH: 'the server cannot be reached from here',
  ENETUNREACH: 'there is no way to the network of the server',
  ETIMEDOUT: 'the server did not answer in time',
  ENOTFOUND: 'there is no server of this name',
  EAI_AGAIN: 'the name of the server cannot be looked up at the moment',
  ENOSPC: 'the disk is full',
  UND_ERR_CONNECT_TIMEOUT: 'the server did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'the server did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'nothing came for too long',
  UND_ERR_SOCKET: 'the server broke the connection off',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is its own; "ca" makes it known',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the certificate of the server comes from an authority that is not known; see "ca"',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the authority behind the certificate of the server is not known; see "ca"',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the authority behind the certificate of the server is not known; see "ca"',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is made out to another name',
};

function messageOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const code = codeOf(fault) ?? codeOf(fault.cause) ?? '';
  // Failed connections to several addresses of a host come as a bundle without words.
  const message = fault.message === '' ? fault.name : fault.message;
  const words = WORDS[code];
  return words === undefined ? message : `${words} (${fault.message === '' ? code : message})`;
}

function codeOf(fault: unknown): string | undefined {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
}

/** One of three letters occurs in any sentence, and removing it there would give it away. */
const SHORTEST_SECRET = 4;

function secretsOf(source: SourceConfig): string[] {
  return namedSecrets(source).filter((secret) => secret.length >= SHORTEST_SECRET);
}

function namedSecrets(source: SourceConfig): string[] {
  switch (source.kind) {
    case 'http': {
      const query = new URL(source.url).search.slice(1);
      const values = [...new URLSearchParams(query).values()];
      const { auth } = source;
      const login = auth === undefined ? [] : [auth.kind === 'bearer' ? auth.token : auth.password];
      return [...login, query, ...values];
    }
    case 'sftp':
      return [source.password ?? '', source.passphrase ?? ''];
    case 'ftp':
      return [source.password];
  }
}
