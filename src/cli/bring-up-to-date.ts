import { awaitsMigration, backUpBeforeMigration } from '../bridge/backup-before-migration.ts';
import type { Config } from '../config/config.ts';
import { isBridgeRunning } from '../runtime/data-folder-lock.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { programVersion } from '../runtime/program-version.ts';

/**
 * To be called before a command opens a database for writing. Opening brings it to the form of this program: never
 * without a backup, and never under a bridge of an older program that is at work on it.
 */
export async function bringUpToDate(config: Config): Promise<void> {
  if (!awaitsMigration(config.data_folder)) return;
  if (isBridgeRunning(config.data_folder)) {
    console.error(
      'The bridge that runs on this data folder is of an older program than this command. Use the command of that ' +
        'program, or restart the bridge with this one.',
    );
    throw new CommandStopped(EXIT_CODES.problems);
  }
  const outcome = await backUpBeforeMigration(config, programVersion());
  if (outcome?.manifest !== undefined) console.error(`Backup ${outcome.manifest.name} made first.`);
}
