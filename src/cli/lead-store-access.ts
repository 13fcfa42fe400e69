import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import { leadsDatabaseFile, openLeadStore } from '../leads/store.ts';
import { CommandStopped } from './command-stopped.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { type ConfigOptions, loadConfigOrExit } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** Runs a command on the leads of a bridge, which may be running: leads.db is made for several processes. */
export async function withLeadStore(
  options: ConfigOptions,
  work: (store: LeadStore, config: Config) => Promise<void>,
): Promise<void> {
  const config = await loadConfigOrExit(options);
  const file = leadsDatabaseFile(config.data_folder);
  if (!existsSync(file)) {
    // Opening would create it, and a mistyped --data would look like a dealership without leads.
    console.error(`There is no ${file}: no bridge has run with this data folder.`);
    throw new CommandStopped(EXIT_CODES.problems);
  }
  await bringUpToDate(config);
  const store = openLeadStore(file);
  try {
    await work(store, config);
  } finally {
    await store.close();
  }
}
