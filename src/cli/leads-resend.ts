import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import type { LeadStore, LeadTrail } from '../leads/lead-store.ts';
import type { ResendResult } from '../leads/operator-acts.ts';
import { type ConfigOptions, withConfigOptions } from './config-options.ts';
import { leadNamed, stopOnUnknownDestination, stopWith } from './lead-problems.ts';
import { withLeadStore } from './lead-store-access.ts';
import { actOf, withReason } from './operator.ts';

type ResendOptions = ConfigOptions & { destination?: string; reason: string };

const OUTCOMES: Readonly<Record<ResendResult['outcome'], string>> = {
  queued: 'queued again',
  sending: 'is being sent at this moment, left alone',
  erased: 'cannot be sent again: the customer’s data was erased',
};

/** `leads resend`: queues a lead again; the running bridge notices within seconds, a stopped one when it starts. */
export function addLeadsResendCommand(leads: Command): void {
  withReason(withConfigOptions(leads.command('resend')))
    .summary('send one lead again')
    .description(
      'Queues one lead again, marked as a repeat, for all the destinations it went to or for one. A running bridge ' +
        'sends it within seconds, a stopped one when it starts. Also ends the pause of a destination.',
    )
    .argument('<id>', 'id of the lead, as leads list prints it')
    .option('--destination <id>', 'only to this destination, also if the lead never went there')
    .action(async (id: string, options: ResendOptions) => {
      await withLeadStore(options, (store, config) => resend(id, options, store, config));
    });
}

async function resend(
  leadId: string,
  options: ResendOptions,
  store: LeadStore,
  config: Config,
): Promise<void> {
  const { destination } = options;
  const trail = await leadNamed(leadId, store);
  if (destination !== undefined) stopOnUnknownDestination(destination, config);
  const destinations = destination === undefined ? destinationsOf(trail, config) : [destination];
  if (destinations.length === 0) stopWith('None of its destinations is in the settings any more.');
  const results = await store.resend(leadId, destinations, actOf(options));
  for (const { destination: name, outcome } of results) console.log(`${name}: ${OUTCOMES[outcome]}`);
  if (results.some(({ outcome }) => outcome === 'erased')) {
    stopWith('Nothing is left of this lead that could be sent.');
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
