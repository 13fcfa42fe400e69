import { randomUUID } from 'node:crypto';
import type { DestinationConfig } from '../config/config.ts';
import { createLane, type LaneParts } from './lane.ts';

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

/** Brings the leads out: one lane a destination, each on its own, one lead after the other. */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const owner = randomUUID();
  const lanes = parts.destinations.map((destination) => createLane({ ...parts, destination, owner }));
  return {
    start: async () => {
      await warnOfStrandedLeads(parts);
      for (const lane of lanes) lane.start();
    },
    wake: () => lanes.forEach((lane) => lane.wake()),
    stop: async () => {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

async function warnOfStrandedLeads({ store, destinations, log }: DispatcherParts): Promise<void> {
  for (const { destination, waiting } of await store.countWaiting()) {
    if (destinations.some(({ id }) => id === destination)) continue;
    log.warn({ destination, waiting }, 'leads wait for a destination that is no longer configured');
  }
}
