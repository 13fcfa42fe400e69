import { randomUUID } from 'node:crypto';
import type { DestinationConfig } from '../config/config.ts';
import { faultText } from './fault-text.ts';
import { createLane, type LaneParts } from './lane.ts';

/** The command line queues leads from another process and cannot wake this one. */
const LOOK_EVERY_MS = 1_000;

export type DispatcherParts = Omit<LaneParts, 'destination' | 'owner'> & {
  destinations: readonly DestinationConfig[];
};

export interface Dispatcher {
  start(): Promise<void>;
  /** A hint that something is due; without it the dispatcher finds out by itself within seconds. */
  wake(): void;
  /** Begins no further attempt and resolves when the ones under way are over and recorded. */
  stop(): Promise<void>;
}

/**
 * Brings the leads out: one lane a destination, each on its own. Only one dispatcher may run on a database; the lock
 * of the data folder sees to that.
 */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const owner = randomUUID();
  const lanes = parts.destinations.map((destination) => createLane({ ...parts, destination, owner }));
  const wake = (): void => {
    for (const lane of lanes) lane.wake();
  };
  let look: NodeJS.Timeout | undefined;
  return {
    start: async () => {
      await settleStrandedLeads(parts, owner);
      for (const lane of lanes) lane.start();
      look = setInterval(() => void wakeOnForeignWork(parts, wake), LOOK_EVERY_MS);
    },
    wake,
    stop: async () => {
      clearInterval(look);
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

async function wakeOnForeignWork({ store, log }: DispatcherParts, wake: () => void): Promise<void> {
  try {
    if (await store.hasChangedElsewhere()) wake();
  } catch (fault) {
    log.debug({ fault: faultText(fault) }, 'the lead queue cannot be looked at');
  }
}

/** What waits for a destination that is no longer configured has no lane: it is told, and nothing of it stays `sending`. */
async function settleStrandedLeads(parts: DispatcherParts, owner: string): Promise<void> {
  const { store, destinations, clock, log } = parts;
  for (const { destination, waiting } of await store.countWaiting()) {
    if (destinations.some(({ id }) => id === destination)) continue;
    log.warn({ destination, waiting }, 'leads wait for a destination that is no longer configured');
    const now = clock.now();
    for (const left of await store.findAbandoned({ destination, owner, now, onlyOwner: true })) {
      await store.finishAttempt({
        deliveryId: left.deliveryId,
        owner: left.owner,
        attempt: {
          startedAt: left.startedAt,
          finishedAt: now,
          stage: 'interrupted',
          sent: 'maybe',
          verdict: 'uncertain',
          reason: 'the bridge stopped during this attempt',
        },
        state: 'uncertain',
        // Should the destination come back, it goes on from here.
        nextAttemptAt: now,
        mayHaveArrived: true,
      });
    }
  }
}
