import type { Command } from 'commander';
import { doOrTell, managerOfThisMachine, withPlan, type PlanOptions } from './service-options.ts';

export function addServiceStartCommand(group: Command): void {
  withPlan(group.command('start'))
    .summary('start the service')
    .description('Starts the service and waits until the bridge serves.')
    .action(async ({ name, dryRun }: PlanOptions) => {
      const manager = managerOfThisMachine();
      if (await doOrTell(manager, manager.planStart(name), dryRun))
        console.log((await manager.state(name)).text);
    });
}
