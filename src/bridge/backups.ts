import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import type { BackupHealth } from '../model/backup-health.ts';
import type { Clock } from '../model/clock.ts';
import type { Log } from '../model/log.ts';
import { lookAtBackups, rememberFirstStart } from '../runtime/backup/backup-health.ts';
import { readBackupState } from '../runtime/backup/backup-state.ts';
import type { BackupOutcome } from '../runtime/backup/run-backup.ts';
import { isBackupDue } from '../runtime/backup/schedule.ts';
import { RepeatedStep } from '../runtime/repeated-step.ts';
import { backupPlan } from './backup-plan.ts';
import type { BackupOrder } from './backup-worker.ts';

export interface Backups {
  health(): Promise<BackupHealth>;
  /** Makes one if one is due; done once a minute by itself. */
  look(): Promise<void>;
  /** Ends; a backup under way is given up and leaves nothing that counts. */
  stop(): Promise<void>;
}

const LOOK_MS = 60_000;
const MAX_JITTER_MS = 10 * 60_000;
/** The file is `backup-worker.ts` in a clone and `backup-worker.js` in a package, as this one. */
const WORKER = fileURLToPath(new URL(`./backup-worker${extname(import.meta.filename)}`, import.meta.url));

/** Makes the nightly backup of a running bridge, by the settings of that moment, in a thread of its own. */
export async function startBackups(
  settings: () => Config,
  { version, clock, log }: { version: string; clock: Clock; log: Log },
): Promise<Backups> {
  const { data_folder: dataFolder } = settings();
  const times = { jitterMs: Math.random() * MAX_JITTER_MS, startedAt: clock.now() };
  await rememberFirstStart(dataFolder, clock.now());
  const state: { worker?: Worker; stopping: boolean } = { stopping: false };

  async function look(): Promise<void> {
    const config = settings();
    const { enabled, at } = config.backup;
    if (!enabled || state.stopping) return;
    const { lastGood } = await lookAtBackups(placesOf(config), clock.now());
    const { lastTryAt } = await readBackupState(dataFolder);
    if (!isBackupDue({ ...times, at, lastGoodAt: lastGood?.at, lastTryAt }, clock.now())) return;
    const plan = await backupPlan(config, version);
    const outcome = await inThread({ plan, reason: 'nightly' }, state);
    if (outcome !== undefined) tell(outcome, log);
  }

  const step = new RepeatedStep(look, LOOK_MS, (fault) => {
    log.error({ fault: fault instanceof Error ? fault.stack : String(fault) }, 'no backup can be made');
  });
  return {
    health: () => lookAtBackups(placesOf(settings()), clock.now()),
    look: () => step.now(),
    stop: async () => {
      state.stopping = true;
      await state.worker?.terminate();
      await step.stop();
    },
  };
}

function placesOf({ backup, data_folder: dataFolder }: Config) {
  const { enabled, folder, copy_to: copyTo } = backup;
  return { enabled, dataFolder, folder, ...(copyTo === undefined ? {} : { copyTo }) };
}

/** Undefined when the bridge stopped meanwhile. */
function inThread(
  order: BackupOrder,
  state: { worker?: Worker; stopping: boolean },
): Promise<BackupOutcome | undefined> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: order });
    state.worker = worker;
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      delete state.worker;
      if (state.stopping) resolve(undefined);
      else reject(new Error('the backup thread ended without a word'));
    });
  });
}

function tell({ manifest, failure, copyFailure, removed }: BackupOutcome, log: Log): void {
  if (failure !== undefined)
    log.error({ reason: failure.reason }, 'the backup failed; tried again in an hour');
  else log.info({ backup: manifest?.name, removed }, 'backup made and verified');
  if (copyFailure !== undefined) log.error({ reason: copyFailure.reason }, 'the second place has no backup');
}
