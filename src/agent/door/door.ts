import type { AccessConfig, RateLimitsConfig } from '../../config/config.ts';
import type { Clock } from '../../model/clock.ts';
import type { Log } from '../../model/log.ts';
import type { SkillId } from '../../model/skill.ts';
import { DOOR_REFUSALS } from './door-refusal.ts';
import type { DoorRefusal } from './door-refusal.ts';
import { Keyring, TokenFileMemory } from './keyring.ts';
import type { KnownToken } from './keyring.ts';
import { BudgetsTaken, budgetOf, RateLimits } from './rate-limits.ts';

/** Who calls, as far as the transport knows; `token` once the door has looked at the Authorization header. */
export interface Caller {
  /** Whose budget a call is taken from: an address or network, or `token NAME`. */
  readonly key: string;
  /** A program on this machine. */
  readonly isLocal: boolean;
  readonly token?: KnownToken;
}

/** Everybody who wants something of the agent passes here, whichever way they come. */
export interface Door {
  /** Before anything of the call is read. The caller comes back with its token, or as it was. */
  admit(authorization: string | undefined, caller: Caller): { caller: Caller; refusal?: DoorRefusal };
  /** Whether this caller may use the skill. */
  refuseSkill(caller: Caller, skill: SkillId): DoorRefusal | undefined;
  /** Takes one call out of the caller's budget: 0, or the milliseconds to wait. No skill: a call of no sense. */
  charge(caller: Caller, skill: SkillId | undefined): number;
  status(): { tokens: number; fault?: string };
}

/** What a door hands on to the one that other settings put in its place. */
export class DoorMemory {
  readonly budgetsTaken = new BudgetsTaken();
  readonly #tokenFiles = new Map<string, TokenFileMemory>();

  ofTokenFile(file = ''): TokenFileMemory {
    const known = this.#tokenFiles.get(file) ?? new TokenFileMemory();
    this.#tokenFiles.set(file, known);
    return known;
  }
}

export interface DoorParts {
  access: AccessConfig;
  rateLimits: RateLimitsConfig;
  memory?: DoorMemory | undefined;
  clock: Clock;
  log: Log;
}

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

export function createDoor({ access, rateLimits, memory = new DoorMemory(), clock, log }: DoorParts): Door {
  const { require_token: required, tokens, tokens_file: file } = access;
  const keyring = new Keyring({ tokens, file, memory: memory.ofTokenFile(file), clock, log });
  const limits = new RateLimits(rateLimits, memory.budgetsTaken);
  const knowsTokens = usesTokens(access);

  return {
    admit: (authorization, caller) => {
      // A dealer without tokens asks nobody who they are, and agents may send what other dealers gave them.
      if (!knowsTokens) return { caller };
      if (authorization === undefined) {
        return required === 'all' ? { caller, refusal: DOOR_REFUSALS.missing } : { caller };
      }
      const presented = BEARER.exec(authorization)?.[1];
      if (presented === undefined) return { caller, refusal: DOOR_REFUSALS.malformed };
      const token = keyring.find(presented);
      if (typeof token === 'string') return { caller, refusal: DOOR_REFUSALS[token] };
      return { caller: { key: `token ${token.name}`, isLocal: caller.isLocal, token } };
    },
    refuseSkill: ({ token }, skill) => {
      if (!needsToken(access, skill)) return undefined;
      if (token === undefined) return DOOR_REFUSALS.missing;
      return token.skills === 'all' || token.skills.has(skill) ? undefined : DOOR_REFUSALS.notAllowed;
    },
    charge: ({ key, isLocal }, skill) => {
      if (!rateLimits.enabled || (isLocal && !rateLimits.limit_local_calls)) return 0;
      return limits.take(key, budgetOf(skill), performance.now());
    },
    status: () => keyring.status(),
  };
}

export function needsToken({ require_token: required }: AccessConfig, skill: SkillId): boolean {
  return required === 'all' || (required !== 'none' && required.includes(skill));
}

/** Whether the dealer hands tokens out at all. */
export function usesTokens({ require_token, tokens, tokens_file }: AccessConfig): boolean {
  return require_token !== 'none' || tokens.length > 0 || tokens_file !== undefined;
}
