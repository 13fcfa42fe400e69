import type { BackupHealth } from '../../model/backup-health.ts';
import { isGood, listBackups, takenAt } from './backup-folder.ts';
import { readBackupState, writeBackupState } from './backup-state.ts';

/** One night may fail; after two a person must look. */
const OVERDUE_MS = 2 * 86_400_000;

/** Looks at the folders themselves: a backup that somebody deleted is none, one that `backup now` made counts. */
export async function lookAtBackups(
  where: { enabled: boolean; dataFolder: string; folder: string; copyTo?: string },
  now: number,
): Promise<BackupHealth> {
  const state = await readBackupState(where.dataFolder);
  const good = (await listBackups(where.folder)).find(isGood);
  const lastGood = good && { at: takenAt(good), name: good.name };
  return {
    enabled: where.enabled,
    ...(lastGood && { lastGood }),
    ...(state.lastFailure && { lastFailure: state.lastFailure }),
    ...(where.copyTo !== undefined && {
      copy: {
        ...(state.lastCopy && { lastGood: state.lastCopy }),
        ...(state.lastCopyFailure && { lastFailure: state.lastCopyFailure }),
      },
    }),
    overdue: where.enabled && now - Math.max(lastGood?.at ?? 0, state.since ?? now) > OVERDUE_MS,
  };
}

/** To be called when the bridge starts: a machine on which it is new has no backups yet, and that is no trouble. */
export async function rememberFirstStart(dataFolder: string, now: number): Promise<void> {
  const state = await readBackupState(dataFolder);
  if (state.since === undefined) await writeBackupState(dataFolder, { ...state, since: now });
}
