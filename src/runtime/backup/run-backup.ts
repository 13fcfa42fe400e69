import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../files/patience.ts';
import type { BackupFailure } from '../../model/backup-health.ts';
import { listBackups } from './backup-folder.ts';
import { lockBackups } from './backup-lock.ts';
import type { BackupPlan } from './backup-plan.ts';
import { readBackupState, writeBackupState } from './backup-state.ts';
import type { DatabaseChecks } from './check-copy.ts';
import { copyElsewhere } from './copy-elsewhere.ts';
import { makeBackup, pruneBackups } from './make-backup.ts';
import type { BackupManifest, BackupReason } from './manifest.ts';

/** What became of a backup: `failure` = there is no good one; `copyFailure` = it is not at the second place. */
export interface BackupOutcome {
  manifest?: BackupManifest;
  failure?: BackupFailure;
  copyFailure?: BackupFailure;
  /** Names of older ones that went. */
  removed: string[];
}

/**
 * The whole of it: make, copy to the second place, take away old ones, remember what became of it. Never throws for
 * what can go wrong with a backup, except that another one is under way.
 */
export async function runBackup(
  plan: BackupPlan,
  checks: DatabaseChecks,
  reason: BackupReason,
  now: () => number = Date.now,
): Promise<BackupOutcome> {
  const unlock = lockBackups(plan.dataFolder);
  try {
    const outcome = await makeAndCopy(plan, checks, reason, now);
    // On a full disk not even that can be written; what became of the backup must be told all the same.
    await remember(plan, outcome, now()).catch(() => undefined);
    return outcome;
  } finally {
    unlock();
  }
}

async function makeAndCopy(
  plan: BackupPlan,
  checks: DatabaseChecks,
  reason: BackupReason,
  now: () => number,
): Promise<BackupOutcome> {
  let manifest: BackupManifest;
  try {
    manifest = await makeBackup(plan, checks, { reason, now: now() });
  } catch (error) {
    return { failure: { at: now(), reason: reasonOf(error) }, removed: [] };
  }
  // A faulty one neither travels nor drives an older one out.
  if (manifest.faults.length > 0) {
    const text = `The backup ${manifest.name} does not hold: ${manifest.faults.join('; ')}.`;
    return { manifest, failure: { at: now(), reason: text }, removed: [] };
  }
  const copyFailure = await copied(plan, manifest.name, now);
  const removed = await pruneBackups(plan.folder, plan.keep).catch(() => []);
  return { manifest, removed, ...(copyFailure === undefined ? {} : { copyFailure }) };
}

/** The second place has its own old ones, taken away by the same rule. */
async function copied(
  { folder, copyTo, keep }: BackupPlan,
  name: string,
  now: () => number,
): Promise<BackupFailure | undefined> {
  if (copyTo === undefined) return undefined;
  try {
    const made = (await listBackups(folder)).find((backup) => backup.name === name);
    if (made !== undefined && !existsSync(join(copyTo, name))) await copyElsewhere(made, copyTo);
    await pruneBackups(copyTo, keep);
    return undefined;
  } catch (error) {
    return { at: now(), reason: `The backup is not copied to ${copyTo}: ${reasonOf(error)}` };
  }
}

async function remember(
  plan: BackupPlan,
  { manifest, failure, copyFailure }: BackupOutcome,
  now: number,
): Promise<void> {
  const { lastFailure: _, lastCopyFailure, lastCopy, ...state } = await readBackupState(plan.dataFolder);
  const isCopied = failure === undefined && plan.copyTo !== undefined && copyFailure === undefined;
  const copy = isCopied && manifest ? { at: Date.parse(manifest.taken_at), name: manifest.name } : lastCopy;
  const stillNoCopy = copyFailure ?? (failure === undefined ? undefined : lastCopyFailure);
  await writeBackupState(plan.dataFolder, {
    ...state,
    lastTryAt: now,
    ...(failure && { lastFailure: failure }),
    ...(copy && { lastCopy: copy }),
    ...(stillNoCopy && { lastCopyFailure: stillNoCopy }),
  });
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return `The disk is full (${code}). Make room, or name a folder on another disk (backup.folder, backup.copy_to); nothing half is left behind.`;
  }
  return error instanceof Error ? error.message : String(error);
}
