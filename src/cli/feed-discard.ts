import type { Command } from 'commander';
import { discardHeldFile } from '../feeds/held-files.ts';
import { DISCARDED_BY_HAND } from '../model/intake.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { withExistingInventory } from './feed-services.ts';
import { heldRun } from './held-run.ts';

/** `feed discard`: gives a held file up; the lot stays as it is. */
export function addFeedDiscardCommand(feed: Command): void {
  withConfigOptions(feed.command('discard'))
    .summary('give a held file up, keep the lot as it is')
    .description('Puts the file of a held run to the failed files. The lot stays as it is.')
    .argument('<run>', 'id of the held run, as "feed runs" and the report show it')
    .action(discard);
}

async function discard(runId: string, options: ConfigOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  await withExistingInventory(config, async (store) => {
    const { run, feed, file } = await heldRun(runId, config, store);
    const target = file === undefined ? undefined : await discardHeldFile(file, feed.id, config.data_folder);
    await store.recordRun({
      ...run,
      status: 'failed',
      message: `${run.message ?? ''}; ${DISCARDED_BY_HAND}`,
    });
    // A file that somebody took away must not leave its run waiting for ever.
    const whereabouts = target === undefined ? 'was no longer in the held folder' : `is now ${target}`;
    console.log(`The lot stays as it is. The file ${whereabouts}`);
  });
}
