import { InvalidArgumentError, type Command } from 'commander';
import { OperatorFault } from '../model/operator-fault.ts';
import { serviceManager } from '../runtime/service/find-service.ts';
import type { ServiceManager } from '../runtime/service/service-manager.ts';
import { isServiceName } from '../runtime/service/service-settings.ts';
import { carryOut, describeStep, type Step } from '../runtime/service/steps.ts';

export interface ServiceOptions {
  name: string;
}

export interface PlanOptions extends ServiceOptions {
  dryRun?: true;
}

export function withServiceName(command: Command): Command {
  return command.option(
    '--name <name>',
    'the service; another one for each further bridge on this machine',
    parseServiceName,
    'dealer-bridge',
  );
}

export function withPlan(command: Command): Command {
  return withServiceName(command).option('--dry-run', 'print what would be written and run, and do nothing');
}

function parseServiceName(text: string): string {
  if (isServiceName(text)) return text;
  throw new InvalidArgumentError(
    'A name is up to 31 lower-case letters, digits and hyphens, a letter first.',
  );
}

export function managerOfThisMachine(): ServiceManager {
  const manager = serviceManager();
  if (manager !== undefined) return manager;
  throw new OperatorFault(
    'The bridge can set itself up as a service on Linux with systemd and on Windows only.',
  );
}

/** Carries the steps out, or prints them when that was asked for. Answers whether something was done. */
export async function doOrTell(
  manager: ServiceManager,
  steps: readonly Step[],
  dryRun = false,
): Promise<boolean> {
  if (dryRun) {
    console.log(steps.map(describeStep).join('\n'));
    return false;
  }
  const complaint = await manager.unfit();
  if (complaint !== undefined) throw new OperatorFault(complaint);
  await carryOut(steps);
  return true;
}
