import type { InventoryStore } from '../inventory/store.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import type { Clock } from '../model/clock.ts';
import type { Log } from '../model/log.ts';
import type { Readiness } from '../web/probes.ts';

/** Anybody may ask, and as often as they like. */
const KEPT_MS = 1000;

export type Phase = 'starting' | 'serving' | 'stopping';

/** Whether calls can be answered now: the lot is loaded, both databases answer, and the bridge is not stopping. */
export function readinessOf(
  parts: {
    inventoryStore: Pick<InventoryStore, 'listRuns'>;
    leadStore: Pick<LeadStore, 'nextDueAt'>;
    clock: Clock;
    log: Log;
  },
  phase: () => Phase,
): () => Promise<Readiness> {
  const { inventoryStore, leadStore, clock, log } = parts;
  let asked: { at: number; answer: Promise<Readiness> } | undefined;

  async function look(): Promise<Readiness> {
    const silent = async (name: string, question: () => Promise<unknown>): Promise<string | undefined> => {
      try {
        await question();
        return undefined;
      } catch (fault) {
        log.error({ database: name, fault: String(fault) }, 'a database does not answer');
        return `the ${name} database does not answer`;
      }
    };
    const reason =
      (await silent('leads', () => leadStore.nextDueAt(''))) ??
      (await silent('inventory', () => inventoryStore.listRuns({ limit: 1 })));
    return reason === undefined ? { ready: true } : { ready: false, reason };
  }

  return () => {
    const now = phase();
    if (now !== 'serving') return Promise.resolve({ ready: false, reason: now });
    const time = clock.now();
    if (asked === undefined || time - asked.at >= KEPT_MS || time < asked.at)
      asked = { at: time, answer: look() };
    return asked.answer;
  };
}
