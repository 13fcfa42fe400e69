import type { ServerConfig } from '../config/config.ts';

const EVERY_ADDRESS = new Set(['0.0.0.0', '::', '']);

/**
 * The origin under which buyers reach the bridge, without a slash at its end. Unless configured it is the address
 * listened on; listening on every address, this machine's own.
 */
export function publicUrl(server: ServerConfig, port: number): string {
  if (server.public_url !== undefined) return server.public_url.replace(/\/+$/, '');
  const host = EVERY_ADDRESS.has(server.host) ? 'localhost' : server.host;
  const scheme = server.tls === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
