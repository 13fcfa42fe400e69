import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { secretFiles } from '../config/secrets.ts';
import { OperatorFault } from '../model/operator-fault.ts';
import { pathsOf } from '../runtime/service/config-paths.ts';
import { programCommand } from '../runtime/service/program-command.ts';
import type { ServiceSettings } from '../runtime/service/service-settings.ts';
import { loadConfigOrExit } from './config-options.ts';
import { stopOnFeedProblems } from './feed-problems.ts';
import { doOrTell, managerOfThisMachine, withPlan, type PlanOptions } from './service-options.ts';

interface Options extends PlanOptions {
  config?: string;
  data?: string;
  account?: string;
  start: boolean;
}

const FIRST_PRIVILEGED_FREE_PORT = 1024;

export function addServiceInstallCommand(group: Command): void {
  withPlan(group.command('install'))
    .summary('set the bridge up as a service, which starts with the machine')
    .description(
      'Sets the bridge up as a service that starts with the machine, is started again after a fault, and has no right ' +
        'that it does not need. Run it again after a change of folders, secrets or ports in the settings.',
    )
    .option('--config <file>', 'settings (default: /etc/NAME/bridge.yaml, %ProgramData%\\NAME\\bridge.yaml)')
    .option('--data <folder>', 'data folder (default: /var/lib/NAME, %ProgramData%\\NAME\\data)')
    .option('--account <name>', 'account it runs as (default: one of its own)')
    .option('--no-start', 'do not start it yet')
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge service install --dry-run
      what would be done, with the unit file or the command line of the service
  sudo dealer-bridge service install --config /etc/dealer-bridge/bridge.yaml`,
    )
    .action(async (options: Options) => {
      const manager = managerOfThisMachine();
      const service = await serviceSettings(options);
      const { account, start } = options;
      const plan = await manager.planInstall(service, {
        start,
        ...(account === undefined ? {} : { account }),
      });
      const isDone = await doOrTell(manager, plan.steps, options.dryRun);
      for (const line of plan.advice) console.log(`Note: ${line}`);
      if (isDone) console.log(`The service ${service.name} is installed${start ? ' and runs' : ''}.`);
    });
}

/** What the service is to run: settings without a fault, since it could tell nobody of one. */
async function serviceSettings({ name, config: file, data }: Options): Promise<ServiceSettings> {
  const places = defaultPlaces(name);
  const configFile = resolve(file ?? places.config);
  const dataFolder = resolve(data ?? places.data);
  if (!existsSync(configFile)) {
    throw new OperatorFault(
      `${configFile} is not there. Copy config/starter.yaml to it and put your own values in, or name another with --config.`,
    );
  }
  const config = await checkedConfig(configFile, dataFolder, places.environment);
  return {
    name,
    dealer: config.dealer.name,
    ...programCommand(),
    configFile,
    dataFolder,
    ...pathsOf(config),
    // One that is not there is named in a comment only, and systemd would start nothing for the lack of it.
    secretFiles: secretFiles(readFileSync(configFile, 'utf8'), dirname(configFile)).filter((one) =>
      existsSync(one),
    ),
    needsLowPort: isLow(config.server.port) || isLow(config.server.admin_port),
  };
}

/** With the variables that the service will have, where there is a file of them. */
async function checkedConfig(file: string, dataFolder: string, environmentFile?: string): Promise<Config> {
  if (environmentFile !== undefined && existsSync(environmentFile)) {
    for (const [key, value] of Object.entries(parseEnv(readFileSync(environmentFile, 'utf8')))) {
      process.env[key] ??= value;
    }
  }
  const config = await loadConfigOrExit({ config: file, data: dataFolder });
  await stopOnFeedProblems(config);
  return config;
}

function isLow(port: number): boolean {
  return port > 0 && port < FIRST_PRIVILEGED_FREE_PORT;
}

/** `environment`: where the variables of the service stand; on Windows a service has those of the machine alone. */
function defaultPlaces(name: string): { config: string; data: string; environment?: string } {
  if (process.platform === 'win32') {
    const folder = join(process.env.ProgramData ?? 'C:\\ProgramData', name);
    return { config: join(folder, 'bridge.yaml'), data: join(folder, 'data') };
  }
  return {
    config: `/etc/${name}/bridge.yaml`,
    data: `/var/lib/${name}`,
    environment: `/etc/${name}/environment`,
  };
}
