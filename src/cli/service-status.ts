import type { Command } from 'commander';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { managerOfThisMachine, withServiceName, type ServiceOptions } from './service-options.ts';

export function addServiceStatusCommand(group: Command): void {
  withServiceName(group.command('status'))
    .summary('whether the service is installed and runs')
    .description('Tells whether the service is installed and runs; exit code 1 when it does not.')
    .action(async ({ name }: ServiceOptions) => {
      const { isRunning, text } = await managerOfThisMachine().state(name);
      console.log(text);
      if (!isRunning) throw new CommandStopped(EXIT_CODES.problems);
    });
}
