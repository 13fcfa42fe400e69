import type { Config } from '../config/config.ts';
import { leadAlerts } from '../leads/alerts.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import { eraseDue } from '../leads/retention.ts';
import type { Clock } from '../model/clock.ts';
import type { Log } from '../model/log.ts';
import { alertChannels } from '../runtime/alert-channels.ts';
import { alertStep } from '../runtime/alerts.ts';
import { RepeatedStep } from '../runtime/repeated-step.ts';

const ALERTS_EVERY_MS = 60_000;
const ERASE_EVERY_MS = 24 * 3_600_000;

/** What is done about leads on a timer: alerts, and erasing customers whose time is over. Returns what ends it. */
export function startLeadUpkeep(
  store: LeadStore,
  config: Config,
  clock: Clock,
  log: Log,
): () => Promise<void> {
  const { leads, alerts, dealer } = config;
  const tellAlerts = alertStep({
    sources: [leadAlerts({ store, destinations: leads.destinations, alerts, clock })],
    channels: alertChannels(alerts),
    memory: store.alerts,
    from: dealer.name,
    clock,
    log,
  });
  const erase = async (): Promise<void> => {
    const reason = `kept for ${leads.retention_days} days after delivery`;
    const act = { who: 'dealer-bridge', reason, now: clock.now() };
    const { erased, kept } = await eraseDue(store, leads.retention_days, act);
    if (erased > 0) log.info({ leads: erased }, 'customer data erased');
    if (kept > 0)
      log.warn({ leads: kept }, 'old leads keep their customer: they are not delivered everywhere');
  };
  const told = (what: string) => (fault: unknown) =>
    log.error({ fault: fault instanceof Error ? fault.stack : String(fault) }, what);
  const steps = [
    new RepeatedStep(tellAlerts, ALERTS_EVERY_MS, told('the alerts cannot be looked at')),
    new RepeatedStep(erase, ERASE_EVERY_MS, told('customer data cannot be erased')),
  ];
  for (const step of steps) void step.now();
  return async () => {
    await Promise.all(steps.map((step) => step.stop()));
  };
}
