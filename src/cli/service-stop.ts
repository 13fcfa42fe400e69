import type { Command } from 'commander';
import { doOrTell, managerOfThisMachine, withPlan, type PlanOptions } from './service-options.ts';

export function addServiceStopCommand(group: Command): void {
  withPlan(group.command('stop'))
    .summary('stop the service until the machine or somebody starts it again')
    .description(
      'Stops the service: the bridge answers what was asked, ends the delivery under way, and ends.',
    )
    .action(async ({ name, dryRun }: PlanOptions) => {
      const manager = managerOfThisMachine();
      if (await doOrTell(manager, manager.planStop(name), dryRun))
        console.log((await manager.state(name)).text);
    });
}
