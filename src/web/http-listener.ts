import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { ServerLimits } from '../config/config.ts';
import type { Log } from '../model/log.ts';
import type { Certificate } from './certificate.ts';
import { limitConnections, callCounter } from './connection-limits.ts';
import { endEarly } from './early-answer.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that can be started once and stopped. */
export interface Listener {
  /** Port 0 takes a free one. Rejects when the port is taken or not allowed. */
  listen(port: number, host: string): Promise<{ port: number }>;
  /** Takes no new calls, lets the running ones end, and resolves when every connection is closed. */
  close(): Promise<void>;
}

export interface ListenerOptions {
  limits: ServerLimits;
  /** Set: https. */
  certificate?: Certificate | undefined;
  /** Whose connections are those of many. */
  isProxy: (address: string) => boolean;
}

const CLOSE_GRACE_MS = 5_000;
const FAREWELL_MS = 1_000;

/** A year: whoever has come by https once shall not be led astray to http. */
const HSTS = 'max-age=31536000';

/** node:http or node:https with bounds on time, size and number, so that slow or endless requests end by themselves. */
export function createListener(handler: RequestHandler, log: Log, options: ListenerOptions): Listener {
  const { limits, certificate, isProxy } = options;
  const mayCall = callCounter(limits);
  const isTls = certificate !== undefined;
  /** A call that ends after close() began must not leave its connection open behind it. */
  const afterCall = (): void => {
    if (!server.listening) setImmediate(() => server.closeIdleConnections());
  };
  const serve: RequestHandler = (request, response) => {
    response.on('close', afterCall);
    if (!mayCall(request, response)) return;
    if (isTls) response.setHeader('Strict-Transport-Security', HSTS);
    const refusal = refusalOf(request, limits);
    if (refusal === undefined) handler(request, response);
    else refuse(request, response, refusal);
  };
  const server = openServer(options, serve);
  // Without these node answers by itself: go on, whatever is announced, or with nothing but a status.
  server.on('checkContinue', serve);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (mayCall(request, response)) refuse(request, response, UNKNOWN_EXPECTATION);
  });
  server.maxConnections = limits.max_connections;
  server.maxRequestsPerSocket = limits.max_requests_per_connection;
  // Counted by ourselves: beyond its own limit node drops the rest without a word, or calls the headers too long.
  // Their length bounds how many there can be.
  server.maxHeadersCount = 0;
  server.setTimeout(milliseconds(limits.idle_timeout_seconds));
  const connections = limitConnections(server, limits, isProxy);
  server.on('clientError', (fault: NodeJS.ErrnoException, socket: Socket) => {
    answerBrokenHttp(fault, socket, limits.max_header_bytes);
  });

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          // Such as no file handle left for one more connection: those that are open go on.
          server.on('error', (fault: NodeJS.ErrnoException) => {
            log.error({ code: fault.code }, 'a connection could not be taken');
          });
          const address = server.address();
          resolve({ port: typeof address === 'object' && address !== null ? address.port : port });
        });
      }),
    close: () =>
      new Promise((resolve) => {
        // All, those in their TLS handshake included, which the server itself does not know yet.
        const impatience = setTimeout(() => {
          for (const socket of connections) socket.destroy();
        }, CLOSE_GRACE_MS);
        server.close(() => {
          clearTimeout(impatience);
          resolve();
        });
      }),
  };
}

function openServer({ limits, certificate }: ListenerOptions, handler: RequestHandler): Server {
  const headersTimeout = milliseconds(limits.header_timeout_seconds);
  const requestTimeout = Math.max(milliseconds(limits.request_timeout_seconds), headersTimeout);
  const settings: ServerOptions = {
    headersTimeout,
    requestTimeout,
    keepAliveTimeout: milliseconds(limits.keep_alive_seconds),
    connectionsCheckingInterval: Math.max(headersTimeout / 2, 50),
    maxHeaderSize: limits.max_header_bytes,
    // Of two Content-Types none is taken, instead of silently the first.
    joinDuplicateHeaders: true,
    // Looked for by ourselves, so that the answer is JSON as any other.
    requireHostHeader: false,
  };
  if (certificate === undefined) return createServer(settings, handler);
  const server = createTlsServer(
    { ...settings, ...certificate.options, handshakeTimeout: headersTimeout },
    handler,
  );
  // Open connections go on with the certificate that they have begun with.
  certificate.onChange((fresh) => server.setSecureContext(fresh));
  return server;
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

interface HttpRefusal {
  status: number;
  message: string;
}

const UNKNOWN_EXPECTATION: HttpRefusal = {
  status: 417,
  message: 'Nothing but 100-continue can be expected.',
};

/** RFC 9112 section 3.2: a request of HTTP/1.1 has one Host, which the server would join to a list if there were two. */
function refusalOf(
  { headers, httpVersion, rawHeaders }: IncomingMessage,
  limits: ServerLimits,
): HttpRefusal | undefined {
  if (rawHeaders.length > 2 * limits.max_headers) {
    return { status: 431, message: `The request has more than ${limits.max_headers} headers.` };
  }
  if (headers.host === undefined ? httpVersion === '1.1' : headers.host.includes(',')) {
    return { status: 400, message: 'The request must have one Host header.' };
  }
  return undefined;
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, message }: HttpRefusal): void {
  const body = brokenText(message);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  endEarly(request, response, body);
}

/** What cannot be read as HTTP gets an answer in JSON too. */
function answerBrokenHttp(fault: NodeJS.ErrnoException, socket: Socket, maxHeaderBytes: number): void {
  // Nobody to answer, or no way to: a TLS handshake that failed or never ended comes here, too.
  const isHttp = fault.code?.startsWith('HPE_') === true || fault.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (!isHttp || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = brokenAnswer(fault.code, maxHeaderBytes);
  const body = brokenText(message);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Destroyed at once the answer might get lost; never, somebody could hold the connection open.
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
}

/** By node's code of the fault. */
function brokenAnswer(code: string | undefined, maxHeaderBytes: number): { status: string; message: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        message: `The headers are longer than ${maxHeaderBytes} bytes.`,
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: '408 Request Timeout', message: 'The request did not come in whole in time.' };
    default:
      return { status: '400 Bad Request', message: 'The request is no valid HTTP.' };
  }
}

function brokenText(message: string): string {
  return JSON.stringify({ error: { code: 'BAD_HTTP', message } });
}
