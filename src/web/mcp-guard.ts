import type { IncomingMessage } from 'node:http';
import type { McpConfig, ServerConfig } from '../config/config.ts';
import { hostNameOf } from './host-name.ts';

/** Whether a request may have been made by a page that has no business here. */
export interface McpGuard {
  /** Why the request is not served, for the operator of the client; undefined = it is. */
  refuse(request: IncomingMessage): string | undefined;
  /** For the page that may read the answer; none for programs that are no browser. */
  crossOriginHeaders(request: IncomingMessage): Readonly<Record<string, string>>;
}

/** Of a header that is told back. */
const MAX_TOLD_CHARACTERS = 100;

const ANY_ORIGIN = '*';

/**
 * MCP wants two looks at a request that came over HTTP. A page can make its own name point at this machine (DNS
 * rebinding): its requests carry that foreign name as Host. Any page can send requests here directly: they carry its
 * Origin. `ownUrl` tells the origin under which the bridge is reached.
 */
export function createMcpGuard(mcp: McpConfig, server: ServerConfig, ownUrl: () => string): McpGuard {
  const hosts = new Set(mcp.allowed_hosts.map((host) => host.toLowerCase()));
  const origins = new Set(mcp.allowed_origins.map((origin) => origin.toLowerCase().replace(/\/$/, '')));

  return {
    refuse: ({ headers }) => {
      if (!isOurHost(headers.host)) {
        return (
          `this dealer is not reached under the host name "${told(headers.host)}"; ` +
          'the setting mcp.allowed_hosts can allow it'
        );
      }
      if (headers.origin === undefined || isAllowedOrigin(headers.origin)) return undefined;
      return (
        `pages of "${told(headers.origin)}" may not call this dealer's tools; ` +
        'the setting mcp.allowed_origins can allow it'
      );
    },
    crossOriginHeaders: ({ headers }) =>
      headers.origin === undefined || !isAllowedOrigin(headers.origin)
        ? { Vary: 'Origin' }
        : {
            Vary: 'Origin',
            'Access-Control-Allow-Origin': headers.origin,
            'Access-Control-Expose-Headers': 'Retry-After, WWW-Authenticate, X-Request-Id',
          },
  };

  function isOurHost(header: string | undefined): boolean {
    const host = (header ?? '').toLowerCase();
    const name = hostNameOf(host);
    if (name === undefined) return false;
    if (isThisMachine(name) || hosts.has(host) || hosts.has(name)) return true;
    return [hostNameOf(new URL(ownUrl()).host), bracketed(server.host.toLowerCase())].includes(name);
  }

  function isAllowedOrigin(header: string): boolean {
    const origin = header.toLowerCase();
    return origins.has(ANY_ORIGIN) || origins.has(origin) || origin === ownUrl().toLowerCase();
  }
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

function isThisMachine(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

function told(header: string | undefined): string {
  return (header ?? '').slice(0, MAX_TOLD_CHARACTERS);
}
