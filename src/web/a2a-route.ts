import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Agent } from '../agent/agent.ts';
import { refuseHead, TOO_LARGE } from '../agent/http-checks.ts';
import type { HttpRefusal } from '../agent/http-checks.ts';
import type { DoorRefusal } from '../agent/door/door-refusal.ts';
import { newRequestId } from '../model/identifier.ts';
import type { Log } from '../model/log.ts';
import { readBody } from './body.ts';
import { CallTurn } from './call-turn.ts';
import type { CallCounts } from './call-counts.ts';
import type { CallerFinder } from './caller.ts';
import { endEarly, isEarly } from './early-answer.ts';
import { CROSS_ORIGIN_HEADERS, PREFLIGHT_HEADERS, SAFE_HEADERS } from './headers.ts';
import type { RequestHandler } from './http-listener.ts';
import { readTarget } from './request-target.ts';

export const A2A_PATH = '/a2a';

/** Names and values in turn, as node writes them without looking anything up. */
const REPLY_HEADERS: readonly string[] = Object.entries({
  ...SAFE_HEADERS,
  ...CROSS_ORIGIN_HEADERS,
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
}).flat();

/** Nearly no call has a query. */
const NO_QUERY = new URLSearchParams();

/** A plain handler beside express, which would take most of the time of a call on this path. */
export function createA2aRoute(
  agent: Agent,
  callerOf: CallerFinder,
  bodyLimitBytes: number,
  log: Log,
  calls: CallCounts,
): RequestHandler {
  const turn = new CallTurn();
  return (request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, PREFLIGHT_HEADERS).end();
      return;
    }
    serve(request, response).catch((fault: unknown) => {
      // Only a sender who hung up gets here: the agent itself never rejects.
      log.debug({ reason: fault instanceof Error ? fault.message : String(fault) }, 'call broken off');
      response.destroy();
    });
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    turn.begin();
    const requestId = newRequestId();
    const { caller, refusal } = agent.door.admit(request.headers.authorization, callerOf(request));
    const body = refuseUnread(request, refusal) ?? (await readBody(request, response, bodyLimitBytes));
    await turn.together();
    const { query } = readTarget(request.url ?? '');
    const reply = await agent.handle({
      requestId,
      headers: (name) => request.headers[name]?.toString(),
      query: query === '' ? NO_QUERY : new URLSearchParams(query),
      caller,
      body: body === 'too_large' ? TOO_LARGE : body,
    });
    const early = !request.complete && (await isEarly(request, response));
    const { body: text } = reply;
    const length = Buffer.byteLength(text);
    const headers = [...REPLY_HEADERS, 'X-Request-Id', requestId];
    for (const name in reply.headers) headers.push(name, reply.headers[name] ?? '');
    if (reply.status !== 204) headers.push('Content-Length', String(length));
    response.writeHead(reply.status, headers);
    if (early) endEarly(request, response, text);
    else if (request.method === 'HEAD' || length === 0) response.end();
    // Plain ASCII is the same bytes either way, and is copied into the socket's buffer instead of being encoded.
    else response.end(text, length === text.length ? 'latin1' : 'utf8');
    const durationMs = performance.now() - startedAt;
    calls.count(reply.facts.skill, reply.facts.code, durationMs);
    const duration_ms = Math.round(durationMs * 10) / 10;
    log.info({ request_id: requestId, status: reply.status, ...reply.facts, duration_ms }, 'call answered');
  }

  function refuseUnread(
    { method, headers }: IncomingMessage,
    refusal: DoorRefusal | undefined,
  ): HttpRefusal | undefined {
    const head = {
      method,
      contentType: headers['content-type'],
      contentEncoding: headers['content-encoding'],
      contentLength: headers['content-length'],
    };
    return refuseHead(head, refusal, bodyLimitBytes);
  }
}
