import type { DestinationConfig } from '../config/config.ts';
import type { Clock } from '../model/clock.ts';
import type { Log } from '../model/log.ts';
import type { Rooftop } from '../model/rooftop.ts';
import { attemptDelivery, type Attempt } from './attempt.ts';
import { toLeadDocument } from './document.ts';
import { faultText } from './fault-text.ts';
import type { AttemptRecord, ClaimedDelivery } from './delivery-records.ts';
import type { LeadStore } from './lead-store.ts';
import { settle } from './settlement.ts';
import { createSleeper } from './sleeper.ts';

/** A lease is renewed three times before it runs out; a crash is noticed when it has, or at the next start. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** Longest sleep: a clock that is set forward is noticed after it. */
const MAX_SLEEP_MS = 5_000;

export interface Lane {
  /** @param turn when another lane to the same destination has ended; two at a time would send twice. */
  start(turn?: Promise<void>): void;
  wake(): void;
  stop(): Promise<void>;
}

export interface LaneParts {
  store: LeadStore;
  destination: DestinationConfig;
  rooftops: readonly Rooftop[];
  /** Where relative pick-up folders lie. */
  dataFolder: string;
  /** Names this dispatcher in its leases. */
  owner: string;
  clock: Clock;
  log: Log;
}

/**
 * The way to one destination: takes due deliveries, the oldest first and at most `max_at_once` at a time, until it is
 * stopped. A delivery that waits for its next attempt holds up no other.
 */
export function createLane(parts: LaneParts): Lane {
  const { store, log, destination, owner, clock } = parts;
  const sleeper = createSleeper();
  const signal = { stopping: false };
  /** By delivery. */
  const underWay = new Map<number, Promise<void>>();
  let running: Promise<void> = Promise.resolve();

  async function run(turn: Promise<void> | undefined): Promise<void> {
    await turn;
    if (!signal.stopping) await guarded(() => recoverAbandoned(true));
    while (!signal.stopping) {
      // With all hands full there is nothing to look for: whoever comes to an end wakes.
      const isFull = underWay.size >= destination.max_at_once;
      const took = isFull ? false : await guarded(takeNext);
      if (took !== true) await sleeper.sleep(isFull ? MAX_SLEEP_MS : await untilNextDue());
    }
    await Promise.all(underWay.values());
  }

  async function guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (fault) {
      log.error({ destination: destination.id, fault: faultText(fault) }, 'the lead queue cannot be used');
      return undefined;
    }
  }

  /** Begins one attempt, if one is due and may begin. */
  async function takeNext(): Promise<boolean> {
    await recoverAbandoned(false);
    const delivery = await claim(parts, underWay.size);
    if (delivery === undefined) return false;
    const { deliveryId } = delivery;
    const work = guarded(() => deliverOne(delivery, parts)).then(() => {
      underWay.delete(deliveryId);
      sleeper.wake();
    });
    underWay.set(deliveryId, work);
    return true;
  }

  /**
   * What an earlier run of the bridge, or a full disk, left in mid-attempt: nobody knows how far it got. At the start
   * nobody else can be at work, so what others hold is left behind, whatever their leases say.
   */
  async function recoverAbandoned(onlyOwner: boolean): Promise<void> {
    const search = { destination: destination.id, owner, now: clock.now(), onlyOwner };
    for (const delivery of await store.findAbandoned(search)) {
      if (!underWay.has(delivery.deliveryId)) await record(delivery, INTERRUPTED, parts);
    }
  }

  async function untilNextDue(): Promise<number> {
    const due = await store.nextDueAt(destination.id).catch(() => undefined);
    const wait = due === undefined ? MAX_SLEEP_MS : due - clock.now();
    // A destination that is paused, or busy, has deliveries long due: looking must not become a spin.
    return wait <= 0 || wait > MAX_SLEEP_MS ? MAX_SLEEP_MS : wait;
  }

  return {
    start: (turn) => {
      running = run(turn);
    },
    wake: () => sleeper.wake(),
    stop: async () => {
      signal.stopping = true;
      sleeper.wake();
      await running;
    },
  };
}

const INTERRUPTED: Attempt = {
  stage: 'interrupted',
  sent: 'maybe',
  verdict: { state: 'uncertain', reason: 'the bridge stopped during this attempt' },
};

async function claim(
  { store, destination, owner, clock }: LaneParts,
  underWay: number,
): Promise<ClaimedDelivery | undefined> {
  const now = clock.now();
  const pause = await store.findPause(destination.id);
  // No pause is longer than `max_ms`: one that seems so was begun before the clock was set back.
  const left = (pause?.until ?? now) - now;
  if (left > 0 && left <= destination.retry.max_ms) return undefined;
  // A pause that is over but not lifted: one delivery finds out whether the destination works again.
  const probing = pause !== undefined;
  if (underWay >= (probing ? 1 : destination.max_at_once)) return undefined;
  return store.claimNext({
    destination: destination.id,
    now,
    owner,
    leaseUntil: now + LEASE_MS,
    probing,
  });
}

async function deliverOne(delivery: ClaimedDelivery, parts: LaneParts): Promise<void> {
  const { store, owner, clock } = parts;
  const renewal = setInterval(() => {
    // A renewal that fails costs nothing unless the process dies, and then the delivery counts as uncertain.
    store.renewLease(delivery.deliveryId, owner, clock.now() + LEASE_MS).catch(() => undefined);
  }, RENEW_MS);
  try {
    await record(delivery, await attempt(delivery, parts), parts);
  } finally {
    clearInterval(renewal);
  }
}

async function attempt(delivery: ClaimedDelivery, parts: LaneParts): Promise<Attempt> {
  const { destination, rooftops, dataFolder } = parts;
  const rooftop = rooftops.find(({ id }) => id === delivery.lead.rooftop_id);
  if (rooftop === undefined) {
    const reason = `the settings no longer have the rooftop ${delivery.lead.rooftop_id}`;
    return { stage: 'build', sent: 'no', verdict: { state: 'retry', reason } };
  }
  const resend = delivery.mayHaveArrived || delivery.resentByHand;
  return attemptDelivery(toLeadDocument(delivery.lead, rooftop, resend), destination, dataFolder);
}

async function record(delivery: ClaimedDelivery, attempt: Attempt, parts: LaneParts): Promise<void> {
  const { store, destination, clock, log } = parts;
  const { verdict, stage, sent } = attempt;
  const now = clock.now();
  const settlement = settle(verdict, delivery, destination, now, Math.random());
  const attemptRecord: AttemptRecord = {
    startedAt: delivery.startedAt,
    finishedAt: now,
    stage,
    sent,
    verdict: verdict.state,
    reason: verdict.reason,
    ...(verdict.reference !== undefined && { reference: verdict.reference }),
  };
  const { deliveryId, owner } = delivery;
  const held = await store.finishAttempt({ deliveryId, owner, attempt: attemptRecord, ...settlement });
  const facts = {
    lead_id: delivery.lead.lead_id,
    delivery: deliveryId,
    destination: destination.id,
    stage,
    verdict: verdict.state,
    state: settlement.state,
    reason: verdict.reason,
  };
  if (settlement.state === 'delivered') log.info(facts, 'lead delivered');
  else if (settlement.nextAttemptAt !== undefined) log.warn(facts, 'lead not delivered yet');
  else log.error(facts, 'lead not delivered: somebody must look at it');
  if (!held) log.warn(facts, 'the lease of this delivery had passed to another process');
}
