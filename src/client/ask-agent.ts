import { setTimeout as pause } from 'node:timers/promises';
import type { SkillId } from '../model/skill.ts';
import type { AgentCard } from './agent-card.ts';
import { AgentFault } from './agent-fault.ts';
import { callHeaders, sendMessageCall } from './call-envelope.ts';
import { exchange, type HttpAnswer } from './http-exchange.ts';
import { isObject, parseJson, valueAt } from './json-value.ts';
import { readRefusal, type Refusal } from './refusal.ts';
import { messageFaults, payloadFaults, payloadOf } from './reply-faults.ts';

const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/** A longer wait is left to the person who asks. */
const LONGEST_PAUSE_MS = 5000;

export interface CallOptions {
  timeoutMs: number;
  token?: string;
}

export type Reply =
  | { kind: 'answered'; payload: Readonly<Record<string, unknown>>; notes: readonly string[] }
  | { kind: 'refused'; refusal: Refusal; notes: readonly string[] };

/**
 * Asks one question. `notes` tell what the reply does not keep of the protocol; it is handed over all the same. An
 * agent that asks for a little patience is asked once more. Throws an AgentFault when what comes is no JSON-RPC reply.
 */
export async function askAgent(
  agent: AgentCard,
  skill: SkillId,
  payload: object,
  options: CallOptions,
): Promise<Reply> {
  const reply = await askOnce(agent, skill, payload, options);
  if (reply.kind === 'answered' || reply.refusal.code !== 'RATE_LIMITED') return reply;
  const { retryAfterMs } = reply.refusal;
  if (retryAfterMs === undefined || retryAfterMs < 0 || retryAfterMs >= LONGEST_PAUSE_MS) return reply;
  await pause(retryAfterMs);
  return askOnce(agent, skill, payload, options);
}

async function askOnce(
  agent: AgentCard,
  skill: SkillId,
  payload: object,
  { timeoutMs, token }: CallOptions,
): Promise<Reply> {
  const call = sendMessageCall(skill, payload);
  const answer = await exchange(
    agent.endpoint,
    { method: 'POST', headers: callHeaders(token), body: JSON.stringify(call) },
    { timeoutMs, maxBytes: MAX_REPLY_BYTES },
  );
  return readReply(answer, skill, call.id);
}

function readReply(answer: HttpAnswer, skill: SkillId, id: string): Reply {
  const reply = parseJson(answer.text);
  if (!isObject(reply) || reply.jsonrpc !== '2.0') throw noReply(answer);
  const notes = reply.id === id || reply.id === null ? [] : ['the reply carries the id of another call'];
  if (isObject(reply.error)) {
    return { kind: 'refused', refusal: readRefusal(reply.error, answer.header('retry-after')), notes };
  }
  const payload = payloadOf(reply.result);
  if (!isObject(payload) || !isObject(valueAt(payload, 'data'))) {
    const faults = messageFaults(reply.result, skill).join('; ');
    throw new AgentFault(
      'unsuitable',
      `The reply holds no answer to ${skill}: ${faults || 'it has no data'}.`,
    );
  }
  return {
    kind: 'answered',
    payload,
    notes: [...notes, ...messageFaults(reply.result, skill), ...payloadFaults(payload, skill)],
  };
}

function noReply({ status, header }: HttpAnswer): AgentFault {
  if (status === 401 || status === 403) {
    return new AgentFault(
      'unsuitable',
      `The agent asks for a token (HTTP ${status}); give one with --token-env.`,
    );
  }
  const kind = status >= 500 ? 'unreachable' : 'unsuitable';
  const type = header('content-type') ?? 'no content type';
  return new AgentFault(kind, `The agent answers HTTP ${status} with no JSON-RPC reply (${type}).`);
}
