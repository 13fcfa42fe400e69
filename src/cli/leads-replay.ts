import { type Command, Option } from 'commander';
import type { Config } from '../config/config.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import type { ReplayFilter } from '../leads/operator-acts.ts';
import { type ConfigOptions, withConfigOptions } from './config-options.ts';
import { stopOnUnknownDestination } from './lead-problems.ts';
import { withLeadStore } from './lead-store-access.ts';
import { actOf, withReason } from './operator.ts';
import { parseTime, TIME_HELP } from './past-time.ts';

interface ReplayOptions extends ConfigOptions {
  since: number;
  until?: number;
  state: ReplayFilter['state'];
  destination?: string;
  dryRun?: boolean;
  reason: string;
}

/** `leads replay`: after a long outage, everything that was given up goes out again. */
export function addLeadsReplayCommand(leads: Command): void {
  withReason(withConfigOptions(leads.command('replay')))
    .summary('send again everything that was given up')
    .description(
      'Queues all deliveries in one state again, marked as repeats: after a long outage of a CRM, those that were given ' +
        'up. Cancelled ones stay cancelled.',
    )
    .requiredOption('--since <time>', `of leads received at this time or later: ${TIME_HELP}`, parseTime)
    .option('--until <time>', 'and before this one', parseTime)
    .addOption(
      new Option('--state <state>', 'uncertain: those that are no longer tried')
        .choices(['dead', 'rejected', 'uncertain'])
        .default('dead'),
    )
    .option('--destination <id>', 'only to this destination')
    .option('--dry-run', 'only show which')
    .action(async (options: ReplayOptions) => {
      await withLeadStore(options, (store, config) => replay(options, store, config));
    });
}

async function replay(options: ReplayOptions, store: LeadStore, config: Config): Promise<void> {
  const { since, until, state, destination } = options;
  if (destination !== undefined) stopOnUnknownDestination(destination, config);
  const filter: ReplayFilter = {
    state,
    since,
    ...(until !== undefined && { until }),
    // A destination that the settings no longer have would never send it.
    destinations: destination === undefined ? config.leads.destinations.map(({ id }) => id) : [destination],
  };
  const isTrial = options.dryRun === true;
  const found = isTrial ? await store.findReplayable(filter) : await store.replay(filter, actOf(options));
  for (const delivery of found) console.log(`${delivery.lead_id}  ${delivery.destination}`);
  const deliveries = found.length === 1 ? '1 delivery' : `${found.length} deliveries`;
  console.log(isTrial ? `${deliveries} would be queued again.` : `${deliveries} queued again.`);
}
