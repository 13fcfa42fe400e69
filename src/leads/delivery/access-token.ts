import type { TokenRequest } from '../../adapters/crm-adapter.ts';
import { retryAfterOf } from '../../model/retry-after.ts';
import { canonicalJson, sha256 } from '../canonical-json.ts';
import { faultText } from '../fault-text.ts';
import { jsonWebToken } from './json-web-token.ts';
import type { RequestResult } from './request.ts';

export type TokenResult =
  | {
      ok: true;
      token: string;
      /** It was not asked for just now: should it be refused, a fresh one may do. */
      isKept: boolean;
    }
  | { ok: false; error: string; needsPerson: boolean; retryAfterMs?: number };

interface KeptToken {
  token: string;
  /** On the monotonic clock: a corrected system clock must not keep a dead token alive. */
  endsAt: number;
}

/** Asked for anew so long before it ends, that it still holds when the server looks at it. */
const EARLY_MS = 60_000;
const USUAL_SECONDS = 3600;
const MAX_SECONDS = 24 * 3600;
const MAX_KEPT = 100;
const MAX_TOKEN_CHARACTERS = 16_384;
const MAX_WORDS = 200;
const TOKEN = /^[\x21-\x7e]+$/;

const kept = new Map<string, KeptToken>();
const underWay = new Map<string, Promise<TokenResult>>();

/** A token for this request: the kept one, or a new one; two who ask at the same instant share the answer. */
export async function accessToken(request: TokenRequest): Promise<TokenResult> {
  const key = keyOf(request);
  const known = kept.get(key);
  if (known !== undefined && performance.now() < known.endsAt) {
    return { ok: true, token: known.token, isKept: true };
  }
  const running = underWay.get(key);
  if (running !== undefined) return running;
  const asked = ask(request, key).finally(() => underWay.delete(key));
  underWay.set(key, asked);
  return asked;
}

/** The server refused it: the next one who asks gets a new one. */
export function forgetToken(request: TokenRequest): void {
  kept.delete(keyOf(request));
}

/** Secrets are part of it, so only its hash stays in memory. */
function keyOf({ timeoutMs: _, ...request }: TokenRequest): string {
  return sha256(canonicalJson(request));
}

async function ask(request: TokenRequest, key: string): Promise<TokenResult> {
  let body: string;
  try {
    body = formOf(request);
  } catch (fault) {
    return refused(`the key for the access token cannot be used: ${faultText(fault)}`);
  }
  const { requestOnce } = await import('./request.ts');
  const result = await requestOnce({
    method: 'POST',
    url: request.url,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Accept: 'application/json',
      ...basicLogin(request),
    },
    body,
    timeoutMs: request.timeoutMs,
  });
  if (!result.answered) {
    return {
      ok: false,
      error: `no access token, the token server gave no answer: ${result.error}`,
      needsPerson: result.needsPerson,
    };
  }
  return read(result, key);
}

function formOf({ form, assertion }: TokenRequest): string {
  const fields = new URLSearchParams(form);
  if (assertion !== undefined) {
    fields.set('assertion', jsonWebToken(assertion.claims, assertion, Date.now()));
  }
  return fields.toString();
}

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. */
function basicLogin({ basic }: TokenRequest): Record<string, string> {
  if (basic === undefined) return {};
  const encode = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
  const login = Buffer.from(`${encode(basic.user)}:${encode(basic.password)}`).toString('base64');
  return { Authorization: `Basic ${login}` };
}

function read(answer: Extract<RequestResult, { answered: true }>, key: string): TokenResult {
  const { status } = answer;
  const content = membersOf(answer.body);
  if (status === 200) {
    const { access_token: token, expires_in: seconds } = content;
    if (answer.error !== undefined && typeof token !== 'string') {
      const error = `no access token, the token server answered, but its answer could not be read: ${answer.error}`;
      return { ok: false, error, needsPerson: false };
    }
    if (typeof token !== 'string' || token.length > MAX_TOKEN_CHARACTERS || !TOKEN.test(token)) {
      return refused('no access token: the token server answered 200 without one');
    }
    keep(key, token, Number(seconds ?? USUAL_SECONDS));
    return { ok: true, token, isKept: false };
  }
  const said = [content.error, content.error_description]
    .filter((part) => typeof part === 'string')
    .join(': ');
  const words = said.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, MAX_WORDS);
  const error = `no access token, the token server answered ${status}${words === '' ? '' : ` ${words}`}`;
  const isPassing =
    status === 408 || status === 429 || status >= 500 || content.error === 'temporarily_unavailable';
  if (!isPassing) return refused(error);
  const retryAfterMs = retryAfterOf(answer.headers);
  return { ok: false, error, needsPerson: false, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function refused(error: string): TokenResult {
  return { ok: false, error, needsPerson: true };
}

function membersOf(body: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(body);
    return typeof content === 'object' && content !== null ? (content as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function keep(key: string, token: string, seconds: number): void {
  const lifetime = Number.isFinite(seconds) ? Math.min(seconds, MAX_SECONDS) : USUAL_SECONDS;
  const endsAt = performance.now() + lifetime * 1000 - EARLY_MS;
  if (endsAt <= performance.now()) return;
  const oldest = kept.keys().next();
  if (kept.size >= MAX_KEPT && oldest.done !== true) kept.delete(oldest.value);
  kept.set(key, { token, endsAt });
}

/** So that none of them ends in a message. */
export function keptTokens(): string[] {
  return [...kept.values()].map(({ token }) => token);
}
