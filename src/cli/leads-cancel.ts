import type { Command } from 'commander';
import type { LeadStore } from '../leads/lead-store.ts';
import type { CancelResult } from '../leads/operator-acts.ts';
import { formatInstant } from '../model/clock.ts';
import { type ConfigOptions, withConfigOptions } from './config-options.ts';
import { leadNamed, stopWith } from './lead-problems.ts';
import { withLeadStoreAlone } from './lead-store-access.ts';
import { actOf, withReason } from './operator.ts';

type CancelOptions = ConfigOptions & { destination?: string; reason: string };

/** `leads cancel`: ends deliveries that nobody wants any more. What is delivered stays as it is. */
export function addLeadsCancelCommand(leads: Command): void {
  withReason(withConfigOptions(leads.command('cancel')))
    .summary('stop trying to deliver one lead')
    .description(
      'Ends the deliveries of one lead that wait, are uncertain, were given up or refused, at all destinations or at ' +
        'one: nobody is told of them any more. Never touches what was delivered. "leads resend" takes it up again. Without --destination it ' +
        'also gives the time of a confirmed visit back to others, for good.',
    )
    .argument('<id>', 'id of the lead, as leads list prints it')
    .option('--destination <id>', 'only at this destination, also if the settings no longer have it')
    .action(async (id: string, options: CancelOptions) => {
      await withLeadStoreAlone(options, (store) => cancel(id, options, store));
    });
}

async function cancel(leadId: string, options: CancelOptions, store: LeadStore): Promise<void> {
  const { destination } = options;
  await leadNamed(leadId, store);
  const { deliveries, freedVisits } = await store.cancel(leadId, destination, actOf(options));
  if (deliveries.length === 0) stopWith(`This lead never went to ${destination ?? 'any destination'}.`);
  for (const result of deliveries) console.log(`${result.destination}: ${describe(result)}`);
  for (const visit of freedVisits) {
    console.log(
      `The visit confirmed for ${formatInstant(visit)} is called off and its time is free again: tell the buyer.`,
    );
  }
  if (deliveries.some(({ outcome }) => outcome === 'sending')) {
    stopWith('Try again in a minute, when the attempt under way is over.');
  }
}

function describe({ outcome, state, mayHaveArrived }: CancelResult): string {
  switch (outcome) {
    case 'cancelled':
      return mayHaveArrived ? 'cancelled; an earlier attempt may have reached the CRM' : 'cancelled';
    case 'sending':
      return 'is being sent at this moment, left alone';
    case 'over':
      return `is ${state}, left alone`;
  }
}
