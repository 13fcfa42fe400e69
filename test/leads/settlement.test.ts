import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/adapters/crm-adapter.ts';
import type { ClaimedDelivery } from '../../src/leads/delivery-records.ts';
import { backoff, settle } from '../../src/leads/settlement.ts';
import { destination, fileCrm, HOUR, leadRequest, MINUTE, NOON } from './lead-harness.ts';

const retry = { first_ms: 30_000, max_ms: 30 * MINUTE, give_up_ms: 72 * HOUR };
const crm = destination('crm', fileCrm('out'), { retry });
const MIDDLE = 0.5;

function delivery(changes: Partial<ClaimedDelivery> = {}): ClaimedDelivery {
  return {
    deliveryId: 1,
    destination: 'crm',
    lead: { lead_id: 'lead_1', received_at: NOON, rooftop_id: 'HPM01', request: leadRequest() },
    queuedAt: NOON,
    startedAt: NOON,
    retries: 0,
    mayHaveArrived: false,
    resentByHand: false,
    owner: 'me',
    ...changes,
  };
}

function settled(verdict: Partial<Verdict>, changes: Partial<ClaimedDelivery> = {}, now = NOON, to = crm) {
  return settle({ state: 'retry', reason: 'because', ...verdict }, delivery(changes), to, now, MIDDLE);
}

it('doubles its waits up to the longest, each a fifth shorter or longer', () => {
  const waits = [0, 1, 2, 5, 6, 7, 1000].map((retries) => backoff(retry, retries, MIDDLE));
  expect(waits).toEqual([30_000, 60_000, 120_000, 960_000, 1_800_000, 1_800_000, 1_800_000]);
  expect([backoff(retry, 0, 0), backoff(retry, 0, 1)]).toEqual([24_000, 36_000]);
});

describe('after an attempt', () => {
  it('is over when the CRM has taken or refused the lead, and the destination works', () => {
    expect(settled({ state: 'delivered' })).toEqual({
      state: 'delivered',
      mayHaveArrived: false,
      pause: 'lift',
    });
    expect(settled({ state: 'rejected' })).toEqual({
      state: 'rejected',
      mayHaveArrived: false,
      pause: 'lift',
    });
  });

  it('waits, and longer when the CRM says so, but not for ever', () => {
    expect(settled({})).toEqual({ state: 'queued', nextAttemptAt: NOON + 30_000, mayHaveArrived: false });
    expect(settled({ retryAfterMs: HOUR }).nextAttemptAt).toBe(NOON + HOUR);
    expect(settled({ retryAfterMs: 1 }).nextAttemptAt).toBe(NOON + 30_000);
    expect(settled({ retryAfterMs: 1e12 }).nextAttemptAt).toBe(NOON + 24 * HOUR);
  });

  it('stays uncertain once it may have arrived, whatever a later attempt certainly did not do', () => {
    expect(settled({ state: 'uncertain' })).toMatchObject({ state: 'uncertain', mayHaveArrived: true });
    expect(settled({}, { mayHaveArrived: true })).toMatchObject({ state: 'uncertain', mayHaveArrived: true });
  });

  it('stops at an uncertain end where the settings say so', () => {
    const careful = { ...crm, on_uncertain: 'stop' as const };
    const stopped = settled({ state: 'uncertain' }, {}, NOON, careful);
    expect(stopped).toEqual({ state: 'uncertain', mayHaveArrived: true });
    expect(settled({}, {}, NOON, careful).nextAttemptAt).toBe(NOON + 30_000);
  });

  it('gives up after the time in the settings, counted from when it was queued', () => {
    const tried = { retries: 100 };
    expect(settled({}, tried, NOON + 72 * HOUR - 1).state).toBe('queued');
    expect(settled({}, tried, NOON + 72 * HOUR)).toEqual({ state: 'dead', mayHaveArrived: false });
    expect(settled({}, { ...tried, queuedAt: NOON + HOUR }, NOON + 72 * HOUR).state).toBe('queued');
  });

  it('tries five times before it gives up, however late it is: the bridge may have been off, or the clock wrong', () => {
    const states = [0, 3, 4].map((retries) => settled({}, { retries }, NOON + 1000 * HOUR).state);
    expect(states).toEqual(['queued', 'queued', 'dead']);
  });

  it('never gives a lead up for a fault of the destination', () => {
    const late = NOON + 100 * HOUR;
    expect(settled({ pauseDestination: true }, {}, late)).toEqual({
      state: 'queued',
      nextAttemptAt: late + 30 * MINUTE,
      mayHaveArrived: false,
      pause: { until: late + 30 * MINUTE, reason: 'because' },
    });
  });
});
