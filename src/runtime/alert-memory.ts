import type { Alert, AlertMemory } from '../model/alert.ts';
import type { Log } from '../model/log.ts';

type Told = ReadonlyMap<string, Pick<Alert, 'key' | 'text'>>;

/** What a channel was told and what it heard the end of, as far as the database does not know it yet. */
interface Unkept {
  told: Told;
  raised: Map<string, Alert>;
  resolved: Set<string>;
}

/**
 * A memory that also holds while its database does not: on a full disk nothing can be kept, and what was told would be
 * told again every minute. What could not be kept is tried again with the next change.
 */
export function steadyMemory(memory: AlertMemory, log: Log): AlertMemory {
  const unkept = new Map<string, Unkept>();
  /** As last read, for the day on which reading fails. */
  const lastTold = new Map<string, Told>();

  return {
    told: async (channel) => {
      const held = unkept.get(channel);
      if (held !== undefined) return [...held.told.values()];
      try {
        const told = await memory.told(channel);
        lastTold.set(channel, new Map(told.map((alert) => [alert.key, alert])));
        return told;
      } catch (fault) {
        log.debug({ channel, fault: String(fault) }, 'what was told cannot be read');
        return [...(lastTold.get(channel)?.values() ?? [])];
      }
    },
    keep: async (channel, change) => {
      const pending = added(unkept.get(channel), lastTold.get(channel), change);
      try {
        const { raised, resolved } = pending;
        await memory.keep(channel, {
          raised: [...raised.values()],
          resolved: [...resolved],
          now: change.now,
        });
        unkept.delete(channel);
      } catch (fault) {
        if (!unkept.has(channel))
          log.warn({ channel, fault: String(fault) }, 'what was told cannot be kept and is held in mind');
        unkept.set(channel, pending);
      }
      lastTold.set(channel, pending.told);
    },
  };
}

function added(
  before: Unkept | undefined,
  lastTold: Told | undefined,
  change: Parameters<AlertMemory['keep']>[1],
): Unkept {
  const told = new Map(before?.told ?? lastTold);
  const raised = new Map(before?.raised);
  const resolved = new Set(before?.resolved);
  for (const key of change.resolved) {
    told.delete(key);
    raised.delete(key);
    resolved.add(key);
  }
  for (const alert of change.raised) {
    told.set(alert.key, alert);
    raised.set(alert.key, alert);
    resolved.delete(alert.key);
  }
  return { told, raised, resolved };
}
