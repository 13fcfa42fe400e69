import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import type { LedgerAudit } from '../leads/consent-records.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import { formatInstant, systemClock } from '../model/clock.ts';
import { CommandStopped } from './command-stopped.ts';
import { type ConfigOptions, withConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { auditTrail } from './leads-audit-trail.ts';
import { withLeadStoreAlone } from './lead-store-access.ts';
import { printableText } from './printable-text.ts';

type AuditOptions = ConfigOptions & { lead?: string; out?: string };

/** Customer data: for the account that asked alone. */
const PRIVATE = 0o600;

/** `leads audit`: proves that no consent record was altered or taken out, and gives out what is kept of one lead. */
export function addLeadsAuditCommand(leads: Command): void {
  withConfigOptions(leads.command('audit'))
    .summary('check the consent ledger, export one lead whole')
    .description(
      'Checks the ledger of consent records link by link and names the first one that was changed, added or taken ' +
        'out afterwards. With --lead it also gives out, as JSON, everything that is kept of one lead: request, ' +
        'consent, what each destination gets, attempts, receipts and what your staff did. That is customer data.',
    )
    .option('--lead <id>', 'give out this lead, as leads list prints its id')
    .option('--out <file>', 'with --lead: write to this file instead of the screen')
    .action(async (options: AuditOptions) => {
      if (options.out !== undefined && options.lead === undefined) {
        console.error('--out needs --lead: which lead is to be written?');
        throw new CommandStopped(EXIT_CODES.usage);
      }
      await withLeadStoreAlone(options, (store, config) => audit(store, config, options));
    });
}

async function audit(
  store: LeadStore,
  config: Config | undefined,
  { lead, out }: AuditOptions,
): Promise<void> {
  const ledger = await store.auditConsents();
  if (lead !== undefined) await exportLead(lead, out, ledger, store, config);
  // What is on the screen may be piped into a program that reads JSON.
  if (lead === undefined || out !== undefined) console.log(describeLedger(ledger));
  if (ledger.kind === 'broken') {
    if (lead !== undefined && out === undefined) console.error(describeLedger(ledger));
    throw new CommandStopped(EXIT_CODES.problems);
  }
}

async function exportLead(
  leadId: string,
  out: string | undefined,
  ledger: LedgerAudit,
  store: LeadStore,
  config: Config | undefined,
): Promise<void> {
  const trail = await store.find(leadId);
  if (trail === undefined) {
    console.error(`There is no lead ${leadId}.`);
    throw new CommandStopped(EXIT_CODES.problems);
  }
  const exported = { exported_at: formatInstant(systemClock.now()), ...auditTrail(trail, config), ledger };
  const text = JSON.stringify(exported, null, 2);
  if (out === undefined) console.log(printableText(text));
  else {
    await writeFile(out, `${text}\n`, { mode: PRIVATE });
    console.log(`Lead ${leadId} is written to ${out}.`);
  }
}

function describeLedger(ledger: LedgerAudit): string {
  if (ledger.kind === 'broken') {
    const { sequence, lead_id, fault } = ledger;
    const lead = lead_id === undefined ? '' : ` (lead ${lead_id})`;
    return `The consent ledger is broken at record ${sequence}${lead}: ${fault}.`;
  }
  const { records, erased, head } = ledger;
  if (records === 0) return 'The consent ledger is empty.';
  return [
    `The consent ledger is whole: ${records} ${records === 1 ? 'record' : 'records'}, ${erased} of them with their text erased.`,
    `Last record ${records}: ${head}`,
    'Keep that line in another place, and a later audit can show that nothing was cut off or written anew.',
  ].join('\n');
}
