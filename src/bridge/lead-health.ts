import type { Config, DestinationConfig } from '../config/config.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import { formatInstant } from '../model/clock.ts';
import type { DestinationHealth, HealthReport } from '../web/health-report.ts';

/** @param adapterFaults by destination, why its adapter could not write the last lead. */
export async function leadsHealth(
  store: LeadStore,
  { leads: { destinations } }: Pick<Config, 'leads'>,
  adapterFaults: ReadonlyMap<string, string>,
  now: number,
): Promise<HealthReport['leads']> {
  const ids = destinations.map(({ id }) => id);
  const [deliveries, waiting, pauses] = await Promise.all([
    store.countDeliveries(),
    store.findOverdue(now),
    Promise.all(ids.map((id) => store.findPause(id))),
  ]);
  const pauseOf = new Map(ids.map((id, index) => [id, pauses[index]?.reason]));
  const all = [...new Set([...ids, ...waiting.map(({ destination }) => destination)])];
  return {
    queued: deliveries.queued + deliveries.sending,
    uncertain: deliveries.uncertain,
    dead: deliveries.dead,
    paused_destinations: ids.filter((id) => pauseOf.get(id) !== undefined),
    unencrypted_destinations: destinations.filter(isUnencrypted).map(({ id }) => id),
    deliveries,
    destinations: all.map((id) => {
      const queue = waiting.find(({ destination }) => destination === id);
      const standing = { paused: pauseOf.get(id), adapter_fault: adapterFaults.get(id) };
      const health = destinationHealth(id, queue, standing, now);
      return ids.includes(id) ? health : { ...health, not_in_settings: true };
    }),
  };
}

export const UNKNOWN_LEADS: HealthReport['leads'] = {
  queued: 0,
  uncertain: 0,
  dead: 0,
  paused_destinations: [],
  unencrypted_destinations: [],
  deliveries: {},
  destinations: [],
};

function destinationHealth(
  id: string,
  queue: { waiting: number; oldestLeadId: string; oldestQueuedAt: number } | undefined,
  { paused, adapter_fault }: { paused: string | undefined; adapter_fault: string | undefined },
  now: number,
): DestinationHealth {
  return {
    id,
    ...(paused === undefined ? {} : { paused }),
    ...(adapter_fault === undefined ? {} : { adapter_fault }),
    waiting: queue?.waiting ?? 0,
    ...(queue === undefined
      ? {}
      : {
          oldest: {
            lead_id: queue.oldestLeadId,
            since: formatInstant(queue.oldestQueuedAt),
            age_seconds: secondsSince(queue.oldestQueuedAt, now),
          },
        }),
  };
}

function secondsSince(time: number, now: number): number {
  return Math.max(0, Math.floor((now - time) / 1000));
}

function isUnencrypted({ crm, options }: DestinationConfig): boolean {
  const place = crm.place?.(options);
  return place !== undefined && 'address' in place && place.unencrypted === true;
}
