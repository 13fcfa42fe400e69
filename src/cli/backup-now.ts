import type { Command } from 'commander';
import { BACKUP_CHECKS } from '../bridge/backup-checks.ts';
import { backupPlan } from '../bridge/backup-plan.ts';
import { runBackup } from '../runtime/backup/run-backup.ts';
import { describeBackup } from './backup-text.ts';
import { CommandStopped } from './command-stopped.ts';
import { type ConfigOptions, loadConfigOrExit, withConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { programVersion } from '../runtime/program-version.ts';

/** `backup now`: beside a running bridge or a stopped one. */
export function addBackupNowCommand(backup: Command): void {
  withConfigOptions(backup.command('now'))
    .summary('make a backup')
    .description(
      'Makes a backup and checks it. The bridge may be running: neither buyers nor leads wait for it. Ends with 1 ' +
        'when there is no backup that holds, or none at the second place.',
    )
    .action(async (options: ConfigOptions) => {
      const config = await loadConfigOrExit(options);
      const plan = await backupPlan(config, programVersion());
      const { manifest, failure, copyFailure, removed } = await runBackup(plan, BACKUP_CHECKS, 'by hand');
      if (failure !== undefined) {
        console.error(failure.reason);
        throw new CommandStopped(EXIT_CODES.problems);
      }
      if (manifest !== undefined) console.log(describeBackup(manifest, plan.folder));
      if (plan.copyTo !== undefined && copyFailure === undefined) console.log(`Copied to ${plan.copyTo}.`);
      if (removed.length > 0) console.log(`Old ones taken away: ${removed.join(', ')}.`);
      if (copyFailure === undefined) return;
      console.error(copyFailure.reason);
      throw new CommandStopped(EXIT_CODES.problems);
    });
}
