import type { Command } from 'commander';
import { doOrTell, managerOfThisMachine, withPlan, type PlanOptions } from './service-options.ts';

export function addServiceUninstallCommand(group: Command): void {
  withPlan(group.command('uninstall'))
    .summary('take the service away; settings and data stay')
    .description(
      'Stops the service and takes it away. Program, settings, data, leads and the account of the service stay.',
    )
    .action(async ({ name, dryRun }: PlanOptions) => {
      const manager = managerOfThisMachine();
      const isDone = await doOrTell(manager, await manager.planUninstall(name), dryRun);
      if (isDone) console.log(`The service ${name} is gone. Settings and data are where they were.`);
    });
}
