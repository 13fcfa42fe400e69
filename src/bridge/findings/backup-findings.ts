import type { Finding } from '../../model/finding.ts';
import type { BackupReport } from '../../web/health-report.ts';

/** How old the last good backup is. Those that the settings switch off are no trouble. */
export function backupFindings(backup: BackupReport | undefined): Finding[] {
  if (backup?.enabled !== true) return [];
  const { last_good: good, last_failure: failure, copy, overdue } = backup;
  const last = good === undefined ? 'there is none yet' : `the last good one is of ${good.at}`;
  const remedy = 'Make one and see what it says: dealer-bridge backup now';
  return [
    overdue
      ? { key: 'backup-old', status: 'fail', text: `No good backup was made for too long: ${last}.`, remedy }
      : { key: 'backup-old', status: 'ok', text: `Backups are made: ${last}.` },
    ...(failure === undefined
      ? []
      : [
          {
            key: 'backup-failed',
            status: 'warn',
            text: `The last backup failed: ${failure.reason}`,
            remedy,
          } as const,
        ]),
    ...(copy?.last_failure === undefined
      ? []
      : [
          {
            key: 'backup-copy-failed',
            status: 'warn',
            text: `The backup could not be copied to its second place: ${copy.last_failure.reason}`,
            remedy: 'Check the second place and the rights of this account on it.',
          } as const,
        ]),
  ];
}
