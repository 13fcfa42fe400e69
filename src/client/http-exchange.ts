import { Agent, request, type Dispatcher } from 'undici';
import { AgentFault } from './agent-fault.ts';

const MAX_HEADER_BYTES = 32 * 1024;

export interface HttpQuestion {
  method: 'GET' | 'HEAD' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface HttpLimits {
  /** From the first connection to the last byte. */
  timeoutMs: number;
  maxBytes: number;
}

export interface HttpAnswer {
  status: number;
  /** Name in lower case. */
  header: (name: string) => string | undefined;
  text: string;
}

/**
 * One HTTP exchange, within bounds on size and time. Redirects are not followed. Throws an AgentFault, `unreachable`
 * where no whole answer came in time.
 */
export async function exchange(
  url: URL,
  { method, headers = {}, body }: HttpQuestion,
  limits: HttpLimits,
): Promise<HttpAnswer> {
  // A connection of its own: no earlier answer can have left it half closed.
  const dispatcher = new Agent({ maxHeaderSize: MAX_HEADER_BYTES, pipelining: 0 });
  const signal = AbortSignal.timeout(limits.timeoutMs);
  try {
    const answer = await request(url, {
      method,
      headers: { 'user-agent': 'dealer-bridge', 'accept-encoding': 'identity', ...headers },
      signal,
      dispatcher,
      ...(body === undefined ? {} : { body }),
    });
    const text = await readText(answer, limits.maxBytes);
    return { status: answer.statusCode, header: (name) => headerText(answer.headers[name]), text };
  } catch (fault) {
    if (fault instanceof AgentFault) throw fault;
    const reason = signal.aborted
      ? `no whole answer within ${limits.timeoutMs / 1000} s`
      : describeNetworkFault(fault);
    throw new AgentFault('unreachable', `${url.origin} can not be reached: ${reason}.`);
  } finally {
    // With it goes whatever is still on its way.
    await dispatcher.destroy();
  }
}

async function readText({ body }: Dispatcher.ResponseData, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new AgentFault('unsuitable', `The answer is larger than ${maxBytes} bytes; it was not read on.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

const NETWORK_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no server of that name',
  EAI_AGAIN: 'its name can not be looked up now',
  ECONNRESET: 'the server hung up',
  UND_ERR_SOCKET: 'the server hung up',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_HEADERS_OVERFLOW: 'its answer has too many headers',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by nobody but itself',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by nobody this machine knows',
};

function describeNetworkFault(fault: unknown): string {
  const code = (fault as { code?: unknown }).code;
  const known = typeof code === 'string' ? NETWORK_FAULTS[code] : undefined;
  return known ?? (fault instanceof Error ? fault.message : String(fault));
}
