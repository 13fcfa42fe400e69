import type { Command } from 'commander';
import { eraseDue } from '../leads/retention.ts';
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
    .action(async (options: ConfigOptions) => {
      await withLeadStore(options, async (store, { leads: { retention_days: days } }) => {
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
