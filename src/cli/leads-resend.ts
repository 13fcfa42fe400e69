import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import type { LeadStore, LeadTrail } from '../leads/lead-store.ts';
import { systemClock } from '../model/clock.ts';
import { CommandStopped } from './command-stopped.ts';
import { type ConfigOptions, withConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { withLeadStore } from './lead-store-access.ts';

type ResendOptions = ConfigOptions & { destination?: string };

/** `leads resend`: queues a lead again; the running bridge notices within seconds, a stopped one when it starts. */
export function addLeadsResendCommand(leads: Command): void {
  withConfigOptions(leads.command('resend'))
    .summary('send one lead again')
    .description(
      'Queues one lead again, marked as a repeat, for all the destinations it went to or for one. A running bridge ' +
        'sends it within seconds, a stopped one when it starts. Also ends the pause of a destination.',
    )
    .argument('<id>', 'id of the lead, as leads list prints it')
    .option('--destination <id>', 'only to this destination, also if the lead never went there')
    .action(async (id: string, options: ResendOptions) => {
      await withLeadStore(options, (store, config) => resend(id, options.destination, store, config));
    });
}

async function resend(
  leadId: string,
  destination: string | undefined,
  store: LeadStore,
  config: Config,
): Promise<void> {
  const trail = await store.find(leadId);
  if (trail === undefined) stopWith(`There is no lead ${leadId}.`);
  const known = config.leads.destinations.map(({ id }) => id);
  if (destination !== undefined && !known.includes(destination)) {
    stopWith(`There is no destination "${destination}"; the settings have ${known.join(', ')}.`);
  }
  const destinations = destination === undefined ? destinationsOf(trail, config) : [destination];
  if (destinations.length === 0) stopWith('None of its destinations is in the settings any more.');
  for (const { destination: name, outcome } of await store.resend(leadId, destinations, systemClock.now())) {
    console.log(
      outcome === 'queued' ? `${name}: queued again` : `${name}: is being sent at this moment, left alone`,
    );
  }
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

function stopWith(message: string): never {
  console.error(message);
  throw new CommandStopped(EXIT_CODES.problems);
}
