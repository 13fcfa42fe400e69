import type { Config } from '../config/config.ts';
import type { Clock } from '../model/clock.ts';
import { formatInstant } from '../model/clock.ts';
import { newErrorId, newMessageId } from '../model/identifier.ts';
import type { Log } from '../model/log.ts';
import { AAP_EXTENSION_URI, responseMediaType } from '../model/protocol.ts';
import type { SkillId } from '../model/skill.ts';
import type { Caller, Door } from './door/door.ts';
import { readEnvelope } from './envelope.ts';
import { a2aError, aapError } from './errors.ts';
import type { Refusal, RpcError } from './errors.ts';
import { refusalFor } from './faults.ts';
import type { AgentCall, HttpRefusal } from './http-checks.ts';
import { errorText, readRpcRequest, resultText } from './json-rpc.ts';
import type { RpcId } from './rpc-id.ts';
import { refuseInputType, refuseOutputModes } from './media-types.ts';
import { refuseMethod } from './methods.ts';
import { activatesAap, refuseVersion, refuseWithoutAap } from './service-parameters.ts';
import type { SkillSet } from './skill-set.ts';
import type { Skill } from './skills/skill.ts';

interface AgentReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** JSON text; empty only with status 204. */
  body: string;
  facts: CallFacts;
}

/** What the access log tells of a call: no payload. */
interface CallFacts {
  skill?: SkillId;
  /** `ok`, `notification`, an AAP code, an A2A reason or a JSON-RPC code. */
  code: string;
  /** Name of the token that came along. */
  token?: string;
  /** Of an `aap.error`, so that the dealer finds the case again. */
  error_id?: string;
  /** Whose budget a refused call belongs to, so that the dealer can shut a nuisance out. */
  client?: string;
}

export interface EndpointParts {
  config: Config;
  skillSet: SkillSet;
  door: Door;
  clock: Clock;
  log: Log;
}

export type Endpoint = (call: AgentCall) => Promise<AgentReply>;

/** How a call ends: the `result` as JSON text, or an error of one of the two layers. */
type Outcome = { skill?: SkillId } & ({ result: string } | Refused);

interface Refused {
  error: RpcError;
  code: string;
  errorId?: string;
  skill?: SkillId;
  /** 200 unless the door says no. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

/** A call that is fit to be answered. */
interface Asked {
  skill: Skill;
  payload: unknown;
  contextId: string | undefined;
}

/** The order of checks is the one that gives the most useful error; nothing runs before all of them passed. */
export function createEndpoint({ config, skillSet, door, clock, log }: EndpointParts): Endpoint {
  return async (call) => {
    const { body } = call;
    if ('error' in body) return refuseUnread(call, body);
    const request = readRpcRequest(body);
    if (request.kind === 'notification') {
      door.charge(call.caller, undefined);
      return { status: 204, headers: {}, body: '', facts: { code: 'notification' } };
    }
    const headers: Record<string, string> = activatesAap(call.headers('a2a-extensions'))
      ? { 'A2A-Extensions': AAP_EXTENSION_URI }
      : {};
    const outcome =
      request.kind === 'refused'
        ? (refuseHasty(call, undefined) ?? rpcRefusal(request.error))
        : await serveSafely(call, request.method, request.params);
    return reply(request.id, headers, outcome, call.caller);
  };

  /** No JSON-RPC was read, so HTTP's status says what is wrong, and no id can be echoed. */
  function refuseUnread(call: AgentCall, { status, headers, error, code }: HttpRefusal): AgentReply {
    const hasty = refuseHasty(call, undefined);
    if (hasty !== undefined) return reply(null, {}, hasty, call.caller);
    const facts = { code: code ?? codeOf(error), client: call.caller.key };
    return { status, headers, body: errorText(null, error), facts };
  }

  /** Junk counts like a search. */
  function refuseHasty(call: AgentCall, skill: SkillId | undefined): Refused | undefined {
    const waitMs = door.charge(call.caller, skill);
    if (waitMs === 0) return undefined;
    return {
      ...aapRefusal({ code: 'RATE_LIMITED', details: { retry_after_ms: waitMs } }),
      headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
      ...(skill === undefined ? {} : { skill }),
    };
  }

  async function serveSafely(call: AgentCall, method: string, params: unknown): Promise<Outcome> {
    try {
      return await serve(call, method, params);
    } catch (fault) {
      const outcome = aapRefusal({ code: 'INTERNAL_ERROR' });
      log.error({ request_id: call.requestId, error_id: outcome.errorId, err: fault }, 'call failed');
      return outcome;
    }
  }

  async function serve(call: AgentCall, method: string, params: unknown): Promise<Outcome> {
    const asked = understand(call, method, params);
    const skillId = 'error' in asked ? asked.skill : asked.skill.id;
    const hasty = refuseHasty(call, skillId);
    if (hasty !== undefined) return hasty;
    if ('error' in asked) return asked;
    const { skill, payload, contextId } = asked;
    const outcome = await skillSet.answer(skill, payload);
    if (outcome.kind === 'refused') return { ...aapRefusal(outcome.refusal), skill: skill.id };
    return { result: messageText(skill.id, contextId ?? newMessageId(), outcome.payload), skill: skill.id };
  }

  /** Everything that can be said without looking into the payload. */
  function understand(call: AgentCall, method: string, params: unknown): Asked | Refused {
    const { require_version_header, require_extension } = config.a2a;
    const unserved =
      refuseVersion(call.headers('a2a-version'), call.query, require_version_header) ??
      refuseMethod(method) ??
      refuseWithoutAap(activatesAap(call.headers('a2a-extensions')), require_extension);
    if (unserved !== undefined) return rpcRefusal(unserved);

    const reading = readEnvelope(params);
    if ('faults' in reading) return aapRefusal(refusalFor(reading.faults));
    const { payload, taskId, contextId, asksForPush, acceptedOutputModes } = reading.envelope;
    if (taskId !== undefined) {
      return rpcRefusal(a2aError('TASK_NOT_FOUND', 'There is no such task: this agent keeps none'));
    }
    if (asksForPush) {
      const text = 'Push notifications are not supported: the answer comes at once';
      return rpcRefusal(a2aError('PUSH_NOTIFICATION_NOT_SUPPORTED', text));
    }

    const selection = skillSet.select(payload.data);
    if ('refusal' in selection) return aapRefusal(selection.refusal);
    const { skill } = selection;
    const shut = door.refuseSkill(call.caller, skill.id);
    if (shut !== undefined) return { ...shut, skill: skill.id };
    const unfit =
      refuseInputType(skill.id, payload.mediaType) ?? refuseOutputModes(skill.id, acceptedOutputModes);
    if (unfit !== undefined) return { ...rpcRefusal(unfit), skill: skill.id };
    return { skill, payload: payload.data, contextId };
  }

  function aapRefusal(refusal: Refusal) {
    const errorId = newErrorId();
    return { error: aapError(refusal, errorId, formatInstant(clock.now())), code: refusal.code, errorId };
  }
}

/** Of what stands beside the payload only members of A2A's proto: strict clients refuse any other. */
function messageText(skill: SkillId, contextId: string, payload: string): string {
  const head = `{"messageId":"${newMessageId()}","contextId":${JSON.stringify(contextId)},"role":"ROLE_AGENT"`;
  return `{"message":${head},"parts":[{"data":${payload},"mediaType":"${responseMediaType(skill)}"}]}}`;
}

function rpcRefusal(error: RpcError) {
  return { error, code: codeOf(error) };
}

/** The A2A reason when there is one, else the number. */
function codeOf({ code, data }: RpcError): string {
  const [detail] = Array.isArray(data) ? (data as { reason?: string }[]) : [];
  return detail?.reason ?? String(code);
}

/** 200 for errors as well: a2a-python drops the body of anything else (decided for every JSON-RPC reply). */
function reply(
  id: RpcId,
  headers: Record<string, string>,
  outcome: Outcome,
  { key, token }: Caller,
): AgentReply {
  const facts: CallFacts = { code: 'result' in outcome ? 'ok' : outcome.code };
  if (outcome.skill !== undefined) facts.skill = outcome.skill;
  if (token !== undefined) facts.token = token.name;
  if ('result' in outcome) return { status: 200, headers, body: resultText(id, outcome.result), facts };
  const { error, errorId, status = 200 } = outcome;
  return {
    status,
    headers: outcome.headers === undefined ? headers : { ...headers, ...outcome.headers },
    body: errorText(id, error),
    facts: {
      ...facts,
      ...(outcome.headers === undefined ? {} : { client: key }),
      ...(errorId === undefined ? {} : { error_id: errorId }),
    },
  };
}
