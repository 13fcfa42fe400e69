import { join } from 'node:path';
import type { Command } from 'commander';
import { openInventoryStore } from '../inventory/store.ts';
import { openLeadStore } from '../leads/store.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { stopOnFeedProblems } from './feed-problems.ts';
import { stop } from './held-run.ts';

/**
 * `try-data`: what `upgrade` of the version before runs of a new one, on a copy of the data folder that it throws away
 * afterwards. Versions talk to each other by it, so its words and its exit codes (0: takes it over) stay.
 */
export function addTryDataCommand(program: Command): void {
  withConfigOptions(program.command('try-data', { hidden: true }))
    .description(
      'Tries settings and a copy of a data folder: the databases get the form of this program and are looked through. ' +
        'Never give it the data folder of a bridge.',
    )
    .action(async (options: ConfigOptions) => {
      const config = await loadConfigOrExit(options);
      await stopOnFeedProblems(config);
      const leads = openLeadStore(join(config.data_folder, 'leads.db'));
      try {
        const ledger = await leads.auditConsents();
        if (ledger.kind === 'broken') stop(`The consent ledger does not hold: ${ledger.fault}.`);
        await leads.list({ limit: 1 });
      } finally {
        await leads.close();
      }
      const inventory = openInventoryStore(join(config.data_folder, 'inventory.db'));
      try {
        await inventory.listRuns({ limit: 1 });
      } finally {
        inventory.close();
      }
      console.log('The settings have no faults, and the databases can be taken over.');
    });
}
