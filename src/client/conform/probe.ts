import { setTimeout as pause } from 'node:timers/promises';
import { requestMediaType } from '../../model/protocol.ts';
import type { SkillId } from '../../model/skill.ts';
import type { AgentCard } from '../agent-card.ts';
import { callHeaders } from '../call-envelope.ts';
import { exchange, type HttpAnswer, type HttpQuestion } from '../http-exchange.ts';
import { isObject, parseJson, valueAt } from '../json-value.ts';
import { readRefusal } from '../refusal.ts';
import { payloadOf } from '../reply-faults.ts';

const MAX_REPLY_BYTES = 16 * 1024 * 1024;
const LONGEST_PAUSE_MS = 5000;
/** Some 100 calls are needed; an agent that refuses many for its rate must not be asked for ever. */
const MAX_CALLS = 150;

const READING_SKILLS: readonly SkillId[] = ['dealer.information', 'inventory.facets', 'inventory.search'];

export interface ProbeOptions {
  timeoutMs: number;
  token?: string;
  withLeads: boolean;
}

/** What came back for one call. */
export interface Probed {
  status: number;
  header: (name: string) => string | undefined;
  text: string;
  /** The JSON-RPC reply; undefined when it is no JSON object. */
  reply: Readonly<Record<string, unknown>> | undefined;
  result: unknown;
  /** The `error` member. */
  error: unknown;
  /** AAP payload of the result. */
  payload: unknown;
  /** `data` of that payload. */
  data: unknown;
}

/** A check that can not be run here. */
export class NotChecked extends Error {}

type Envelope = Record<string, unknown>;

/** Puts questions to one agent, one at a time, and remembers what was asked before. */
export class Probe {
  readonly agent: AgentCard;
  readonly withLeads: boolean;
  calls = 0;
  readonly #options: ProbeOptions;
  readonly #remembered = new Map<string, Probed>();

  constructor(agent: AgentCard, options: ProbeOptions) {
    this.agent = agent;
    this.withLeads = options.withLeads;
    this.#options = options;
  }

  /** A skill that is asked where it does not matter which. */
  get readingSkill(): SkillId {
    const skill = READING_SKILLS.find((id) => this.agent.skills.includes(id));
    if (skill === undefined) throw new NotChecked('the agent offers none of the skills that read');
    return skill;
  }

  /** The shortest request of that skill. */
  get question(): { type: string } {
    return { type: `${this.readingSkill}.request` };
  }

  needs(skill: SkillId): void {
    if (!this.agent.skills.includes(skill)) throw new NotChecked(`the agent does not offer ${skill}`);
  }

  /** Any HTTP call, as it is; no header of ours is added. */
  async http(url: URL, question: HttpQuestion): Promise<HttpAnswer> {
    if (this.calls >= MAX_CALLS) throw new NotChecked(`more than ${MAX_CALLS} calls would be needed`);
    this.calls += 1;
    return exchange(url, question, { timeoutMs: this.#options.timeoutMs, maxBytes: MAX_REPLY_BYTES });
  }

  /** Posts a body to the endpoint. A header that is set to undefined is left out. Waits once for a busy agent. */
  async post(body: unknown, headers: Readonly<Record<string, string | undefined>> = {}): Promise<Probed> {
    const question = {
      method: 'POST',
      headers: withoutUnset({ ...callHeaders(this.#options.token), ...headers }),
      body: typeof body === 'string' ? body : JSON.stringify(body),
    } as const;
    const first = probed(await this.http(this.agent.endpoint, question));
    const waitMs = pauseAskedFor(first);
    if (waitMs === undefined) return this.#checkAccess(first);
    await pause(waitMs);
    const second = probed(await this.http(this.agent.endpoint, question));
    if (pauseAskedFor(second) !== undefined) throw new NotChecked('the agent refuses more calls for now');
    return this.#checkAccess(second);
  }

  /** SendMessage with a payload; `change` may bend the call before it goes out. */
  send(
    payload: unknown,
    {
      change,
      headers = {},
    }: { change?: (call: Call) => void; headers?: Record<string, string | undefined> } = {},
  ): Promise<Probed> {
    const call = callWith(payload);
    change?.(call);
    return this.post(call, headers);
  }

  /** A payload of a skill that the card lists; the same one is asked only once. */
  async ask(skill: SkillId, payload: object = {}): Promise<Probed> {
    this.needs(skill);
    const request = { type: `${skill}.request`, ...payload };
    const key = JSON.stringify(request);
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const answer = await this.send(request, {
      change: ({ params }) => {
        Object.assign(params.message.parts[0] ?? {}, { mediaType: requestMediaType(skill) });
      },
    });
    this.#remembered.set(key, answer);
    return answer;
  }

  #checkAccess(answer: Probed): Probed {
    if (answer.status !== 401 && answer.status !== 403) return answer;
    throw new NotChecked(`the agent asks for a token (HTTP ${answer.status})`);
  }
}

export interface Call extends Envelope {
  jsonrpc: unknown;
  id: unknown;
  method: unknown;
  params: { message: Envelope & { parts: Envelope[] } } & Envelope;
}

export function callWith(payload: unknown): Call {
  return {
    jsonrpc: '2.0',
    id: 'conform-1',
    method: 'SendMessage',
    params: { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ data: payload }] } },
  };
}

function withoutUnset(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function probed(answer: HttpAnswer): Probed {
  const value = parseJson(answer.text);
  const reply = isObject(value) ? value : undefined;
  const payload = payloadOf(reply?.result);
  return {
    ...answer,
    reply,
    result: reply?.result,
    error: reply?.error,
    payload,
    data: valueAt(payload, 'data'),
  };
}

function pauseAskedFor({ error, header }: Probed): number | undefined {
  const { code, retryAfterMs } = readRefusal(error, header('retry-after'));
  if (code !== 'RATE_LIMITED') return undefined;
  return Math.min(Math.max(retryAfterMs ?? 1000, 0), LONGEST_PAUSE_MS);
}
