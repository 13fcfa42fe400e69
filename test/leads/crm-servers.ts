import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions as SecureServerOptions } from 'node:https';
import {
  connect as connectSocket,
  createServer as createSocketServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '../feeds-sources/loopback-certificate.ts';

interface ReceivedMail {
  raw: string;
  mail: ParsedMail;
  recipients: string[];
}

/** A real SMTP server on loopback that keeps what it takes; `options` override how it behaves. */
export async function startSmtp(options: SMTPServerOptions = {}, port = 0) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onData: (stream, session, done) => {
      void readMail(stream).then(
        async (raw) => {
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          received.push({ raw, mail: await simpleParser(raw), recipients });
          done();
          // A client that hung up in the middle has sent nothing.
        },
        () => undefined,
      );
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  return { server, received, port: (server.server.address() as AddressInfo).port, close };
}

export async function readMail(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A real HTTP server on loopback; `answer` gets each request with its body and its number, from 1. */
export async function startHttp(
  answer: (request: ReceivedRequest, response: ServerResponse, number: number) => void,
) {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void readMail(request).then((body) => {
      received.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
      });
      answer(received.at(-1)!, response, received.length);
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { received, url };
}

/** A server of bare sockets, for what no well-behaved server does. */
export async function startSocket(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  return listen(server);
}

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createSocketServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server that hands out access tokens; `answer` may give another status and body. Tokens are `token-1`, `token-2` … */
export async function startTokenServer(
  answer?: (number: number) => { status: number; body: unknown } | undefined,
) {
  const { url, received } = await startHttp((_request, response, number) => {
    const given = answer?.(number) ?? {
      status: 200,
      body: { access_token: `token-${number}`, expires_in: 3600, token_type: 'Bearer' },
    };
    response.writeHead(given.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(given.body));
  });
  return {
    url: `${url}/token`,
    received,
    forms: () => received.map(({ body }) => Object.fromEntries(new URLSearchParams(body))),
  };
}

/** A proxy that tunnels (CONNECT); with `login`, only for that one. */
export async function startProxy(login?: { user: string; password: string }) {
  const asked: string[] = [];
  const server = createServer((_request, response) => response.writeHead(400).end());
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push(request.url ?? '');
    socket.on('error', () => undefined);
    const expected = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
    if (request.headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${request.url ?? ''}`);
    const onward = connectSocket(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    onTestFinished(() => void onward.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}

/** An https server on loopback with the loopback certificate; `options` may ask clients for theirs. */
export async function startHttps(options: SecureServerOptions = {}) {
  const received: ReceivedRequest[] = [];
  const server = createSecureServer(
    { cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_KEY, ...options },
    (request, response) => {
      void readMail(request).then((body) => {
        const { method = '', url = '', headers } = request;
        received.push({ method, url, headers, body });
        response.end('ok');
      });
    },
  );
  server.on('tlsClientError', () => undefined);
  return { url: `https://127.0.0.1:${await listen(server)}`, received };
}
