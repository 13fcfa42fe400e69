import { basename } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Problem } from '../model/problem.ts';
import { readKey } from '../runtime/backup/backup-key.ts';

/**
 * A key file that is not there or holds no key: no backup could be made. Whoever changes settings is refused for it; a
 * bridge that starts only tells it, since buyers and leads do not wait for a key.
 */
export async function backupKeyProblems({ backup, file }: Config): Promise<Problem[]> {
  if (!backup.enabled || backup.key_file === undefined) return [];
  try {
    await readKey(backup.key_file);
    return [];
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault);
    return [{ code: 'BACKUP_KEY', message, where: { file: basename(file), path: 'backup.key_file' } }];
  }
}
