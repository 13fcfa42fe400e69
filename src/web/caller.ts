import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Caller } from '../agent/door/door.ts';
import type { ServerConfig } from '../config/config.ts';
import { clientNetwork, isLoopbackAddress, readIpAddress } from '../model/ip-network.ts';

export type CallerFinder = (request: IncomingMessage) => Caller;

/** Proxies in a row that are looked behind. */
const MAX_PROXIES = 20;

const NOBODY: Caller = { key: 'unknown', isLocal: false };

/**
 * Who sent a request: the other end of its connection, or, when that is a trusted proxy, whom the proxy names in
 * its header. The list is read from the right, as far as trusted proxies have written it: what stands further left
 * anybody may have made up.
 */
export function callerFinder(
  isProxy: (address: string) => boolean,
  header: ServerConfig['proxy_header'],
): CallerFinder {
  /** Most connections carry many calls. */
  const direct = new WeakMap<Socket, { caller: Caller; address: string; isProxy: boolean }>();

  return (request) => {
    const { socket, headers } = request;
    let peer = direct.get(socket);
    if (peer === undefined) {
      const address = readIpAddress(socket.remoteAddress ?? '');
      if (address === undefined) return NOBODY;
      peer = { address, isProxy: isProxy(address), caller: callerAt(address, isLoopbackAddress(address)) };
      direct.set(socket, peer);
    }
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    if (!isForwarded) return peer.caller;
    // A proxy on this machine that nobody declared: its callers are not local, whoever they are.
    if (!peer.isProxy) return peer.caller.isLocal ? { ...peer.caller, isLocal: false } : peer.caller;
    const named =
      header === 'forwarded' ? forwardedFor(headers.forwarded) : listOf(headers['x-forwarded-for']);
    return callerAt(behindProxies(peer.address, named), false);
  };

  function behindProxies(peer: string, named: readonly string[]): string {
    let address = peer;
    for (const text of named.slice(-MAX_PROXIES).reverse()) {
      if (!isProxy(address)) break;
      const next = readIpAddress(withoutPort(text));
      if (next === undefined) break;
      address = next;
    }
    return address;
  }
}

/** An address in the way its budget and its connections are counted. */
function callerAt(address: string, isLocal: boolean): Caller {
  return { key: clientNetwork(address), isLocal };
}

function listOf(header: string | string[] | undefined): string[] {
  return (header ?? '').toString().split(',');
}

/** The `for` of each element (RFC 7239 section 4); an element without one names nobody. */
function forwardedFor(header: string | undefined): string[] {
  return listOf(header).map((element) => /(?:^|;)\s*for\s*=\s*"?([^";]*)"?/i.exec(element)?.[1] ?? '');
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711` as proxies may write them. */
function withoutPort(text: string): string {
  const address = text.trim();
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1];
  return bracketed ?? address.replace(/^([\d.]+):\d+$/, '$1');
}
