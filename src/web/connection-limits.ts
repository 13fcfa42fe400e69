import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ServerLimits } from '../config/config.ts';
import { clientNetwork, readIpAddress } from '../model/ip-network.ts';

/**
 * Keeps the open connections (of TLS: those below it), and closes connections beyond what one address may hold. Trusted proxies are not counted: they hold the connections
 * of everybody.
 */
export function limitConnections(
  server: Server,
  { max_connections_per_client: most }: ServerLimits,
  isProxy: (address: string) => boolean,
): ReadonlySet<Socket> {
  const all = new Set<Socket>();
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    all.add(socket);
    socket.once('close', () => all.delete(socket));
    const address = readIpAddress(socket.remoteAddress ?? '');
    if (address === undefined || isProxy(address)) return;
    const client = clientNetwork(address);
    const count = (open.get(client) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    open.set(client, count);
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1;
      if (left === 0) open.delete(client);
      else open.set(client, left);
    });
  });
  return all;
}

/**
 * Counts the calls of each connection. False when one has more waiting for their answer than it may: then the
 * connection is closed, as whoever floods it does not read answers either. After the last call that a connection
 * may carry it is closed, too, once that is answered.
 */
export function callCounter({
  max_pipelined_requests: mostWaiting,
  max_requests_per_connection: mostInAll,
}: ServerLimits): (request: IncomingMessage, response: ServerResponse) => boolean {
  const connections = new WeakMap<Socket, { waiting: number; inAll: number }>();
  return ({ socket }, response) => {
    let calls = connections.get(socket);
    if (calls === undefined) {
      calls = { waiting: 0, inAll: 0 };
      connections.set(socket, calls);
    }
    calls.waiting += 1;
    calls.inAll += 1;
    if (calls.waiting > mostWaiting) {
      socket.destroy();
      return false;
    }
    const counted = calls;
    response.on('close', () => (counted.waiting -= 1));
    if (calls.inAll >= mostInAll) response.shouldKeepAlive = false;
    return true;
  };
}
