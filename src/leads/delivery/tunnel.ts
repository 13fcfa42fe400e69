import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';

export interface Proxy {
  /** http or https. */
  url: string;
  user?: string;
  password?: string;
}

export type Tunnel =
  | { kind: 'open'; socket: Socket }
  /** `needsPerson`: it wants another login, or forbids the way. */
  | { kind: 'refused'; reason: string; needsPerson: boolean };

/** Asks the proxy for a way to the server (CONNECT, RFC 9110 section 9.3.6). Rejects when the proxy is not there. */
export function openTunnel(
  { url, user, password = '' }: Proxy,
  { host, port }: { host: string; port: string },
  signal: AbortSignal,
): Promise<Tunnel> {
  const address = new URL(url);
  const target = `${host}:${port}`;
  const isSecure = address.protocol === 'https:';
  const login =
    user === undefined ? undefined : Buffer.from(`${user}:${password}`, 'utf8').toString('base64');
  const call = (isSecure ? secureRequest : plainRequest)({
    host: address.hostname.replace(/^\[|\]$/g, ''),
    port: address.port === '' ? (isSecure ? 443 : 80) : Number(address.port),
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...(login !== undefined && { 'proxy-authorization': `Basic ${login}` }) },
    agent: false,
    signal,
    ...(isSecure && { minVersion: 'TLSv1.2' as const }),
  });
  return new Promise((resolve, reject) => {
    const judge = (answer: IncomingMessage, socket: Socket, early: Buffer): void => {
      const { statusCode = 0 } = answer;
      if (statusCode >= 200 && statusCode < 300) {
        // Whoever reads first gets what came along with the answer.
        if (early.length > 0) socket.unshift(early);
        resolve({ kind: 'open', socket });
        return;
      }
      socket.destroy();
      const needsPerson = statusCode >= 400 && statusCode < 500;
      resolve({ kind: 'refused', reason: `the proxy answered ${statusCode}`, needsPerson });
    };
    call.on('connect', judge);
    // A proxy that knows no CONNECT answers as to any other request.
    call.on('response', (answer) => judge(answer, answer.socket, Buffer.alloc(0)));
    call.on('error', (fault) =>
      reject(new Error(`the proxy could not be reached: ${fault.message}`, { cause: fault })),
    );
    call.end();
  });
}
