import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Agent } from '../agent/agent.ts';
import { newRequestId } from '../model/identifier.ts';
import type { Log } from '../model/log.ts';
import { isLong, readBody } from './body.ts';
import type { CallerFinder } from './caller.ts';
import { CROSS_ORIGIN_HEADERS, PREFLIGHT_HEADERS, SAFE_HEADERS } from './headers.ts';
import type { RequestHandler } from './http-listener.ts';
import { readTarget } from './request-target.ts';

export const A2A_PATH = '/a2a';

const REPLY_HEADERS: Readonly<Record<string, string>> = {
  ...SAFE_HEADERS,
  ...CROSS_ORIGIN_HEADERS,
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
};

/** A plain handler beside express, which would take most of the time of a call on this path. */
export function createA2aRoute(
  agent: Agent,
  callerOf: CallerFinder,
  bodyLimitBytes: number,
  log: Log,
): RequestHandler {
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
    const requestId = newRequestId();
    const { caller, refusal } = agent.door.admit(request.headers.authorization, callerOf(request));
    const body = refusal === undefined ? await readBody(request, bodyLimitBytes) : 'unread';
    const reply = await agent.handle({
      requestId,
      method: request.method ?? '',
      contentType: request.headers['content-type'],
      headers: (name) => request.headers[name]?.toString(),
      query: new URLSearchParams(readTarget(request.url ?? '').query),
      caller,
      refusedAtDoor: refusal,
      body,
    });
    if (body === 'too_large' || (body === 'unread' && isLong(request))) response.shouldKeepAlive = false;
    response.writeHead(reply.status, {
      ...REPLY_HEADERS,
      ...reply.headers,
      'X-Request-Id': requestId,
      ...(reply.status === 204 ? {} : { 'Content-Length': Buffer.byteLength(reply.body) }),
    });
    response.end(request.method === 'HEAD' ? undefined : reply.body);
    const duration_ms = Math.round((performance.now() - startedAt) * 10) / 10;
    log.info({ request_id: requestId, status: reply.status, ...reply.facts, duration_ms }, 'call answered');
  }
}
