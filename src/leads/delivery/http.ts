import { buildConnector, Client, type Dispatcher } from 'undici';
import type { AttemptOutcome, HttpDelivery } from '../../adapters/crm-adapter.ts';
import { faultText } from '../fault-text.ts';

type HttpOutcome = Extract<AttemptOutcome, { kind: 'http' }>;

const MAX_BODY_BYTES = 64 * 1024;

/**
 * One request over a connection of its own, so that a kept-alive socket that the CRM has just closed is never
 * mistaken for an answer. Redirects are answers, not followed: the lead goes where the settings say and nowhere
 * else. Once the connection stands, a missing answer means that the lead may have arrived.
 */
export async function deliverHttp(delivery: HttpDelivery): Promise<HttpOutcome> {
  const progress = { connected: false };
  let client: Client | undefined;
  // One clock over everything: a server that drips bytes never trips a timeout between two of them.
  const signal = AbortSignal.timeout(delivery.timeoutMs);
  try {
    const url = new URL(delivery.url);
    client = openClient(url.origin, delivery.timeoutMs, () => (progress.connected = true));
    const response = await client.request({
      method: delivery.method,
      path: `${url.pathname}${url.search}`,
      headers: delivery.headers,
      body: delivery.body,
      idempotent: false,
      signal,
    });
    return await readAnswer(response);
  } catch (fault) {
    const error = signal.aborted ? `no answer within ${delivery.timeoutMs} ms` : faultText(fault);
    return { kind: 'http', sent: progress.connected ? 'maybe' : 'no', error };
  } finally {
    // A failed close has nothing left to tell: the attempt is judged.
    void client?.destroy().catch(() => undefined);
  }
}

function openClient(origin: string, timeoutMs: number, onConnected: () => void): Client {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false, minVersion: 'TLSv1.2' });
  return new Client(origin, {
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: (options, callback) => {
      connect(options, (...result) => {
        if (result[0] === null) onConnected();
        callback(...result);
      });
    },
  });
}

/** The status is the answer; a body that breaks off takes nothing from it. */
async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<HttpOutcome> {
  const answer = { kind: 'http', sent: 'yes', status: statusCode, headers: flatten(headers) } as const;
  const chunks: Buffer[] = [];
  const text = () => Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('utf8');
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_BODY_BYTES) break;
    }
    return { ...answer, body: text() };
  } catch (fault) {
    return { ...answer, body: text(), error: `the answer broke off: ${faultText(fault)}` };
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const present = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  return Object.fromEntries(
    present.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
