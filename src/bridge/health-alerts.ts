import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/config.ts';
import type { Alert, AlertMemory, StandingAlerts } from '../model/alert.ts';
import type { Clock } from '../model/clock.ts';
import { isTrouble } from '../model/finding.ts';
import type { Log } from '../model/log.ts';
import { alertChannels } from '../runtime/alert-channels.ts';
import { steadyMemory } from '../runtime/alert-memory.ts';
import { alertStep } from '../runtime/alerts.ts';
import { RepeatedStep } from '../runtime/repeated-step.ts';
import type { HealthReport } from '../web/health-report.ts';

const ALERTS_EVERY_MS = 60_000;

/** Comes and goes by itself, before anybody has read of it. */
const NEVER_TOLD = new Set(['event-loop']);

/** Tells a person what the health page finds, once each, about a minute after it begins. Returns what ends it. */
export function startHealthAlerts(
  health: () => Promise<HealthReport>,
  memory: AlertMemory,
  settings: () => Pick<Config, 'alerts' | 'dealer'>,
  clock: Clock,
  log: Log,
): () => Promise<void> {
  const steady = steadyMemory(memory, log);
  const tellerBy = ({ alerts, dealer }: Pick<Config, 'alerts' | 'dealer'>) => ({
    by: [alerts, dealer.name],
    tell: alertStep({
      look: async () => alertsOf(await health()),
      channels: alertChannels(alerts),
      memory: steady,
      from: dealer.name,
      clock,
      log,
    }),
  });
  let teller = tellerBy(settings());
  const tell = (): Promise<void> => {
    const { alerts, dealer } = settings();
    // Made anew only by other settings: it remembers when it last wrote.
    if (!isDeepStrictEqual(teller.by, [alerts, dealer.name])) teller = tellerBy(settings());
    return teller.tell();
  };
  const step = new RepeatedStep(tell, ALERTS_EVERY_MS, (fault) =>
    log.error(
      { fault: fault instanceof Error ? fault.stack : String(fault) },
      'the alerts cannot be looked at',
    ),
  );
  void step.now();
  return () => step.stop();
}

/** What a database that does not answer would tell is unknown, so nothing of it is over. */
export function alertsOf({ checks, machine }: Pick<HealthReport, 'checks' | 'machine'>): StandingAlerts {
  const alerts = checks
    .filter(isTrouble)
    .filter(({ key }) => !NEVER_TOLD.has(key))
    .map(({ key, text, remedy }): Alert => ({ key, text, remedy }));
  const { leads, inventory } = machine.databases;
  return { alerts, isPartial: leads !== undefined || inventory !== undefined };
}
