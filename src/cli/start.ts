import type { Command } from 'commander';
import type { RunningBridge } from '../bridge.ts';
import { openInventoryWorker } from '../bridge/inventory-thread.ts';
import {
  loadConfigOrExit,
  loadOptionsOf,
  parsePort,
  withConfigOptions,
  type ConfigOptions,
} from './config-options.ts';
import { printStartWarnings } from './exposure-warnings.ts';
import { stopOnFeedProblems } from './feed-problems.ts';

type StartOptions = ConfigOptions & { port?: number; adminPort?: number };

export function addStartCommand(program: Command): void {
  withConfigOptions(program.command('start'))
    .summary('run the bridge until it is stopped')
    .description(
      'Runs the bridge: takes in inventory files, answers buyers’ agents, delivers leads. ' +
        'Stop it with Ctrl-C, or by stopping the service.',
    )
    .option(
      '--port <number>',
      'port for buyers’ agents; 0 takes any free one (default: from the settings)',
      parsePort,
    )
    .option(
      '--admin-port <number>',
      'port for the operator’s own pages (default: from the settings)',
      parsePort,
    )
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge start
      the demo dealership on http://127.0.0.1:8080, with its data in ./data
  dealer-bridge start --config /etc/dealer-bridge/bridge.yaml --data /var/lib/dealer-bridge
      your own dealership`,
    )
    .action(async (options: StartOptions) => {
      // The other core loads the inventory's code while this one reads the settings and loads all else.
      const worker = openInventoryWorker();
      try {
        const { openSettingsSource } = await import('../bridge/reload/settings-source.ts');
        // Begun before the settings are read: what changes meanwhile is noticed as a change.
        const source = openSettingsSource(loadOptionsOf(options));
        const config = await loadConfigOrExit(options);
        await stopOnFeedProblems(config);
        await printStartWarnings(config);
        const { startBridge } = await import('../bridge.ts');
        const bridge = await startBridge(config, worker, await source);
        console.log(bridge.describe());
        await reportToServiceManager(bridge);
        await bridge.stopped;
      } finally {
        await worker.terminate();
      }
    });
}

/** Only where a service manager asks for it; everybody else loads nothing. */
async function reportToServiceManager(bridge: RunningBridge): Promise<void> {
  if (process.env.NOTIFY_SOCKET === undefined) return;
  const { systemdNotify, watchdogIntervalMs } = await import('../runtime/service/systemd-notify.ts');
  const { startServiceReports } = await import('../runtime/service/service-reports.ts');
  const notify = systemdNotify(process.env, (fault) => console.error(`dealer-bridge: ${fault}`));
  if (notify === undefined) return;
  startServiceReports(bridge, notify, watchdogIntervalMs(process.env, process.pid));
}
