import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

const LIMIT_MS = 5000;
const MAX_BYTES = 8 * 1024 * 1024;

export interface LocalAddress {
  host: string;
  port: number;
  isSecure: boolean;
}

/**
 * What a server on this machine answers to GET, as JSON; undefined when nobody answers or it is no JSON. The
 * certificate is not looked at: it is made out to the public name, and this goes to an address.
 */
export function askLocally({ host, port, isSecure }: LocalAddress, path: string): Promise<unknown> {
  const options = {
    host: reachable(host),
    port,
    path,
    agent: false,
    signal: AbortSignal.timeout(LIMIT_MS),
    ...(isSecure && { rejectUnauthorized: false }),
  };
  return new Promise((resolve) => {
    const nothing = (): void => resolve(undefined);
    const call = (isSecure ? secureRequest : plainRequest)(options, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_BYTES) answer.destroy(new Error('too long'));
      });
      answer.on('error', nothing);
      answer.on('end', () => resolve(parsed(Buffer.concat(chunks).toString('utf8'))));
    });
    call.on('error', nothing);
    call.end();
  });
}

/** What listens on every address is asked at one of this machine. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
