import type { Config } from '../config/config.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import { eraseDue } from '../leads/retention.ts';
import type { Clock } from '../model/clock.ts';
import type { Log } from '../model/log.ts';
import type { ClockWatch } from '../runtime/clock-watch.ts';
import { RepeatedStep } from '../runtime/repeated-step.ts';

const ERASE_EVERY_MS = 24 * 3_600_000;

/**
 * Erases customers whose time is over by the settings of that moment, once a day. What is erased never comes back: with
 * a clock that may run ahead nothing is. Returns what ends it.
 */
export function startLeadUpkeep(
  store: LeadStore,
  settings: () => Pick<Config, 'leads'>,
  { clock, clockWatch }: { clock: Clock; clockWatch: Pick<ClockWatch, 'look' | 'maySayOld'> },
  log: Log,
): () => Promise<void> {
  const erase = async (): Promise<void> => {
    // The clock may have jumped since the last look.
    clockWatch.look();
    if (!clockWatch.maySayOld) {
      log.warn({}, 'no customer data is erased: the clock has jumped ahead, and is not believed yet');
      return;
    }
    const { leads } = settings();
    const reason = `kept for ${leads.retention_days} days after delivery`;
    const act = { who: 'dealer-bridge', reason, now: clock.now() };
    const { erased, kept } = await eraseDue(store, leads.retention_days, act);
    if (erased > 0) log.info({ leads: erased }, 'customer data erased');
    if (kept > 0)
      log.warn({ leads: kept }, 'old leads keep their customer: they are not delivered everywhere');
  };
  const step = new RepeatedStep(erase, ERASE_EVERY_MS, (fault) =>
    log.error(
      { fault: fault instanceof Error ? fault.stack : String(fault) },
      'customer data cannot be erased',
    ),
  );
  void step.now();
  return () => step.stop();
}
