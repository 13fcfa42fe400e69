import { buildConnector, Client, type Dispatcher } from 'undici';
import { decodeAnswer } from './decode-answer.ts';
import { openTunnel, type Proxy } from './tunnel.ts';
import { isTrustFault } from './trust-fault.ts';
import { faultText } from '../fault-text.ts';

const MAX_BODY_BYTES = 64 * 1024;
/** A byte order mark is dropped, and must not make a text that was cut look whole. */
const READ_BYTES = MAX_BODY_BYTES + 3;

export interface OneRequest {
  /** HEAD asks whether somebody is there; its body is empty. */
  method: 'POST' | 'PUT' | 'HEAD';
  url: string;
  headers: Record<string, string>;
  body: string;
  tls?: { cert?: string; key?: string; passphrase?: string; ca?: string };
  proxy?: Proxy;
  timeoutMs: number;
}

/** `answered` with at most 64 KB of body, decoded, or where it broke off; `error` when that is not the whole text. */
export type RequestResult =
  | { answered: true; status: number; headers: Record<string, string>; body: string; error?: string }
  | {
      answered: false;
      /** `request`: the connection stood, the request may have arrived. */
      stage: 'connect' | 'proxy' | 'tls' | 'request';
      error: string;
      needsPerson: boolean;
    };

/**
 * One request over a connection of its own, so that a kept-alive socket that the server has just closed is never
 * mistaken for an answer. Redirects are answers, not followed: the lead goes where the settings say and nowhere
 * else. Once the connection stands, a missing answer means that the request may have arrived.
 */
export async function requestOnce(request: OneRequest): Promise<RequestResult> {
  const progress: Progress = { stage: 'connect' };
  // One clock over everything: a server that drips bytes never trips a timeout between two of them.
  const signal = AbortSignal.timeout(request.timeoutMs);
  let client: Client | undefined;
  try {
    const url = new URL(request.url);
    client = new Client(url.origin, {
      pipelining: 1,
      headersTimeout: request.timeoutMs,
      bodyTimeout: request.timeoutMs,
      connect: connector(request, signal, progress),
    });
    const response = await client.request({
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: withPlainAnswer(request.headers),
      body: request.body,
      idempotent: false,
      signal,
    });
    return await readAnswer(response);
  } catch (fault) {
    const error = signal.aborted ? `no answer within ${request.timeoutMs} ms` : faultText(fault);
    if (progress.stage === 'connect' && isTrustFault(fault)) {
      return { answered: false, stage: 'tls', error, needsPerson: true };
    }
    return {
      answered: false,
      stage: progress.stage,
      error,
      needsPerson: progress.refusedByProxy === true || (progress.stage === 'proxy' && isTrustFault(fault)),
    };
  } finally {
    // A failed close has nothing left to tell: the attempt is judged.
    void client?.destroy().catch(() => undefined);
  }
}

interface Progress {
  stage: 'connect' | 'proxy' | 'request';
  refusedByProxy?: boolean;
}

function connector(
  { tls, proxy, timeoutMs }: OneRequest,
  signal: AbortSignal,
  progress: Progress,
): buildConnector.connector {
  const connect = buildConnector({
    ...tls,
    timeout: timeoutMs,
    allowH2: false,
    minVersion: 'TLSv1.2',
    // A session that is taken up again would hide that the certificate has changed.
    maxCachedSessions: 0,
  });
  return (options, callback) => {
    const done: buildConnector.Callback = (...result) => {
      if (result[0] === null) progress.stage = 'request';
      callback(...result);
    };
    if (proxy === undefined) {
      connect(options, done);
      return;
    }
    progress.stage = 'proxy';
    const port = options.port === '' ? (options.protocol === 'https:' ? '443' : '80') : options.port;
    openTunnel(proxy, { host: options.hostname, port }, signal).then(
      (tunnel) => {
        if (tunnel.kind === 'refused') {
          progress.refusedByProxy = tunnel.needsPerson;
          callback(new Error(tunnel.reason), null);
        } else if (options.protocol === 'https:') {
          progress.stage = 'connect';
          connect({ ...options, httpSocket: tunnel.socket }, done);
        } else {
          done(null, tunnel.socket);
        }
      },
      (fault: unknown) => callback(fault instanceof Error ? fault : new Error(String(fault)), null),
    );
  };
}

/** Whoever is asked for nothing may send its answer in any coding (RFC 9110 section 12.5.3). */
function withPlainAnswer(headers: Record<string, string>): Record<string, string> {
  const isAsked = Object.keys(headers).some((name) => name.toLowerCase() === 'accept-encoding');
  return isAsked ? headers : { ...headers, 'Accept-Encoding': 'identity' };
}

/** The status is the answer; a body that breaks off takes nothing from it. */
async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<RequestResult> {
  const answer = { answered: true, status: statusCode, headers: flatten(headers) } as const;
  const { bytes, isCut, fault } = await readBytes(body as AsyncIterable<Buffer>);
  const contentEncoding = answer.headers['content-encoding'];
  const isPart = isCut || fault !== undefined;
  const { text, error } = await decodeAnswer({ bytes, contentEncoding, isPart, mostBytes: MAX_BODY_BYTES });
  const trouble = fault === undefined ? error : `the answer broke off: ${fault}`;
  return { ...answer, body: text, ...(trouble !== undefined && { error: trouble }) };
}

/** As much as is looked at; `isCut` when there may be more. */
async function readBytes(
  body: AsyncIterable<Buffer>,
): Promise<{ bytes: Buffer; isCut: boolean; fault?: string }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > READ_BYTES) break;
    }
  } catch (fault) {
    return { bytes: Buffer.concat(chunks), isCut: false, fault: faultText(fault) };
  }
  return { bytes: Buffer.concat(chunks), isCut: size > READ_BYTES };
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const present = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  return Object.fromEntries(
    present.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
