/**
 * The yardsticks of everything over HTTP, as a process: reads the POST body, JSON.parses it and writes reply NUMBER of
 * the path /NUMBER from memory. `node:http` without anything, or `express` as its documentation shows it. Replies come
 * as base64 lines of a file.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import cluster from 'node:cluster';
import express from 'express';

const [kind = '', repliesFile = '', port = '0'] = process.argv.slice(2);
const replies = readFileSync(repliesFile, 'utf8')
  .split('\n')
  .map((line) => Buffer.from(line, 'base64'));

function bare(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    const reply = replyAt(request.url);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': reply.length });
    response.end(reply);
  });
}

function replyAt(path = ''): Buffer {
  return replies[Number(path.slice(1))] ?? Buffer.alloc(0);
}

function open(): Server {
  if (kind !== 'express') return createServer(bare).listen(Number(port), '127.0.0.1');
  const app = express();
  app.use(express.json());
  app.post('/:reply', (request, response) => {
    response.type('application/json').send(replyAt(request.url));
  });
  return app.listen(Number(port), '127.0.0.1');
}

if (kind === 'cluster' && cluster.isPrimary) {
  // Processes share the port; each takes the connections that the primary hands it.
  const PROCESSES = 2;
  // Without the observer, which is for the primary.
  cluster.setupPrimary({ execArgv: [] });
  let listening = 0;
  cluster.on('listening', (_worker, address) => {
    if (++listening === PROCESSES) process.stdout.write(`serves on ${address.port}\n`);
  });
  process.on('disconnect', () => process.exit());
  for (let count = 0; count < PROCESSES; count++) cluster.fork();
} else {
  const server = open();
  server.on('listening', () => {
    process.stdout.write(`serves on ${(server.address() as AddressInfo).port}\n`);
  });
}
