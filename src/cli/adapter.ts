import type { Command } from 'commander';
import { addAdapterHelpCommand } from './adapter-help.ts';
import { addAdapterListCommand } from './adapter-list.ts';
import { addAdapterNewCommand } from './adapter-new.ts';
import { addAdapterTestCommand } from './adapter-test.ts';

export function addAdapterCommands(program: Command): void {
  const adapter = program.command('adapter').summary('write, check and look up adapters');
  adapter
    .description(
      'Adapters: how a CRM gets its leads, how a file is read. docs/adapters.md shows how to write one.',
    )
    // `adapter help NAME` explains an adapter; the commands are explained by --help.
    .helpCommand(false);
  addAdapterNewCommand(adapter);
  addAdapterTestCommand(adapter);
  addAdapterListCommand(adapter);
  addAdapterHelpCommand(adapter);
}
