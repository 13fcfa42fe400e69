import type { LeadStore } from './lead-store.ts';
import type { OperatorAct } from './operator-acts.ts';

const DAY_MS = 86_400_000;
/** So many leads are erased in one transaction: a new lead never waits long for it. */
const BATCH = 100;

export interface ErasureReport {
  /** Leads whose customer was erased. */
  erased: number;
  /** Older ones that keep it because a delivery is not settled. */
  kept: number;
  /** False when the write-ahead log may still hold what was erased, because somebody was reading. */
  tracesCleared: boolean;
}

/**
 * Erases the customers of leads whose deliveries have all been settled for so many days. A lead that the CRM does not
 * have is never erased, however old it is.
 */
export async function eraseDue(store: LeadStore, days: number, act: OperatorAct): Promise<ErasureReport> {
  const before = act.now - days * DAY_MS;
  let erased = 0;
  for (;;) {
    const due = await store.findErasable(before, BATCH);
    const done = await store.erase(due, act);
    erased += done.length;
    // Nothing done: none is left, or what was found has been sent again meanwhile.
    if (done.length === 0) break;
  }
  const kept = await store.countUnsettled(before);
  return { erased, kept, tracesCleared: await store.clearTraces() };
}
