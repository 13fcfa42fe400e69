import type { Command } from 'commander';
import type { LeadStore } from '../leads/lead-store.ts';
import { eraseDue } from '../leads/retention.ts';
import { formatInstant, systemClock } from '../model/clock.ts';
import { ClockWatch } from '../runtime/clock-watch.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { actOf } from './operator.ts';
import { type ConfigOptions, withConfigOptions } from './config-options.ts';
import { withLeadStore } from './lead-store-access.ts';

/** `leads erase-due`: what a running bridge does once a day. */
export function addLeadsEraseDueCommand(leads: Command): void {
  withConfigOptions(leads.command('erase-due'))
    .summary('erase customer data whose time is over')
    .description(
      'Erases the customer from leads whose deliveries have all been settled for leads.retention_days. A running bridge ' +
        'does this once a day by itself.',
    )
    .option('--trust-clock', 'although the clock has jumped: somebody has looked, and it is right')
    .action(async (options: ConfigOptions & { trustClock?: boolean }) => {
      await withLeadStore(options, async (store, { data_folder, leads: { retention_days: days } }) => {
        if (options.trustClock !== true) await refuseDoubtfulClock(data_folder, store);
        const act = actOf({ reason: `kept for ${days} days after delivery` });
        const { erased, kept, tracesCleared } = await eraseDue(store, days, act);
        console.log(`Erased the customer of ${erased} ${erased === 1 ? 'lead' : 'leads'}.`);
        if (kept > 0) {
          console.log(
            `${kept} older keep it: they are not delivered everywhere ("leads list", "leads cancel").`,
          );
        }
        if (!tracesCleared) {
          console.log('Another program is reading the database. Run this again to clear its log file.');
        }
      });
    });
}

/** What is erased never comes back. */
async function refuseDoubtfulClock(dataFolder: string, store: LeadStore): Promise<void> {
  const watch = new ClockWatch(dataFolder, systemClock);
  watch.begin(await store.lastActivity());
  if (watch.maySayOld || watch.doubt === undefined) return;
  const { from, to } = watch.doubt;
  console.error(
    `Nothing was erased: the clock says ${formatInstant(to)}, and the bridge last ran at ${formatInstant(from)}. ` +
      'Either it was off for so long, or the clock runs ahead. Look at the clock of this machine; if it is right, ' +
      'run this again with --trust-clock.',
  );
  throw new CommandStopped(EXIT_CODES.problems);
}
