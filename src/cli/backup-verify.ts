import { join } from 'node:path';
import type { Command } from 'commander';
import { BACKUP_CHECKS } from '../bridge/backup-checks.ts';
import { verifyBackup } from '../runtime/backup/verify-backup.ts';
import { chosenBackup, keyFor } from './chosen-backup.ts';
import { CommandStopped } from './command-stopped.ts';
import { type ConfigOptions, loadConfigOrExit, withConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';

type VerifyOptions = ConfigOptions & { key?: string };

export function addBackupVerifyCommand(backup: Command): void {
  withConfigOptions(backup.command('verify'))
    .summary('check that a backup can be restored')
    .description(
      'Goes through a backup as a restore would: every file against its SHA-256, the databases unpacked, checked by ' +
        'SQLite, counted, and the consent ledger checked link by link. Changes nothing.',
    )
    .argument('[name]', 'as backup list prints it, or the path of its folder (default: the newest good one)')
    .option('--key <file>', 'key file, if it is another than backup.key_file')
    .action(async (name: string | undefined, options: VerifyOptions) => {
      const { backup: settings, data_folder: dataFolder } = await loadConfigOrExit(options);
      const folders = [settings.folder, ...(settings.copy_to === undefined ? [] : [settings.copy_to])];
      const chosen = await chosenBackup(name, folders);
      const key = await keyFor(chosen, options.key ?? settings.key_file);
      const workFolder = join(dataFolder, `verifying-${process.pid}`);
      const faults = await verifyBackup(chosen, BACKUP_CHECKS, { key, workFolder });
      if (faults.length === 0) {
        console.log(`The backup ${chosen.name} is whole: it can be restored.`);
        return;
      }
      for (const fault of faults) console.error(fault);
      console.error(`The backup ${chosen.folder} does NOT hold.`);
      throw new CommandStopped(EXIT_CODES.problems);
    });
}
