import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { printExposureWarnings } from './exposure-warnings.ts';
import { stopOnFeedProblems } from './feed-problems.ts';

export function addCheckCommand(program: Command): void {
  withConfigOptions(program.command('check'))
    .summary('look for faults in the settings, change nothing')
    .description(
      'Reads the settings and everything they name (profiles, adapters, presets, secrets, samples) and lists every ' +
        'fault at once, with line and column. Starts nothing, writes nothing, sends nothing.',
    )
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge check --config bridge.yaml
  dealer-bridge check --config bridge.yaml && systemctl restart dealer-bridge`,
    )
    .action(async (options: ConfigOptions) => {
      const config = await loadConfigOrExit(options);
      await stopOnFeedProblems(config);
      console.log(summarise(config, await printExposureWarnings(config)));
    });
}

function summarise({ file, dealer, feeds, leads }: Config, warnings: number): string {
  const counts = [
    count(dealer.rooftops.length, 'rooftop'),
    count(feeds.length, 'feed'),
    count(leads.destinations.length, 'destination'),
  ];
  return `${basename(file)}: ${counts.join(', ')}. ${warnings === 0 ? 'No problems found.' : `No problems, ${count(warnings, 'warning')}.`}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
