import type { Command } from 'commander';
import { addAskConformCommand } from './ask-conform.ts';
import { addAskFacetsCommand } from './ask-facets.ts';
import { addAskInfoCommand } from './ask-info.ts';
import { addAskLeadCommand } from './ask-lead.ts';
import { addAskSearchCommand } from './ask-search.ts';
import { addAskVehicleCommand } from './ask-vehicle.ts';

/** `ask`: what a buyer's agent would do, by hand and towards any agent of a dealer. */
export function addAskCommands(program: Command): void {
  const ask = program.command('ask').summary('ask a dealer’s agent, as a buyer’s agent would');
  ask
    .description(
      'Asks the agent of a dealer over the Auto Agent Protocol 1.3: the running bridge of the settings, or with --url ' +
        'any other.',
    )
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge ask info
  dealer-bridge ask search --make Honda --price-max 30000 --sort price
  dealer-bridge ask vehicle 1HGCY2F57RA000001 --url https://dealer.example
  dealer-bridge ask conform --url https://dealer.example`,
    );
  addAskInfoCommand(ask);
  addAskFacetsCommand(ask);
  addAskSearchCommand(ask);
  addAskVehicleCommand(ask);
  addAskLeadCommand(ask);
  addAskConformCommand(ask);
}
