import { parentPort, workerData } from 'node:worker_threads';
import type { BackupPlan } from '../runtime/backup/backup-plan.ts';
import type { BackupReason } from '../runtime/backup/manifest.ts';
import { runBackup, type BackupOutcome } from '../runtime/backup/run-backup.ts';
import { BACKUP_CHECKS } from './backup-checks.ts';

/** The thread that makes one backup: copying, checking and encrypting must not make a buyer or a lead wait. */
export interface BackupOrder {
  plan: BackupPlan;
  reason: BackupReason;
}

const { plan, reason } = workerData as BackupOrder;
const outcome: BackupOutcome = await runBackup(plan, BACKUP_CHECKS, reason);
parentPort?.postMessage(outcome);
