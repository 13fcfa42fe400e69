import type { CallBudget, RateLimitsConfig } from '../../config/config.ts';
import type { SkillId } from '../../model/skill.ts';

/** Leads must get through however often their agent has searched. */
export type BudgetName = 'searches' | 'leads';

export function budgetOf(skill: SkillId | undefined): BudgetName {
  return skill === 'lead.submit' ? 'leads' : 'searches';
}

/**
 * For each budget the time, in milliseconds of the given clock, at which it will be full again: all that a token
 * bucket needs to know (the "generic cell rate algorithm").
 */
type Fill = Record<BudgetName, number>;

/** Who has taken how much. It outlives a change of the settings: nobody gets a new budget by it. */
export class BudgetsTaken {
  readonly all: Fill = { searches: 0, leads: 0 };
  /** In the order of their last call. */
  readonly clients = new Map<string, Fill>();
}

interface Pace {
  /** Between two calls in the long run. */
  everyMs: number;
  /** How far ahead of that pace a caller may be. */
  aheadMs: number;
}

/** Token buckets: one a caller and budget, and one for all callers together. Remembers so many callers at most. */
export class RateLimits {
  readonly #maxClients: number;
  readonly #paces: Record<BudgetName, { client: Pace; all: Pace }>;
  readonly #all: Fill;
  readonly #clients: Map<string, Fill>;

  constructor({ max_clients, searches, leads }: RateLimitsConfig, taken = new BudgetsTaken()) {
    this.#all = taken.all;
    this.#clients = taken.clients;
    this.#maxClients = max_clients;
    this.#paces = { searches: pacesOf(searches), leads: pacesOf(leads) };
  }

  /**
   * Takes one call out of the caller's budget. Returns 0, or the milliseconds after which one will be free; then
   * nothing was taken. `now` in milliseconds of a clock that never goes back.
   */
  take(client: string, budget: BudgetName, now: number): number {
    const pace = this.#paces[budget];
    const fill = this.#fillOf(client);
    const wait = Math.max(waitFor(fill[budget], pace.client, now), waitFor(this.#all[budget], pace.all, now));
    if (wait > 0) return Math.ceil(wait);
    fill[budget] = Math.max(fill[budget], now) + pace.client.everyMs;
    this.#all[budget] = Math.max(this.#all[budget], now) + pace.all.everyMs;
    return 0;
  }

  get clients(): number {
    return this.#clients.size;
  }

  #fillOf(client: string): Fill {
    const known = this.#clients.get(client);
    const fill = known ?? { searches: 0, leads: 0 };
    if (known !== undefined) this.#clients.delete(client);
    else this.#makeRoom();
    this.#clients.set(client, fill);
    return fill;
  }

  #makeRoom(): void {
    for (const oldest of this.#clients.keys()) {
      if (this.#clients.size < this.#maxClients) return;
      this.#clients.delete(oldest);
    }
  }
}

function waitFor(full: number, { aheadMs }: Pace, now: number): number {
  return Math.max(full, now) - aheadMs - now;
}

function pacesOf({ per_minute, burst, all_clients_per_minute: all }: CallBudget): {
  client: Pace;
  all: Pace;
} {
  return { client: paceOf(per_minute, burst), all: paceOf(all, Math.ceil(all / 10)) };
}

function paceOf(perMinute: number, burst: number): Pace {
  const everyMs = 60_000 / perMinute;
  return { everyMs, aheadMs: (burst - 1) * everyMs };
}
