import { describe, expect, it } from 'vitest';
import { RateLimits } from '../../src/agent/door/rate-limits.ts';
import type { RateLimitsConfig } from '../../src/config/config.ts';

const CONFIG: RateLimitsConfig = {
  enabled: true,
  limit_local_calls: true,
  max_clients: 3,
  searches: { per_minute: 60, burst: 3, all_clients_per_minute: 6000 },
  leads: { per_minute: 6, burst: 1, all_clients_per_minute: 60 },
};

/** How many calls pass at one moment. */
function passing(limits: RateLimits, client: string, now: number, budget: 'searches' | 'leads' = 'searches') {
  let count = 0;
  while (count < 1000 && limits.take(client, budget, now) === 0) count += 1;
  return count;
}

describe('a budget', () => {
  it('lets a burst through, then one call a second', () => {
    const limits = new RateLimits(CONFIG);
    expect(passing(limits, 'a', 1000)).toBe(3);
    expect(limits.take('a', 'searches', 1000)).toBe(1000);
    expect(limits.take('a', 'searches', 1999)).toBe(1);
    expect(limits.take('a', 'searches', 2000)).toBe(0);
    expect(limits.take('a', 'searches', 2000)).toBe(1000);
  });

  it('is full again after a pause, and never more than full', () => {
    const limits = new RateLimits(CONFIG);
    passing(limits, 'a', 0);
    expect(passing(limits, 'a', 2000)).toBe(2);
    expect(passing(limits, 'a', 3_600_000)).toBe(3);
  });

  it('takes nothing for a call that it refuses: the time to wait is true', () => {
    const limits = new RateLimits(CONFIG);
    passing(limits, 'a', 0);
    for (let at = 0; at < 1000; at += 100) expect(limits.take('a', 'searches', at)).toBe(1000 - at);
    expect(limits.take('a', 'searches', 1000)).toBe(0);
  });

  it('is each caller’s own, and leads have another', () => {
    const limits = new RateLimits(CONFIG);
    passing(limits, 'a', 0);
    expect(passing(limits, 'b', 0)).toBe(3);
    expect(passing(limits, 'a', 0, 'leads')).toBe(1);
    expect(limits.take('a', 'leads', 0)).toBe(10_000);
  });

  it('of all callers together ends as well, and costs a refused caller nothing', () => {
    const limits = new RateLimits({
      ...CONFIG,
      max_clients: 100,
      searches: { per_minute: 60, burst: 3, all_clients_per_minute: 40 },
    });
    expect(passing(limits, 'a', 0)).toBe(3);
    expect(limits.take('b', 'searches', 0)).toBe(0);
    expect(limits.take('c', 'searches', 0)).toBe(1500);
    expect(limits.take('c', 'searches', 1500)).toBe(0);
    expect(passing(limits, 'c', 3_600_000)).toBe(3);
  });
});

it('remembers so many callers and no more; who called last is kept', () => {
  const limits = new RateLimits(CONFIG);
  passing(limits, 'a', 0);
  for (let other = 0; other < 1000; other += 1) {
    limits.take(`other ${other}`, 'searches', 0);
    expect(limits.take('a', 'searches', 0)).toBe(1000);
  }
  expect(limits.clients).toBe(3);
});
