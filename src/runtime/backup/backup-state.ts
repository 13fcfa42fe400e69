import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFailure } from '../../model/backup-health.ts';
import { replaceText } from './durable-files.ts';

/** What is remembered beside the backups themselves: `backup-state.json` in the data folder. Times are ms since 1970. */
export interface BackupState {
  /** When somebody first looked: before, no backup can be overdue. */
  since?: number;
  lastTryAt?: number;
  /** Of the last try; gone when it succeeded. */
  lastFailure?: BackupFailure;
  /** Of the last copy to the second place. */
  lastCopyFailure?: BackupFailure;
  lastCopy?: { at: number; name: string };
}

/** Nothing when there is none; a spoilt one is as good as none. */
export async function readBackupState(dataFolder: string): Promise<BackupState> {
  try {
    return JSON.parse(await readFile(stateFile(dataFolder), 'utf8')) as BackupState;
  } catch {
    return {};
  }
}

export async function writeBackupState(dataFolder: string, state: BackupState): Promise<void> {
  await replaceText(stateFile(dataFolder), `${JSON.stringify(state, null, 2)}\n`);
}

function stateFile(dataFolder: string): string {
  return join(dataFolder, 'backup-state.json');
}
