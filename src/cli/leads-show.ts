import type { Command } from 'commander';
import type { AttemptRecord } from '../leads/delivery-records.ts';
import type { LeadTrail } from '../leads/lead-store.ts';
import type { OperationRecord } from '../leads/operator-acts.ts';
import { formatInstant } from '../model/clock.ts';
import { CommandStopped } from './command-stopped.ts';
import { type ConfigOptions, withConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { printableText } from './printable-text.ts';
import { withLeadStoreAlone } from './lead-store-access.ts';
import { unknownDestination } from './unknown-destination.ts';

/** `leads show`: one lead whole, with its consent and everything that was tried. */
export function addLeadsShowCommand(leads: Command): void {
  withConfigOptions(leads.command('show'))
    .summary('show one lead whole')
    .description(
      'Prints everything that is known of one lead: the request, the consent record, our listing, and every attempt ' +
        'to deliver it with its reason and the reference that the CRM gave, and who did what to it by hand. This is ' +
        'customer data.',
    )
    .argument('<id>', 'id of the lead, as leads list prints it')
    .option('--json', 'for programs')
    .action(async (id: string, options: ConfigOptions & { json?: boolean }) => {
      await withLeadStoreAlone(options, async (store, config) => {
        const found = await store.find(id);
        if (found === undefined) {
          console.error(`There is no lead ${id}.`);
          throw new CommandStopped(EXIT_CODES.problems);
        }
        const trail = {
          ...found,
          deliveries: found.deliveries.map((delivery) => ({
            ...delivery,
            ...unknownDestination(delivery, config),
          })),
        };
        console.log(printableText(options.json === true ? JSON.stringify(trail, null, 2) : asText(trail)));
      });
    });
}

type ShownDelivery = LeadTrail['deliveries'][number] & { waits?: string };
type Shown = Omit<LeadTrail, 'deliveries'> & { deliveries: ShownDelivery[] };

function asText({ lead, reply, consents, deliveries, operations }: Shown): string {
  const request =
    lead.erased_at === undefined
      ? ['Request', indent(JSON.stringify(lead.request, null, 2))]
      : [`The customer's data was erased on ${formatInstant(lead.erased_at)}`];
  return [
    `Lead ${lead.lead_id}`,
    `  received  ${formatInstant(lead.received_at)}`,
    `  rooftop   ${lead.rooftop_id}`,
    `  answer    ${reply.answer.status}: ${reply.message}`,
    ...request,
    ...(lead.listing === undefined
      ? lead.erased_at === undefined
        ? ['No listing of ours at receipt']
        : []
      : ['Our listing at receipt', indent(JSON.stringify(lead.listing, null, 2))]),
    ...consents.flatMap(({ sequence, occasion, recorded_at, record, hash }) => [
      `Consent record ${sequence} (${occasion}, ${formatInstant(recorded_at)})`,
      record === undefined ? '  erased' : indent(JSON.stringify(JSON.parse(record), null, 2)),
      `  hash ${hash}`,
    ]),
    ...deliveries.flatMap(deliveryLines),
    ...(operations.length === 0 ? [] : ['Done by hand', ...operations.map(operationLine)]),
  ].join('\n');
}

function deliveryLines(delivery: ShownDelivery): string[] {
  const { destination, state, reference, nextAttemptAt, waits, history } = delivery;
  return [
    `Delivery to ${destination}: ${state}`,
    ...(reference === undefined ? [] : [`  reference at the CRM  ${reference}`]),
    ...(waits === undefined ? [] : [`  waits: ${waits}`]),
    ...(nextAttemptAt === undefined || waits !== undefined
      ? []
      : [`  next attempt  ${formatInstant(nextAttemptAt)}`]),
    ...history.map(attemptLine),
  ];
}

function operationLine({ kind, done_at, destination, who, reason }: OperationRecord): string {
  const what = destination === undefined ? kind : `${kind} (${destination})`;
  return `  ${formatInstant(done_at)}  ${what} by ${who}: ${reason}`;
}

function attemptLine({ startedAt, stage, verdict, reason }: AttemptRecord): string {
  return `  ${formatInstant(startedAt)}  ${verdict} (${stage})  ${reason}`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
