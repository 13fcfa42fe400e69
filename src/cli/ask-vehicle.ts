import type { Command } from 'commander';
import { isObject } from '../client/json-value.ts';
import { type AskOptions, withAgent, withAskOptions } from './ask-options.ts';
import { askAndPrint } from './ask-reply.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { oneLine } from './text-table.ts';

interface VehicleOptions extends AskOptions {
  stock?: string;
  id?: string;
}

/** `ask vehicle`: one listing whole (inventory.vehicle). */
export function addAskVehicleCommand(ask: Command): void {
  withAskOptions(ask.command('vehicle'))
    .summary('one vehicle, whole')
    .description('Shows everything that the dealer tells of one vehicle.')
    .argument('[vin]', 'its VIN')
    .option('--stock <number>', 'its stock number')
    .option('--id <id>', 'the dealer’s own id of it (vehicle_id)')
    .action((vin: string | undefined, options: VehicleOptions) => {
      const { stock, id } = options;
      if (vin === undefined && stock === undefined && id === undefined) {
        console.error('Name the vehicle: its VIN, --stock or --id.');
        throw new CommandStopped(EXIT_CODES.usage);
      }
      const request = {
        ...(vin === undefined ? {} : { vin }),
        ...(stock === undefined ? {} : { stock }),
        ...(id === undefined ? {} : { vehicle_id: id }),
      };
      return withAgent(options, (opened) =>
        askAndPrint(opened, 'inventory.vehicle', request, options, showListing),
      );
    });
}

/** One line a field, in the order the agent sent them. */
function showListing(data: unknown): string {
  if (!isObject(data)) return 'nothing';
  const fields = Object.entries(data);
  const width = Math.min(Math.max(...fields.map(([name]) => name.length), 0), 24);
  return fields
    .map(([name, value]) => `${oneLine(name).padEnd(width)}  ${oneLine(describe(value))}`)
    .join('\n');
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return (value as unknown[]).map(describe).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${describe(inner)}`)
    .join(' ');
}
