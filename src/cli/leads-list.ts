import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config/config.ts';
import { DELIVERY_STATES, type DeliveryRecord, type DeliveryState } from '../leads/delivery-records.ts';
import { type LeadStore, type LeadSummary } from '../leads/lead-store.ts';
import { formatInstant } from '../model/clock.ts';
import { type ConfigOptions, withConfigOptions } from './config-options.ts';
import { printableText } from './printable-text.ts';
import { withLeadStoreAlone } from './lead-store-access.ts';
import { unknownDestination } from './unknown-destination.ts';
import { parseTime, TIME_HELP } from './past-time.ts';

interface ListOptions extends ConfigOptions {
  limit: number;
  state?: DeliveryState;
  since?: number;
  until?: number;
  names?: boolean;
  json?: boolean;
}

type ListedDelivery = DeliveryRecord & { waits?: string };
type ListedLead = LeadSummary & { deliveries: ListedDelivery[] };

const STATES_HELP = `
States of a delivery:
  queued     waits for its first or next attempt; certainly not at the CRM yet
  sending    is being tried at this moment
  delivered  the CRM has taken it
  rejected   the CRM has refused it for good
  uncertain  may have arrived: it was sent, but no answer came
  dead       given up; send it again with "leads resend", or end it with "leads cancel"
  cancelled  ended by a person`;

/** `leads list`: what came in and where it went, newest first. Names only when asked for. */
export function addLeadsListCommand(leads: Command): void {
  withConfigOptions(leads.command('list'))
    .summary('list the leads, newest first')
    .description(
      'Lists the leads, newest first: id, time of receipt, rooftop, and the state of the delivery to each destination. ' +
        'Works while the bridge runs.',
    )
    .option('--limit <number>', 'at most so many leads', parseLimit, 50)
    .addOption(
      new Option('--state <state>', 'only leads with a delivery in this state').choices(DELIVERY_STATES),
    )
    .option('--since <time>', `received at this time or later: ${TIME_HELP}`, parseTime)
    .option('--until <time>', 'received before this time', parseTime)
    .option('--names', "show the customers' names")
    .option('--json', 'for programs')
    .addHelpText('after', STATES_HELP)
    .action(async (options: ListOptions) => {
      await withLeadStoreAlone(options, async (store, config) => {
        const { limit, state, since, until } = options;
        // One more than is shown, to know whether there are more.
        const read = await store.list({
          limit: limit + 1,
          ...(state !== undefined && { state }),
          ...(since !== undefined && { since }),
          ...(until !== undefined && { until }),
        });
        const found = read.slice(0, limit).map((lead) => ({
          ...lead,
          deliveries: lead.deliveries.map((delivery) => ({
            ...delivery,
            ...unknownDestination(delivery, config),
          })),
        }));
        const names = options.names === true;
        console.log(printableText(options.json === true ? asJson(found, names) : asText(found, names)));
        if (read.length > limit)
          console.error(`Only the newest ${limit} are shown: --limit shows more, --until those from before.`);
        // Beside the list, so that programs still read one JSON text.
        for (const pause of await pausesOf(store, config)) console.error(printableText(pause));
      });
    });
}

/** A destination that refuses our password or our sender makes every lead of its wait: a person must look. */
async function pausesOf(store: LeadStore, config: Config | undefined): Promise<string[]> {
  const ids =
    config?.leads.destinations.map(({ id }) => id) ??
    (await store.countWaiting()).map(({ destination }) => destination);
  const pauses = await Promise.all(
    ids.map(async (id) => {
      const pause = await store.findPause(id);
      if (pause === undefined) return [];
      return [`The destination ${id} is paused; next try at ${formatInstant(pause.until)}. ${pause.reason}`];
    }),
  );
  return pauses.flat();
}

function describeDelivery({ destination, state, attempts, waits }: ListedDelivery): string {
  const open = state === 'queued' || state === 'uncertain';
  const tried = open && attempts > 0 ? ` after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}` : '';
  return `${destination}: ${state}${tried}${waits === undefined ? '' : ` (waits: ${waits})`}`;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return limit;
}

function asJson(leads: readonly ListedLead[], names: boolean): string {
  const shown = leads.map(({ customer, received_at, ...lead }) => ({
    ...lead,
    received_at: formatInstant(received_at),
    ...(names && { customer }),
  }));
  return JSON.stringify(shown, null, 2);
}

function asText(leads: readonly ListedLead[], names: boolean): string {
  if (leads.length === 0) return 'No leads.';
  return leads
    .map((lead) => {
      const name = names
        ? `  ${lead.customer.first_name} ${lead.customer.last_name}`.replaceAll('\n', ' ')
        : '';
      const deliveries = lead.deliveries.map(describeDelivery);
      const states = deliveries.length === 0 ? 'no destination' : deliveries.join(', ');
      return `${lead.lead_id}  ${formatInstant(lead.received_at)}  ${lead.rooftop_id}${name}  ${states}`;
    })
    .join('\n');
}
