import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DestinationConfig } from '../config/config.ts';
import type { Rooftop } from '../model/rooftop.ts';
import { faultText } from './fault-text.ts';
import { createLane, type Lane, type LaneParts } from './lane.ts';

/** The command line queues leads from another process and cannot wake this one. */
const LOOK_EVERY_MS = 1_000;

interface DispatcherSettings {
  destinations: readonly DestinationConfig[];
  rooftops: readonly Rooftop[];
}

export type DispatcherParts = Omit<LaneParts, 'destination' | 'owner' | 'rooftops'> & DispatcherSettings;

export interface Dispatcher {
  start(): Promise<void>;
  /** A hint that something is due; without it the dispatcher finds out by itself within seconds. */
  wake(): void;
  /**
   * Goes on with other destinations. One that stays as it was goes on undisturbed; one that changed or went ends its
   * attempts under way first, so that no delivery is in two hands.
   */
  change(settings: DispatcherSettings): void;
  /** Begins no further attempt and resolves when the ones under way are over and recorded. */
  stop(): Promise<void>;
}

/**
 * Brings the leads out: one lane a destination, each on its own. Only one dispatcher may run on a database; the lock
 * of the data folder sees to that.
 */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const owner = randomUUID();
  let posts = parts.destinations.map((destination) => openPost(destination, parts.rooftops));
  /** By destination: the lanes that have ended or are about to. */
  const endings = new Map<string, Promise<void>>();
  const wake = (): void => {
    for (const { lane } of posts) lane.wake();
  };
  let look: NodeJS.Timeout | undefined;

  function openPost(destination: DestinationConfig, rooftops: readonly Rooftop[]): Post {
    return { destination, rooftops, lane: createLane({ ...parts, destination, rooftops, owner }) };
  }

  function change(changed: DispatcherSettings): void {
    const { destinations, rooftops } = changed;
    const wanted = destinations.map(
      (destination) =>
        posts.find((post) => isPostOf(post, destination, rooftops)) ?? openPost(destination, rooftops),
    );
    for (const { destination, lane } of posts.filter((post) => !wanted.includes(post))) {
      const before = endings.get(destination.id);
      endings.set(
        destination.id,
        Promise.all([before, lane.stop()]).then(() => undefined),
      );
    }
    for (const { destination, lane } of wanted.filter((post) => !posts.includes(post)))
      lane.start(endings.get(destination.id));
    posts = wanted;
    findStranded({ ...parts, ...changed }).catch((fault: unknown) => {
      parts.log.error({ fault: faultText(fault) }, 'the lead queue cannot be used');
    });
  }

  return {
    start: async () => {
      await settleStrandedLeads(parts, owner);
      for (const { lane } of posts) lane.start();
      look = setInterval(() => void wakeOnForeignWork(parts, wake), LOOK_EVERY_MS);
    },
    wake,
    change,
    stop: async () => {
      clearInterval(look);
      await Promise.all([...posts.map(({ lane }) => lane.stop()), ...endings.values()]);
    },
  };
}

/** One destination, and the lane to it. */
interface Post extends Pick<LaneParts, 'destination' | 'rooftops'> {
  lane: Lane;
}

function isPostOf(
  { destination, rooftops }: Post,
  wanted: DestinationConfig,
  wantedRooftops: readonly Rooftop[],
): boolean {
  return isDeepStrictEqual([destination, rooftops], [wanted, wantedRooftops]);
}

async function wakeOnForeignWork({ store, log }: DispatcherParts, wake: () => void): Promise<void> {
  try {
    if (await store.hasChangedElsewhere()) wake();
  } catch (fault) {
    log.debug({ fault: faultText(fault) }, 'the lead queue cannot be looked at');
  }
}

/** What waits for a destination that is no longer configured has no lane: it is told. Returns those destinations. */
async function findStranded({ store, destinations, log }: DispatcherParts): Promise<string[]> {
  const stranded = (await store.countWaiting()).filter(
    ({ destination }) => !destinations.some(({ id }) => id === destination),
  );
  for (const { destination, waiting } of stranded)
    log.warn({ destination, waiting }, 'leads wait for a destination that is no longer configured');
  return stranded.map(({ destination }) => destination);
}

/** At the start, when nobody is at work for them yet, nothing of what is stranded stays `sending`. */
async function settleStrandedLeads(parts: DispatcherParts, owner: string): Promise<void> {
  const { store, clock } = parts;
  for (const destination of await findStranded(parts)) {
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
