import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { BACKUP_CHECKS } from '../bridge/backup-checks.ts';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { settleRestoredLeads, type RestoreReport } from '../leads/store-restore.ts';
import { takenAt, type FoundBackup } from '../runtime/backup/backup-folder.ts';
import { lockBackups } from '../runtime/backup/backup-lock.ts';
import {
  dropStaged,
  putInPlace,
  stageRestore,
  unpackSettings,
  type RestoredPart,
  type Staged,
} from '../runtime/backup/restore.ts';
import { verifyBackup } from '../runtime/backup/verify-backup.ts';
import { lockDataFolder } from '../runtime/data-folder-lock.ts';
import { tellRestored, tellWhatIsLost } from './backup-restore-text.ts';
import { chosenBackup, keyFor } from './chosen-backup.ts';
import { type ConfigOptions, withConfigOptions } from './config-options.ts';
import { stop } from './held-run.ts';

interface RestoreOptions extends ConfigOptions {
  yes?: boolean;
  hold?: boolean;
  only?: RestoredPart;
  key?: string;
  settingsTo?: string;
}

interface Restore {
  backup: FoundBackup;
  key: Buffer | undefined;
  /** Undefined when they cannot be read: a machine may have lost them, too. */
  config: Config | undefined;
  dataFolder: string;
  options: RestoreOptions;
}

/** `backup restore`: with the bridge stopped. */
export function addBackupRestoreCommand(backup: Command): void {
  withConfigOptions(backup.command('restore'))
    .summary('put the state of a backup back')
    .description(
      'Puts databases and your own adapters back as they were in a backup. The bridge must be stopped. The backup is ' +
        'checked first, what would be lost is told, and nothing happens without --yes. What is there now is moved to ' +
        'backups/before-restore-… in the data folder and never deleted. Settings stay as they are; --settings-to ' +
        'writes those of the backup into a folder of their own.',
    )
    .argument('<name>', 'as backup list prints it, or the path of its folder')
    .option('--yes', 'do it')
    .option('--hold', 'send nothing again that may have been sent since; a person decides')
    .addOption(
      new Option('--only <part>', 'put back this part only').choices(['leads', 'inventory', 'adapters']),
    )
    .option('--key <file>', 'key file, if it is another than backup.key_file')
    .option('--settings-to <folder>', 'also write the settings (and secrets) of the backup into this folder')
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge backup restore 20261130T073000Z --config bridge.yaml --data /var/lib/dealer-bridge
      what it would do, and what would be lost
  dealer-bridge backup restore /mnt/nas/bridge/20261130T073000Z --data /var/lib/dealer-bridge --key backup.key --settings-to /etc/dealer-bridge --yes
      on a new machine that has nothing yet`,
    )
    .action(restore);
}

async function restore(name: string, options: RestoreOptions): Promise<void> {
  const dataFolder = resolve(options.data ?? 'data');
  const config = await readableConfig(options);
  mkdirSync(dataFolder, { recursive: true });
  const unlockFolder = lockDataFolder(dataFolder);
  try {
    const unlockBackups = lockBackups(dataFolder);
    try {
      await restoreLocked(name, { config, dataFolder, options });
    } finally {
      unlockBackups();
    }
  } finally {
    unlockFolder();
  }
}

async function restoreLocked(name: string, given: Omit<Restore, 'backup' | 'key'>): Promise<void> {
  const { config, dataFolder, options } = given;
  const settings = config?.backup;
  const folders = [
    settings?.folder ?? join(dataFolder, 'backups'),
    ...(settings?.copy_to === undefined ? [] : [settings.copy_to]),
  ];
  const backup = await chosenBackup(name, folders);
  const key = await keyFor(backup, options.key ?? settings?.key_file);
  const workFolder = join(dataFolder, `verifying-${process.pid}`);
  const faults = await verifyBackup(backup, BACKUP_CHECKS, { key, workFolder });
  if (faults.length > 0) stop(`${faults.join('\n')}\nNothing was changed.`);
  try {
    await exchange({ ...given, backup, key });
  } finally {
    await dropStaged(dataFolder);
  }
}

async function exchange({ backup, key, config, dataFolder, options }: Restore): Promise<void> {
  const staged = await stageRestore(backup, BACKUP_CHECKS, { dataFolder, key, only: options.only });
  tellWhatIsLost(backup, staged, dataFolder);
  if (options.yes !== true) stop('Nothing was changed. Add --yes to do it.');
  if (options.settingsTo !== undefined) {
    const written = await unpackSettings(backup, key, resolve(options.settingsTo));
    for (const file of written) console.log(`Written: ${file}`);
  }
  const now = Date.now();
  const report = await settle(staged, { backup, config, dataFolder, options }, now);
  // What the sources have brought is fetched again: the lot is older now than what was fetched.
  const alsoAside = staged.names.includes('inventory.db') ? ['sources'] : [];
  const aside = await putInPlace(staged, { dataFolder, alsoAside, now });
  tellRestored(backup, aside, report);
}

async function settle(
  { names, folder }: Staged,
  { backup, config, dataFolder, options }: Omit<Restore, 'key'>,
  now: number,
): Promise<RestoreReport | undefined> {
  if (!names.includes('leads.db')) return undefined;
  return settleRestoredLeads(join(folder, 'leads.db'), {
    present: join(dataFolder, 'leads.db'),
    takenAt: takenAt(backup),
    now,
    mayRetry: (id) =>
      options.hold !== true &&
      config?.leads.destinations.find((destination) => destination.id === id)?.on_uncertain === 'retry',
  });
}

async function readableConfig({ config: file, data }: RestoreOptions): Promise<Config | undefined> {
  const loaded = await loadConfig({
    file,
    environment: process.env,
    ...(data === undefined ? {} : { dataFolder: data }),
  });
  if (loaded.ok) return loaded.value;
  console.error(
    `The settings ${file} have faults ("dealer-bridge check" tells them). The restore goes on without them: leads ` +
      'that may have been sent since the backup are left to a person.',
  );
  return undefined;
}
