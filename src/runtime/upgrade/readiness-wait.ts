import { setTimeout as wait } from 'node:timers/promises';

const LOOK_MS = 500;
const ANSWER_MS = 5000;

/**
 * Waits until the bridge at this address of the admin port is ready and is of this version. Answers undefined then, or
 * else in words what it did instead; `ended` lets it give up early, with what it resolves to.
 */
export async function waitUntilReady(
  { origin, version, limitMs }: { origin: string; version: string; limitMs: number },
  ended: Promise<string>,
): Promise<string | undefined> {
  const end = Date.now() + limitMs;
  let early: string | undefined;
  void ended.then((reason) => (early = reason));
  for (;;) {
    const answer = await readinessAt(origin, version);
    if (answer === undefined) return undefined;
    if (early !== undefined) return early;
    if (Date.now() >= end) {
      return `it was not ready within ${Math.round(limitMs / 1000)} seconds: ${answer}`;
    }
    await wait(LOOK_MS);
  }
}

/** Undefined when it is ready; else why it is not. */
async function readinessAt(origin: string, version: string): Promise<string | undefined> {
  try {
    const ready = await ask(`${origin}/health/ready`);
    if (!ready.ok)
      return `${origin}/health/ready says ${String(ready.status)} ${reasonIn(await ready.json())}`;
    const health = (await (await ask(`${origin}/health`)).json()) as { version?: unknown };
    return health.version === version
      ? undefined
      : `${origin} is answered by version ${String(health.version)}`;
  } catch (fault) {
    const cause = fault instanceof Error ? (fault.cause ?? fault) : fault;
    return `${origin} does not answer (${cause instanceof Error ? cause.message : String(cause)})`;
  }
}

function ask(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' });
}

function reasonIn(answer: unknown): string {
  const reason = typeof answer === 'object' && answer !== null && 'reason' in answer ? answer.reason : '';
  return typeof reason === 'string' ? `(${reason.slice(0, 200)})` : '';
}
