import { existsSync } from 'node:fs';
import { awaitsMigration } from '../bridge/backup-before-migration.ts';
import type { Config } from '../config/config.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import { leadsDatabaseFile, openLeadStore } from '../leads/store.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { type ConfigOptions, dataFolderOf, loadConfigIfSound, loadConfigOrExit } from './config-options.ts';
import { stopWith } from './lead-problems.ts';

/** Runs a command on the leads of a bridge, which may be running: leads.db is made for several processes. */
export async function withLeadStore(
  options: ConfigOptions,
  work: (store: LeadStore, config: Config) => Promise<void>,
): Promise<void> {
  const config = await loadConfigOrExit(options);
  await withStoreOf(config.data_folder, config, (store) => work(store, config));
}

/**
 * The same for commands that need the data folder only. A bridge goes on with its last good settings while a change of
 * them is refused, and so do these: the faults are told on stderr, and `config` is undefined.
 */
export async function withLeadStoreAlone(
  options: ConfigOptions,
  work: (store: LeadStore, config: Config | undefined) => Promise<void>,
): Promise<void> {
  const config = await loadConfigIfSound(options);
  if (config === undefined) console.error('The settings are left aside: this command can do without.');
  await withStoreOf(dataFolderOf(options), config, (store) => work(store, config));
}

async function withStoreOf(
  dataFolder: string,
  config: Config | undefined,
  work: (store: LeadStore) => Promise<void>,
): Promise<void> {
  const file = leadsDatabaseFile(dataFolder);
  // Opening would create it, and a mistyped --data would look like a dealership without leads.
  if (!existsSync(file)) stopWith(`There is no ${file}: no bridge has run with this data folder.`);
  if (config !== undefined) await bringUpToDate(config);
  else if (awaitsMigration(dataFolder)) {
    stopWith(
      'The databases are of an older program and must be backed up first: correct the settings for that.',
    );
  }
  const store = openLeadStore(file);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
