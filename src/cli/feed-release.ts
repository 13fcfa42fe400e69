import type { Command } from 'commander';
import { releaseHeldFile } from '../feeds/held-files.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { printReport } from './feed-run.ts';
import { ingestServices, withExistingInventory } from './feed-services.ts';
import { heldRun, stop } from './held-run.ts';

/** `feed release`: takes a held file in after all. */
export function addFeedReleaseCommand(feed: Command): void {
  withConfigOptions(feed.command('release'))
    .summary('take a held file in after all')
    .description(
      'A file that would take unusually many vehicles off the lot is held. If it is right, this takes it in and ' +
        'prints the report. A run that is older than what was taken in since is not released: drop its file again.',
    )
    .argument('<run>', 'id of the held run, as "feed runs" and the report show it')
    .action(release);
}

async function release(runId: string, options: ConfigOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  const report = await withExistingInventory(config, async (store) => {
    const { feed, file, newer } = await heldRun(runId, config, store);
    if (file === undefined)
      stop(`the file of run ${runId} is no longer in the held folder; feed discard settles it`);
    if (newer !== undefined) stop(`a newer file (${newer.fileName}, ${newer.startedAt}) was taken in since`);
    return releaseHeldFile(file, runId, feed, ingestServices(config, store));
  });
  if (report === undefined) stop('the file is being changed by another program');
  printReport(report);
}
