/**
 * The clients of a bench, as a process of their own: so many connections, each writing ready bytes and
 * waiting for the whole reply before it writes the next. Reads nothing but the length of the reply, so that it costs
 * as little as can be: it shares the machine with whom it measures.
 */
import { connect, type Socket } from 'node:net';

export interface LoadOrder {
  port: number;
  /** Whole requests as text, head and body, which are sent in turn. */
  requests: readonly string[];
  clients: number;
  ms: number;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  medianMs: number;
  p99Ms: number;
  /** The body of one reply. */
  body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const CLOSING = /\r\nconnection: *close/i;

process.on('message', (order: LoadOrder) => {
  void load(order).then(
    (result) => process.send?.(result),
    (fault: unknown) => process.send?.({ fault: String(fault) }),
  );
});
process.on('disconnect', () => process.exit());

async function load({ port, requests, clients, ms }: LoadOrder): Promise<LoadResult> {
  const times: number[] = [];
  const bytes = requests.map((request) => Buffer.from(request));
  let sent = 0;
  const next = (): Buffer => bytes[sent++ % bytes.length] ?? Buffer.alloc(0);
  const started = performance.now();
  const until = started + ms;
  const bodies = await Promise.all(
    Array.from({ length: clients }, () => oneClient(port, next, until, times)),
  );
  const seconds = (performance.now() - started) / 1_000;
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { requests: times.length, seconds, medianMs: at(0.5), p99Ms: at(0.99), body: bodies[0] ?? '' };
}

/** Comes back on a new connection when the server has closed the old one, as it does after so many requests. */
async function oneClient(port: number, next: () => Buffer, until: number, times: number[]): Promise<string> {
  const body = await oneConnection(port, next, until, times);
  while (performance.now() < until) await oneConnection(port, next, until, times);
  return body;
}

/** Resolves with the body of its first reply. */
function oneConnection(port: number, next: () => Buffer, until: number, times: number[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let isLast = false;
    let sentAt = 0;
    /** Bytes of the running reply that are still to come; 0 = its head is. */
    let rest = 0;
    const first: Buffer[] = [];
    let replies = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(next());
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server hung up')));
    socket.on('data', (chunk: Buffer) => {
      if (replies === 0) first.push(chunk);
      if (rest === 0) {
        const head = headOf(chunk);
        isLast = CLOSING.test(head);
        rest = head.length + HEAD_END.length + lengthIn(head);
      }
      rest -= chunk.length;
      if (rest > 0) return;
      const now = performance.now();
      replies += 1;
      times.push(now - sentAt);
      if (now < until && !isLast) {
        send();
        return;
      }
      socket.removeAllListeners('close');
      socket.destroy();
      const whole = Buffer.concat(first).toString();
      resolve(whole.slice(whole.indexOf('\r\n\r\n') + 4));
    });
  });
}

/** A head comes in one piece. */
function headOf(chunk: Buffer): string {
  const end = chunk.indexOf(HEAD_END);
  const head = chunk.toString('latin1', 0, Math.max(end, 0));
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`no reply: ${chunk.toString()}`);
  return head;
}

function lengthIn(head: string): number {
  const length = LENGTH.exec(head)?.[1];
  if (length === undefined) throw new Error(`no length: ${head}`);
  return Number(length);
}
