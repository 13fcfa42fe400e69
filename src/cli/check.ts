import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { formatInstant, systemClock } from '../model/clock.ts';
import { CommandStopped } from './command-stopped.ts';
import { loadConfigOrExit, parsePort, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { printContactWarnings, printExposureWarnings } from './exposure-warnings.ts';
import { stopOnSettingsProblems } from './feed-problems.ts';
import { printOpenQuestions } from './open-questions.ts';
import { probeExitCode, probeJson, probeText } from './probe-report.ts';
import { programVersion } from '../runtime/program-version.ts';

type CheckOptions = ConfigOptions & { probe?: boolean; json?: boolean; port?: number; adminPort?: number };

export function addCheckCommand(program: Command): void {
  withConfigOptions(program.command('check'))
    .summary('look for faults in the settings, change nothing')
    .description(
      'Reads the settings and everything they name (profiles, adapters, presets, secrets, samples) and lists every ' +
        'fault at once, with line and column. Starts nothing, writes nothing, sends nothing.\n\n' +
        'With --probe it also tries out what the service needs: folders, disk, clock, ports, logins at mail and file ' +
        'servers, the way to the CRM (no lead is sent), certificate, databases, backups. Run it with the account of ' +
        'the service; it ends with 0 when all is well, 1 with warnings, 2 with failures.',
    )
    .option('--probe', 'try everything out as the service would use it')
    .option('--json', 'with --probe: print what was found as JSON')
    .option('--port <number>', 'with --probe: the port that the service is started with', parsePort)
    .option('--admin-port <number>', 'with --probe: its port for the operator', parsePort)
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge check --config bridge.yaml
  dealer-bridge check --config bridge.yaml && systemctl restart dealer-bridge
  sudo -u dealer-bridge dealer-bridge check --probe --config /etc/dealer-bridge/bridge.yaml --data /var/lib/dealer-bridge`,
    )
    .action(async (options: CheckOptions) => {
      if (options.probe === true) return probe(options);
      if (options.json === true || options.port !== undefined || options.adminPort !== undefined) {
        console.error('--json, --port and --admin-port go with --probe.');
        throw new CommandStopped(EXIT_CODES.usage);
      }
      const config = await loadConfigOrExit(options);
      await stopOnSettingsProblems(config);
      const warnings =
        printContactWarnings(config) +
        (await printExposureWarnings(config)) +
        (await printOpenQuestions(config));
      console.log(summarise(config, warnings));
    });
}

async function probe(options: CheckOptions): Promise<void> {
  // It brings along most of the program, which the plain check does without.
  const { probeSettings } = await import('./probe-settings.ts');
  const { findings } = await probeSettings(options);
  const now = formatInstant(systemClock.now());
  process.stdout.write(
    options.json === true ? probeJson(findings, programVersion(), now) : probeText(findings),
  );
  const code = probeExitCode(findings);
  if (code !== EXIT_CODES.done) throw new CommandStopped(code);
}

function summarise({ file, dealer, feeds, leads }: Config, warnings: number): string {
  const counts = [
    count(dealer.rooftops.length, 'rooftop'),
    count(feeds.length, 'feed'),
    count(leads.destinations.length, 'destination'),
  ];
  return `${basename(file)}: ${counts.join(', ')}. ${warnings === 0 ? 'No problems found.' : `No problems, ${count(warnings, 'warning')}.`}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
