import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, Door } from '../agent/door/door.ts';
import { isCompressed, isJson } from '../agent/http-checks.ts';
import type { McpFace, McpFacts } from '../agent/mcp/mcp-face.ts';
import { newRequestId } from '../model/identifier.ts';
import type { Log } from '../model/log.ts';
import { readBody } from './body.ts';
import type { CallCounts } from './call-counts.ts';
import type { CallerFinder } from './caller.ts';
import { endEarly, isEarly } from './early-answer.ts';
import { SAFE_HEADERS } from './headers.ts';
import type { RequestHandler } from './http-listener.ts';
import type { McpGuard } from './mcp-guard.ts';

export const MCP_PATH = '/mcp';

/** No server pushes anything here, so there is no stream to GET and no session to DELETE. */
const ALLOWED_METHODS = 'POST, OPTIONS';

const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': ALLOWED_METHODS,
  'Access-Control-Allow-Headers':
    'Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, MCP-Session-Id',
  'Access-Control-Max-Age': '86400',
};

export interface McpRouteParts {
  face: McpFace;
  door: Door;
  guard: McpGuard;
  callerOf: CallerFinder;
  bodyLimitBytes: number;
  log: Log;
  calls: CallCounts;
}

interface Answer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  facts: McpFacts & { token?: string; client?: string };
}

const utf8 = new TextDecoder();

const TOO_LARGE = refused(413, 'Invalid request: the body is too large', '413');

/** MCP's streamable HTTP, stateless: every message is a POST of its own and gets its answer as JSON. */
export function createMcpRoute({
  face,
  door,
  guard,
  callerOf,
  bodyLimitBytes,
  log,
  calls,
}: McpRouteParts): RequestHandler {
  return (request, response) => {
    answer(request, response).catch((fault: unknown) => {
      if (!response.destroyed && !response.headersSent) {
        log.error({ err: fault }, 'MCP request failed');
        response.writeHead(500, { 'Content-Type': 'application/json' });
        response.end(rpcError(-32603, 'Internal error'));
        return;
      }
      // Only a sender who hung up gets here.
      log.debug({ reason: fault instanceof Error ? fault.message : String(fault) }, 'MCP call broken off');
      response.destroy();
    });
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const requestId = newRequestId();
    const { status, headers, body, facts } = await serve(request, response, requestId);
    if (response.destroyed) return;
    const early = !request.complete && (await isEarly(request, response));
    response.writeHead(status, {
      ...SAFE_HEADERS,
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      ...guard.crossOriginHeaders(request),
      ...headers,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(status === 204 ? {} : { 'Content-Length': Buffer.byteLength(body ?? '') }),
    });
    if (early) endEarly(request, response, body ?? '');
    else response.end(request.method === 'HEAD' ? undefined : body);
    const durationMs = performance.now() - startedAt;
    calls.count(facts.skill, facts.code ?? 'ok', durationMs);
    const duration_ms = Math.round(durationMs * 10) / 10;
    log.info({ request_id: requestId, status, ...facts, duration_ms }, 'MCP message answered');
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<Answer> {
    const foreign = guard.refuse(request);
    if (foreign !== undefined) return refused(403, `Forbidden: ${foreign}`, 'FOREIGN');
    if (request.method === 'OPTIONS') return { status: 204, headers: PREFLIGHT_HEADERS, facts: {} };
    if (request.method !== 'POST') {
      return { ...refused(405, 'Method not allowed: use POST', '405'), headers: { Allow: ALLOWED_METHODS } };
    }
    const { caller, refusal } = door.admit(request.headers.authorization, callerOf(request));
    if (refusal !== undefined) {
      const { status, headers, error, code } = refusal;
      const closed = { ...refused(status, error.message, code), headers };
      return withClient(face.admit(undefined, caller).refusal ?? closed, caller);
    }
    const unfit = refuseHead(request);
    const body = unfit ?? (await readBody(request, response, bodyLimitBytes));
    if (body === 'too_large' || 'status' in body) {
      return withClient(face.admit(undefined, caller).refusal ?? unfit ?? TOO_LARGE, caller);
    }
    const message = parse(body);
    const admission = face.admit(message, caller);
    if (admission.refusal !== undefined) return withClient(admission.refusal, caller);
    const facts = { ...admission.facts, ...tokenOf(caller) };
    const reply = await answerMessage({ request, response, requestId, message, facts });
    return { ...reply, facts: { ...facts, code: facts.code ?? codeOfReply(reply.body) } };
  }

  /** What MCP's transport would say as well, or would not, before anybody is waited for. */
  function refuseHead({ headers }: IncomingMessage): Answer | undefined {
    if (!isJson(headers['content-type'] ?? '')) {
      return refused(415, 'Unsupported Media Type: Content-Type must be application/json', '-32000', -32000);
    }
    if (isCompressed(headers['content-encoding'])) {
      return refused(415, 'Unsupported Media Type: the body must not be compressed', '-32000', -32000);
    }
    return Number(headers['content-length'] ?? 0) > bodyLimitBytes ? TOO_LARGE : undefined;
  }

  /** A server and a transport for this message alone: shared ones mix the answers of callers with equal ids. */
  async function answerMessage({
    request,
    response,
    requestId,
    message,
    facts,
  }: OpenMessage): Promise<Omit<Answer, 'facts'>> {
    const server = await face.openServer(requestId, facts);
    const { WebStandardStreamableHTTPServerTransport } =
      await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    response.once('close', () => {
      void server.close();
    });
    await server.connect(transport);
    const reply = await transport.handleRequest(asWebRequest(request), { parsedBody: message });
    const text = await reply.text();
    return { status: reply.status, ...(text === '' ? {} : { body: text }) };
  }
}

/** What MCP itself refuses, such as a tool that is not there, it answers without asking a skill. */
function codeOfReply(body: string | undefined): string {
  const reply: unknown = body === undefined ? undefined : JSON.parse(body);
  const { error } = (reply ?? {}) as { error?: { code?: unknown } };
  return error === undefined ? 'ok' : String(error.code);
}

interface OpenMessage {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  message: unknown;
  facts: McpFacts;
}

/** What is no JSON stays undefined, and MCP's transport says so after it has looked at the headers. */
function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/** The headers that MCP's transport looks at. A body only stands for one that is no JSON. */
function asWebRequest({ headers }: IncomingMessage): Request {
  const kept = ['accept', 'content-type', 'mcp-protocol-version'].flatMap((name): [string, string][] => {
    const value = headers[name]?.toString();
    return value === undefined ? [] : [[name, value]];
  });
  return new Request('http://bridge.invalid/mcp', { method: 'POST', headers: kept, body: '-' });
}

/** Whose budget a refused call belongs to, so that the dealer can shut a nuisance out. */
function withClient(answer: Answer, caller: Caller): Answer {
  return { ...answer, facts: { ...answer.facts, ...tokenOf(caller), client: caller.key } };
}

function tokenOf({ token }: Caller): { token?: string } {
  return token === undefined ? {} : { token: token.name };
}

function refused(status: number, message: string, code: string, rpcCode = -32600): Answer {
  return { status, body: rpcError(rpcCode, message), facts: { code } };
}

function rpcError(code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
}
