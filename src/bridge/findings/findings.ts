import type { AlertThresholds } from '../../config/config.ts';
import type { Finding, Trouble } from '../../model/finding.ts';
import type { HealthFacts } from '../../web/health-report.ts';
import { accessFindings } from './access-findings.ts';
import { backupFindings } from './backup-findings.ts';
import { clockFinding } from './clock-finding.ts';
import { feedFindings } from './feed-findings.ts';
import { leadFindings } from './lead-findings.ts';
import { lotFindings } from './lot-findings.ts';
import { machineFindings } from './machine-findings.ts';
import { settingsFindings } from './settings-findings.ts';

/** What is looked at, in the order in which a person should read it. Pure. */
export function findingsOf(
  facts: HealthFacts,
  leadAlerts: readonly Trouble[],
  thresholds: AlertThresholds,
  now: number,
): Finding[] {
  return [
    ...machineFindings(facts.machine, thresholds),
    clockFinding(facts.clock),
    ...leadFindings(facts, leadAlerts),
    ...feedFindings(facts, thresholds, now),
    ...lotFindings(facts, thresholds),
    ...accessFindings(facts.access, thresholds),
    ...backupFindings(facts.backup),
    ...settingsFindings(facts.settings),
  ];
}
