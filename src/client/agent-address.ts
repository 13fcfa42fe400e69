import { AgentFault } from './agent-fault.ts';

export const CARD_PATH = '/.well-known/agent-card.json';

/**
 * Where the card of an agent is: an address that ends with `.json` is the card's own, of any other the origin counts
 * (A2A section 8). `knownHost` is the host of this bridge, which may be reached without https.
 */
export function cardAddress(address: string, knownHost?: string): URL {
  if (!URL.canParse(address)) {
    throw new AgentFault(
      'unsuitable',
      `"${address}" is no web address; write it like https://dealer.example.`,
    );
  }
  const url = new URL(address);
  if (!['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AgentFault(
      'unsuitable',
      `"${url.protocol}//${url.host}" must be an https address, without a user.`,
    );
  }
  if (!isSafe(url, knownHost)) {
    throw new AgentFault('unsuitable', `${url.origin} is not encrypted; the address must begin with https.`);
  }
  return url.pathname.endsWith('.json') ? url : new URL(CARD_PATH, url);
}

/** Encrypted, on this machine, or the bridge's own address. */
export function isSafe(url: URL, knownHost?: string): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && (isLoopback(url.hostname) || url.host === knownHost);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
