import { setImmediate } from 'node:timers/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much of a request that is answered already is still taken, only to be thrown away, and for how long. */
const MAX_DRAINED_BYTES = 1_048_576;
const MAX_DRAIN_MS = 3_000;

/**
 * To be asked before the head of an answer is written: whether the request has not come in whole. Then the connection
 * is not kept, since what comes next on it would be the rest of this request, and `endEarly` ends the answer.
 */
export async function isEarly(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  // What has come in one piece with the head is looked through only after the head.
  await setImmediate();
  if (request.complete) return false;
  response.shouldKeepAlive = false;
  return true;
}

/**
 * Ends an answer whose head is written while its request still comes in. Who is hung up on while sending may never see
 * what was answered, so it goes out first, and the connection stays until the sender has done the same, within bounds.
 */
export function endEarly(request: IncomingMessage, response: ServerResponse, body: string): void {
  if (response.destroyed) return;
  if (request.method === 'HEAD' || body.length === 0) response.flushHeaders();
  else response.write(body);
  drain(request, () => response.end());
}

function drain(request: IncomingMessage, done: () => void): void {
  let size = 0;
  const timer = setTimeout(finish, MAX_DRAIN_MS);
  request.on('data', count);
  request.on('close', finish);
  request.on('end', finish);
  request.on('error', finish);
  request.resume();

  function count(chunk: Buffer): void {
    size += chunk.length;
    if (size > MAX_DRAINED_BYTES) finish();
  }

  function finish(): void {
    clearTimeout(timer);
    request.off('data', count);
    done();
  }
}
