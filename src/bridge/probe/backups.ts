import type { Config } from '../../config/config.ts';
import type { Finding } from '../../model/finding.ts';
import { lookAtBackups } from '../../runtime/backup/backup-health.ts';
import { readKey } from '../../runtime/backup/backup-key.ts';
import { backupReport } from '../backup-report.ts';
import { backupFindings } from '../findings/backup-findings.ts';

/** How old the last good backup is, as health tells it, and whether the next one can be encrypted. */
export async function storedBackupFindings(
  { backup, data_folder: dataFolder }: Config,
  now: number,
): Promise<Finding[]> {
  if (!backup.enabled) {
    const text = 'The settings switch backups off; something else must copy leads.db.';
    return [{ key: 'backup', status: 'ok', text }];
  }
  const where = {
    enabled: true,
    dataFolder,
    folder: backup.folder,
    ...(backup.copy_to === undefined ? {} : { copyTo: backup.copy_to }),
  };
  const report = backupReport(await lookAtBackups(where, now), now);
  return [...(await keyFindings(backup.key_file)), ...backupFindings(report)];
}

async function keyFindings(file: string | undefined): Promise<Finding[]> {
  if (file === undefined) return [];
  const key = 'backup-key';
  try {
    await readKey(file);
    return [{ key, status: 'ok', text: 'The key of the backups can be read. Keep a copy of it elsewhere.' }];
  } catch (fault) {
    const text = fault instanceof Error ? fault.message : String(fault);
    const remedy = 'Put the key back where backup.key_file says: without it no backup can be made or opened.';
    return [{ key, status: 'fail', text, remedy }];
  }
}
