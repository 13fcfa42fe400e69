import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../model/log.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that can be started once and stopped. */
export interface Listener {
  /** Port 0 takes a free one. Rejects when the port is taken or not allowed. */
  listen(port: number, host: string): Promise<{ port: number }>;
  /** Takes no new calls, lets the running ones end, and resolves when every connection is closed. */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 15_000;
const IDLE_SOCKET_MS = 60_000;
const CLOSE_GRACE_MS = 5_000;
const MAX_HEADER_BYTES = 16_384;

/** node:http with bounds on time and header size, so that slow or endless requests end by themselves. */
export function createListener(handler: RequestHandler, log: Log): Listener {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: HEADERS_TIMEOUT_MS / 2,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Of two Content-Types none is taken, instead of silently the first.
      joinDuplicateHeaders: true,
    },
    (request, response) => {
      // A call that ends after close() began must not leave its connection open behind it.
      response.once('close', () => {
        if (!server.listening) setImmediate(() => server.closeIdleConnections());
      });
      handler(request, response);
    },
  );
  server.setTimeout(IDLE_SOCKET_MS);
  server.on('clientError', answerBrokenHttp);

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
        const impatience = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
        server.close(() => {
          clearTimeout(impatience);
          resolve();
        });
      }),
  };
}

/** What cannot be read as HTTP gets an answer in JSON too. */
function answerBrokenHttp(fault: NodeJS.ErrnoException, socket: Socket): void {
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = ANSWERS.get(fault.code ?? '') ?? BROKEN;
  const body = JSON.stringify({ error: { code: 'BAD_HTTP', message } });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const BROKEN = { status: '400 Bad Request', message: 'The request is no valid HTTP.' };

/** By node's code of the fault. */
const ANSWERS: ReadonlyMap<string, { status: string; message: string }> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    {
      status: '431 Request Header Fields Too Large',
      message: `The headers are longer than ${MAX_HEADER_BYTES} bytes.`,
    },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: '408 Request Timeout', message: 'The request did not come in whole in time.' },
  ],
]);
