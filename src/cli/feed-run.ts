import type { Command } from 'commander';
import { ingestCopy } from '../feeds/ingest.ts';
import { inspectFile } from '../feeds/reading/plain-file.ts';
import type { RunReport } from '../feeds/reporting/report.ts';
import { reportText } from '../feeds/reporting/report-text.ts';
import { describeProblem } from '../model/problem.ts';
import { CommandStopped } from './command-stopped.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { bringPricesInLine, feedNamed, ingestServices, withInventory } from './feed-services.ts';
import { parseExistingFile } from './existing-file.ts';
import { progressLine } from './progress-line.ts';

/** `feed run`: takes one file in now, without the inbox. */
export function addFeedRunCommand(feed: Command): void {
  withConfigOptions(feed.command('run'))
    .summary('take one inventory file in now')
    .description(
      'Takes a file in at once, as if it had come through the inbox of the feed, and prints the report. The file ' +
        'stays where it is. A bridge that is running serves the new lot a second later.',
    )
    .argument('<file>', 'the export, packed or not', parseExistingFile)
    .requiredOption('--feed <id>', 'feed of the settings to which the file belongs')
    .addHelpText(
      'after',
      `
Example:
  dealer-bridge feed run export.csv --feed main-lot`,
    )
    .action(run);
}

async function run(file: string, options: ConfigOptions & { feed: string }): Promise<void> {
  const config = await loadConfigOrExit(options);
  const feed = feedNamed(options.feed, config);
  const inspected = await inspectFile(file);
  if (!inspected.ok) {
    for (const problem of inspected.problems) console.error(`${file}: ${describeProblem(problem)}`);
    throw new CommandStopped(EXIT_CODES.problems);
  }
  const line = progressLine();
  const report = await withInventory(config, (store) => {
    bringPricesInLine(config, store);
    return ingestCopy(file, feed, { ...ingestServices(config, store), progress: line.teller });
  }).finally(() => line.end());
  printReport(report);
}

/** Prints the report; a held or failed run ends the command with exit code 1. */
export function printReport(report: RunReport): void {
  process.stdout.write(reportText(report));
  if (report.status === 'held' || report.status === 'failed') throw new CommandStopped(EXIT_CODES.problems);
}
