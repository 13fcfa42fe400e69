import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Config } from '../config/config.ts';
import { MIGRATIONS } from '../inventory/schema.ts';
import { LEAD_MIGRATIONS } from '../leads/store-schema.ts';
import { databaseForm } from '../model/database-migrations.ts';
import type { Log } from '../model/log.ts';
import { OperatorFault } from '../model/operator-fault.ts';
import { runBackup, type BackupOutcome } from '../runtime/backup/run-backup.ts';
import { refuseUnfinishedRestore } from '../runtime/backup/restore.ts';
import { BACKUP_CHECKS } from './backup-checks.ts';
import { backupPlan } from './backup-plan.ts';

/** The form that this program gives each database. */
export const FORMS = { 'leads.db': LEAD_MIGRATIONS.length, 'inventory.db': MIGRATIONS.length };

/** Whether this program would bring an existing database of the data folder to a newer form. */
export function awaitsMigration(dataFolder: string): boolean {
  return Object.entries(FORMS).some(([name, newest]) => {
    const form = formOf(join(dataFolder, name));
    return form !== undefined && form > 0 && form < newest;
  });
}

/**
 * A backup first, when the start would change the form of a database. Without one that holds nothing is changed and
 * the start is refused; `backup.enabled: false` says that somebody else takes care of backups.
 */
export async function backUpBeforeMigration(
  config: Config,
  version: string,
): Promise<BackupOutcome | undefined> {
  if (!config.backup.enabled || !awaitsMigration(config.data_folder)) return undefined;
  const outcome = await runBackup(await backupPlan(config, version), BACKUP_CHECKS, 'before a migration');
  if (outcome.failure === undefined) return outcome;
  throw new OperatorFault(
    'The databases are to be brought to the form of this program, and the backup before it failed: ' +
      `${outcome.failure.reason} Nothing was changed.`,
  );
}

/** To be called at the start, before any database is opened. */
export async function prepareDataFolder(config: Config, version: string, log: Log): Promise<void> {
  refuseUnfinishedRestore(config.data_folder);
  const outcome = await backUpBeforeMigration(config, version);
  if (outcome?.manifest === undefined) return;
  log.info(
    { backup: outcome.manifest.name },
    'backup made before the databases get the form of this program',
  );
}

/** Undefined where none can be read: opening it properly tells why. */
export function formOf(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true });
    return databaseForm(database);
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}
