import type { Command } from 'commander';
import { releaseHeldFile, releaseThoseBehind } from '../feeds/held-files.ts';
import { WAITS_IN_TURN } from '../model/intake.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { printReport } from './feed-run.ts';
import { bringPricesInLine, ingestServices, withExistingInventory } from './feed-services.ts';
import { heldRun, stop } from './held-run.ts';

/** `feed release`: takes a held file in after all. */
export function addFeedReleaseCommand(feed: Command): void {
  withConfigOptions(feed.command('release'))
    .summary('take a held file in after all')
    .description(
      'A file that would take unusually many vehicles off the lot is held. If it is right, this takes it in and ' +
        'prints the report. A run that is older than what was taken in since is not released: drop its file again. ' +
        'Deltas that only waited behind it follow.',
    )
    .argument('<run>', 'id of the held run, as "feed runs" and the report show it')
    .action(release);
}

async function release(runId: string, options: ConfigOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  const reports = await withExistingInventory(config, async (store) => {
    const { run, feed, file, newer } = await heldRun(runId, config, store);
    if (file === undefined)
      stop(`the file of run ${runId} is no longer in the held folder; feed discard settles it`);
    if (newer !== undefined) stop(`a newer file (${newer.fileName}, ${newer.startedAt}) was taken in since`);
    bringPricesInLine(config, store);
    const services = ingestServices(config, store);
    const report = await releaseHeldFile(file, runId, feed, services);
    if (report === undefined) stop('the file is being changed by another program');
    if (run.code === undefined || !WAITS_IN_TURN.has(run.code)) return [report];
    return [report, ...(await releaseThoseBehind(store.listHeldRuns(), feed, services))];
  });
  reports.forEach(printReport);
}
