import type { Problem } from '../../../src/adapters/index.ts';
import { fault } from './fault.ts';
import type { Options } from './options.ts';

export function checkUrl({ url, allow_plain_http }: Options): Problem[] {
  if (!URL.canParse(url)) return [fault('url', 'is no web address', 'It begins with https://')];
  const { protocol, hostname, username, password, hash } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') {
    return [fault('url', `${protocol} is not a way to a CRM`, 'It begins with https://')];
  }
  const problems: Problem[] = [];
  if (protocol === 'http:' && !allow_plain_http && !isLoopback(hostname)) {
    problems.push(
      fault(
        'url',
        'leads would cross the network unencrypted',
        'Use https, or set allow_plain_http for a gateway in the house.',
      ),
    );
  }
  if (username !== '' || password !== '') {
    problems.push(fault('url', 'holds a login', 'Put it into auth, so that it is never shown.'));
  }
  if (hash !== '') problems.push(fault('url', 'the part after # is never sent', 'Take it away.'));
  return problems;
}

/** This machine itself: nothing crosses a network. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** A secret goes there, so it must be encrypted, but for a server on this machine. */
export function checkTokenUrl(url: string): Problem[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isSafe =
    parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
  return isSafe ? [] : [fault('auth.token_url', 'is no https address')];
}

export function checkProxy({ proxy }: Options): Problem[] {
  if (proxy === undefined) return [];
  const parsed = URL.canParse(proxy.url) ? new URL(proxy.url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) {
    return [fault('proxy.url', 'is no address of a proxy', 'Write it like http://proxy.house:3128')];
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return [fault('proxy.url', 'holds a login', 'Put it into proxy.user and proxy.password.')];
  }
  const { user, password } = proxy;
  if ((user === undefined) === (password === undefined)) return [];
  const missing = user === undefined ? 'user' : 'password';
  return [fault(`proxy.${missing}`, `a login needs user and password, and ${missing} is missing`)];
}
