import { resolve } from 'node:path';
import type { Command } from 'commander';
import { writeArchive } from '../bridge/support/support-archive.ts';
import { supportFiles, type SupportFile } from '../bridge/support/support-files.ts';
import { supportSettings } from '../bridge/support/settings-file.ts';
import { formatInstant, systemClock } from '../model/clock.ts';
import { parsePort, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { probeJson, probeText } from './probe-report.ts';
import { probeSettings } from './probe-settings.ts';
import { programVersion } from '../runtime/program-version.ts';

type DoctorOptions = ConfigOptions & { out?: string; port?: number; adminPort?: number };

/** `doctor`: one archive for whoever helps from afar. */
export function addDoctorCommand(program: Command): void {
  withConfigOptions(program.command('doctor'))
    .summary('collect what support needs into one archive, without customers and secrets')
    .description(
      'Does what check --probe does and writes it with versions, settings, the last log lines, the last runs, sizes ' +
        'and names of files into one .zip. Passwords, tokens and customers are not in it; look into it before you ' +
        'send it. Nothing is sent.',
    )
    .option('--out <file>', 'the archive (default: dealer-bridge-support-TIME.zip in this folder)')
    .option('--port <number>', 'the port that the service is started with', parsePort)
    .option('--admin-port <number>', 'its port for the operator', parsePort)
    .action(collect);
}

async function collect(options: DoctorOptions): Promise<void> {
  const now = systemClock.now();
  const version = programVersion();
  const time = formatInstant(now);
  const { findings, config } = await probeSettings(options);
  const entries = await supportFiles({
    config,
    dataFolder: resolve(options.data ?? 'data'),
    version,
    settings: await supportSettings(options.config, process.env),
    check: { text: probeText(findings), json: probeJson(findings, version, time) },
  });
  const file = resolve(options.out ?? `dealer-bridge-support-${time.replaceAll(/[-:]/g, '')}.zip`);
  await writeArchive(file, [contents(entries, version, time), ...entries], now);
  console.log(`${file}\n`);
  console.log(listing(entries));
  console.log('\nNo customers, passwords or tokens are in it. Open it and look before you send it.');
}

function contents(entries: readonly SupportFile[], version: string, time: string): SupportFile {
  const text = `dealer-bridge ${version}, ${time}\n\n${listing(entries)}\n`;
  return { name: 'contents.txt', holds: 'this list', text };
}

function listing(entries: readonly SupportFile[]): string {
  const width = Math.max(...entries.map(({ name }) => name.length));
  return entries.map(({ name, holds }) => `  ${name.padEnd(width)}  ${holds}`).join('\n');
}
