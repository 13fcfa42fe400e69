import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import type { CustomerLead, OperatorAct } from '../leads/operator-acts.ts';
import { formatInstant } from '../model/clock.ts';
import { CommandStopped } from './command-stopped.ts';
import { type ConfigOptions, dataFolderOf, withConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { withLeadStoreAlone } from './lead-store-access.ts';
import { actOf, withReason } from './operator.ts';

interface PurgeOptions extends ConfigOptions {
  customer: string;
  force?: boolean;
  dryRun?: boolean;
  reason: string;
}

/** A reader of the database, such as the running bridge, is in the way for milliseconds only. */
const CLEARING_TRIES = 20;
const CLEARING_PAUSE_MS = 250;

/** `leads purge`: the answer to a customer who wants to be forgotten. */
export function addLeadsPurgeCommand(leads: Command): void {
  withReason(withConfigOptions(leads.command('purge')))
    .summary('erase a customer who asks for it')
    .description(
      'Erases one customer from all leads: name, addresses, message, vehicle, consent text. Ids, times, states and ' +
        'hashes stay, and with them the consent ledger. A lead that is not delivered yet stays whole and is told, ' +
        'unless --force cancels it.',
    )
    .requiredOption('--customer <contact>', 'e-mail address or phone number')
    .option('--force', 'also leads that are not delivered: they are cancelled first')
    .option('--dry-run', 'only show which')
    .action(async (options: PurgeOptions) => {
      await withLeadStoreAlone(options, (store, config) => purge(options, store, config));
    });
}

async function purge(options: PurgeOptions, store: LeadStore, config: Config | undefined): Promise<void> {
  const found = await store.findByCustomer(options.customer);
  if (found.length === 0) {
    console.log('No lead holds a customer with this e-mail address or phone number.');
    return;
  }
  if (options.dryRun === true) {
    for (const lead of found) console.log(describe(lead));
    console.log(`${leadsOf(found.length)} would be looked at. Nothing was changed.`);
    return;
  }
  const erased = new Set(await eraseAll(found, options.force === true, actOf(options), store));
  for (const lead of found) {
    console.log(erased.has(lead.lead_id) ? `${lead.lead_id}  erased` : `${describe(lead)}  NOT erased`);
  }
  const stays = found.length - erased.size;
  console.log(`${leadsOf(erased.size)} erased, ${stays} had to stay.`);
  if (erased.size > 0) {
    await reportTraces(store, stays);
    reportOutside(found, options, config);
  }
  if (erased.size < found.length) {
    console.error(
      options.force === true
        ? 'What stays is being sent at this moment. Run this again in a minute.'
        : 'What stays is not delivered: let it be delivered, or use --force, which cancels it first.',
    );
    throw new CommandStopped(EXIT_CODES.problems);
  }
}

async function eraseAll(
  found: readonly CustomerLead[],
  force: boolean,
  act: OperatorAct,
  store: LeadStore,
): Promise<string[]> {
  if (force) for (const { lead_id } of found) await store.cancel(lead_id, undefined, act);
  // A lead that no destination served was seen by nobody yet.
  const wanted = found.filter(({ deliveries }) => force || deliveries.length > 0);
  return store.erase(
    wanted.map(({ lead_id }) => lead_id),
    act,
  );
}

/** A lead that had to stay holds the same customer. */
async function reportTraces(store: LeadStore, stays: number): Promise<void> {
  if (!(await tracesCleared(store))) {
    console.log(
      'Another program keeps reading the database: run "leads erase-due" later to clear its log file.',
    );
    return;
  }
  console.log(
    stays === 0
      ? 'The database files hold nothing of it any more.'
      : `The database files hold nothing of what was erased any more. This customer is still in ${leadsOf(stays)}.`,
  );
}

/** What the bridge cannot reach is a part of the answer to the customer, too. */
function reportOutside(
  found: readonly CustomerLead[],
  options: ConfigOptions,
  config: Config | undefined,
): void {
  const sentTo = new Set(
    found.flatMap(({ deliveries }) =>
      deliveries.filter(({ attempts }) => attempts > 0).map(({ destination }) => destination),
    ),
  );
  console.log('Not reached from here, to be erased by hand:');
  for (const id of sentTo) {
    const destination = config?.leads.destinations.find((known) => known.id === id);
    const place = destination?.crm.place?.(destination.options);
    const isFolder = place !== undefined && 'folder' in place;
    console.log(
      isFolder
        ? `  files of these leads in ${place.folder} (${id})`
        : `  what the CRM behind ${id} keeps${config === undefined ? ', or its folder with files of these leads' : ''}`,
    );
  }
  console.log(`  backups of ${dataFolderOf(options)}`);
}

async function tracesCleared(store: LeadStore): Promise<boolean> {
  for (let tries = 0; tries < CLEARING_TRIES; tries += 1) {
    if (await store.clearTraces()) return true;
    await pause(CLEARING_PAUSE_MS);
  }
  return false;
}

function describe({ lead_id, received_at, deliveries }: CustomerLead): string {
  const states = deliveries.map(({ destination, state }) => `${destination}: ${state}`);
  return `${lead_id}  ${formatInstant(received_at)}  ${states.length === 0 ? 'no destination' : states.join(', ')}`;
}

function leadsOf(number: number): string {
  return number === 1 ? '1 lead' : `${number} leads`;
}
