import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import type { LeadTrail } from '../leads/lead-store.ts';
import { systemClock } from '../model/clock.ts';
import { type ConfigOptions, withConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { withLeadStore } from './lead-store-access.ts';

/** `leads resend`: queues a lead again; the running bridge notices within seconds, a stopped one when it starts. */
export function addLeadsResendCommand(leads: Command): void {
  withConfigOptions(leads.command('resend'))
    .description('send one lead again, marked as a repeat, to all its destinations or to one')
    .argument('<id>', 'id of the lead, as leads list prints it')
    .option('--destination <id>', 'only to this destination')
    .action(async (id: string, options: ConfigOptions & { destination?: string }) => {
      await withLeadStore(options, async (store, config) => {
        const trail = await store.find(id);
        const fault =
          trail === undefined ? `There is no lead ${id}.` : unknownDestination(options.destination, config);
        if (trail === undefined || fault !== undefined) {
          console.error(fault);
          process.exitCode = EXIT_CODES.problems;
          return;
        }
        const destinations =
          options.destination === undefined ? destinationsOf(trail, config) : [options.destination];
        if (destinations.length === 0) console.error('None of its destinations is in the settings any more.');
        for (const { destination, outcome } of await store.resend(id, destinations, systemClock.now())) {
          if (outcome === 'queued') console.log(`${destination}: queued again.`);
          else console.log(`${destination}: is being sent at this moment; left alone.`);
        }
      });
    });
}

function unknownDestination(id: string | undefined, { leads }: Config): string | undefined {
  const known = leads.destinations.map((destination) => destination.id);
  if (id === undefined || known.includes(id)) return undefined;
  return `There is no destination "${id}"; the settings have ${known.join(', ')}.`;
}

/** Those it went to before; a lead that none served goes where its rooftop's leads go now. */
function destinationsOf({ deliveries, lead }: LeadTrail, { leads }: Config): string[] {
  const earlier = deliveries.map(({ destination }) => destination);
  return leads.destinations
    .filter(({ id, rooftops }) =>
      earlier.length > 0 ? earlier.includes(id) : rooftops.includes(lead.rooftop_id),
    )
    .map(({ id }) => id);
}
