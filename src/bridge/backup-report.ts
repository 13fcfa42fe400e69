import type { BackupHealth } from '../model/backup-health.ts';
import { formatInstant } from '../model/clock.ts';
import type { BackupReport } from '../web/health-report.ts';

/** The backups' own words in the form of the health page. */
export function backupReport(
  { enabled, overdue, lastGood, lastFailure, copy }: BackupHealth,
  now: number,
): BackupReport {
  return {
    enabled,
    overdue,
    ...(lastGood && {
      last_good: { ...goodOf(lastGood), age_seconds: Math.max(0, Math.floor((now - lastGood.at) / 1000)) },
    }),
    ...(lastFailure && { last_failure: failureOf(lastFailure) }),
    ...(copy && {
      copy: {
        ...(copy.lastGood && { last_good: goodOf(copy.lastGood) }),
        ...(copy.lastFailure && { last_failure: failureOf(copy.lastFailure) }),
      },
    }),
  };
}

function goodOf({ at, name }: { at: number; name: string }) {
  return { at: formatInstant(at), name };
}

function failureOf({ at, reason }: { at: number; reason: string }) {
  return { at: formatInstant(at), reason };
}
