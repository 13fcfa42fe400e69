import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

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
      void readMail(stream).then(async (raw) => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ raw, mail: await simpleParser(raw), recipients });
        done();
      });
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
