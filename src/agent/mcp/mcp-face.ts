import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { formatInstant } from '../../model/clock.ts';
import type { Clock } from '../../model/clock.ts';
import { newErrorId } from '../../model/identifier.ts';
import type { Log } from '../../model/log.ts';
import type { SkillId } from '../../model/skill.ts';
import type { Caller, Door } from '../door/door.ts';
import { aapError, RPC_CODES } from '../errors.ts';
import type { Refusal, RpcError } from '../errors.ts';
import { errorText, resultText } from '../json-rpc.ts';
import { isObject } from '../proto-json.ts';
import type { SkillSet } from '../skill-set.ts';
import { toolResult } from './tool-result.ts';
import type { ToolServer, ToolServers } from './tool-server.ts';
import { toolName } from './tools.ts';

/** What the access log tells of a message: no payload. */
export interface McpFacts {
  /** As it was sent, where it has the form of a method. */
  method?: string;
  skill?: SkillId;
  /** `ok`, an AAP code or one of the door. */
  code?: string;
  /** Of an `aap.error`, so that the dealer finds the case again. */
  error_id?: string;
}

interface McpReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** JSON text. */
  body: string;
  facts: McpFacts;
}

/** The skills as MCP tools. The web room carries the messages. */
export interface McpFace {
  /** What a message asks for, and the answer when it goes no further: a batch, no entry, too often. */
  admit(message: unknown, caller: Caller): { facts: McpFacts; refusal?: McpReply };
  /** A server for one message of one client; `facts` is filled in while it answers. */
  openServer(requestId: string, facts: McpFacts): Promise<ToolServer>;
}

export interface McpFaceParts {
  skillSet: SkillSet;
  door: Door;
  dealerName: string;
  programVersion: string;
  clock: Clock;
  log: Log;
}

export function createMcpFace({ skillSet, door, clock, log, ...names }: McpFaceParts): McpFace {
  const skills = new Map(skillSet.skills.map((skill) => [skill.id, skill]));
  const skillOf = new Map([...skills.keys()].map((skill) => [toolName(skill), skill]));
  let toolServers: Promise<ToolServers> | undefined;

  /** MCP's SDK is large, and few bridges are ever asked for their tools. */
  async function loadToolServers(): Promise<ToolServers> {
    const { createToolServers } = await import('./tool-server.ts');
    return createToolServers({ skills: [...skills.keys()], ...names });
  }

  return {
    admit: (message, caller) => {
      if (Array.isArray(message)) return batchRefusal(caller);
      if (!isRequest(message)) return { facts: {}, ...refuseHasty(undefined, undefined, {}, caller) };
      const skill = skillAsked(message);
      const facts: McpFacts = {
        method: loggedMethod(message.method),
        ...(skill === undefined ? {} : { skill }),
      };
      const shut = skill === undefined ? undefined : door.refuseSkill(caller, skill);
      const hasty = refuseHasty(message, skill, facts, caller);
      if (hasty.refusal !== undefined || shut === undefined) return { facts, ...hasty };
      const { status, headers, error, code } = shut;
      return {
        facts,
        refusal: { status, headers, body: errorText(message.id, error), facts: { ...facts, code } },
      };
    },
    openServer: async (requestId, facts) => {
      const newServer = await (toolServers ??= loadToolServers());
      return newServer(async (skillId, payload) => {
        facts.code = 'ok';
        const skill = skills.get(skillId);
        try {
          if (skill === undefined) throw new Error(`no skill ${skillId}`);
          const outcome = await skillSet.answer(skill, payload);
          return outcome.kind === 'answered' ? outcome : refused(outcome.refusal, facts);
        } catch (fault) {
          const reply = refused({ code: 'INTERNAL_ERROR' }, facts);
          log.error({ request_id: requestId, error_id: facts.error_id, err: fault }, 'call failed');
          return reply;
        }
      });
    },
  };

  function skillAsked({ method, params }: JSONRPCRequest): SkillId | undefined {
    if (method !== 'tools/call' || !isObject(params) || typeof params.name !== 'string') return undefined;
    return skillOf.get(params.name);
  }

  /** Later versions of MCP have no batches, and each message needs its own look at the door. */
  function batchRefusal(caller: Caller): { facts: McpFacts; refusal: McpReply } {
    const hasty = refuseHasty(undefined, undefined, {}, caller);
    const text = 'Invalid request: batches are not served; send one message at a time';
    const body = errorText(null, { code: RPC_CODES.invalidRequest, message: text });
    return {
      facts: {},
      refusal: hasty.refusal ?? { status: 400, headers: {}, body, facts: { code: 'batch' } },
    };
  }

  /** A tool that was called too often says so as any refusal of a skill; to all else HTTP does. */
  function refuseHasty(
    message: JSONRPCRequest | undefined,
    skill: SkillId | undefined,
    facts: McpFacts,
    caller: Caller,
  ): { refusal?: McpReply } {
    const waitMs = door.charge(caller, skill);
    if (waitMs === 0) return {};
    const told = { ...facts };
    const error = rpcError({ code: 'RATE_LIMITED', details: { retry_after_ms: waitMs } }, told);
    const headers = { 'Retry-After': String(Math.ceil(waitMs / 1000)) };
    if (message === undefined || skill === undefined) {
      return { refusal: { status: 429, headers, body: errorText(message?.id ?? null, error), facts: told } };
    }
    const result = JSON.stringify(toolResult({ kind: 'refused', error: error.data }));
    return { refusal: { status: 200, headers, body: resultText(message.id, result), facts: told } };
  }

  function refused(refusal: Refusal, facts: McpFacts) {
    return { kind: 'refused', error: rpcError(refusal, facts).data } as const;
  }

  function rpcError(refusal: Refusal, facts: McpFacts): RpcError {
    facts.code = refusal.code;
    facts.error_id = newErrorId();
    return aapError(refusal, facts.error_id, formatInstant(clock.now()));
  }
}

/** As far as the door asks; the rest is looked at by MCP's transport. */
function isRequest(message: unknown): message is JSONRPCRequest {
  if (!isObject(message)) return false;
  const { jsonrpc, id, method } = message;
  const hasId = typeof id === 'string' || Number.isInteger(id);
  return jsonrpc === '2.0' && hasId && typeof method === 'string';
}

/** Anybody may send anything for a method, as long as a body may be: the log is not the place to keep that. */
function loggedMethod(method: string): string {
  return /^[\w/$.-]{1,64}$/.test(method) ? method : 'no method of MCP';
}
