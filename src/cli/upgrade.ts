import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { parseExistingFile } from './existing-file.ts';
import { withConfigOptions } from './config-options.ts';
import type { UpgradeOptions } from './upgrade-options.ts';

/** `upgrade`: of an unpacked package; a clone is updated with git and npm. */
export function addUpgradeCommand(program: Command): void {
  withConfigOptions(program.command('upgrade'))
    .summary('move to another version of this program, or back')
    .description(
      'Checks the archive, unpacks its version beside the one that is here, tries it on a copy of the data, makes a ' +
        'backup, stops the bridge, switches, and starts the bridge again. A version that does not get ready is ' +
        'switched back, with the databases as the old one needs them and every lead kept. Without --yes it only ' +
        'says what it would do. Each step is noted in upgrade.log beside the launcher.',
    )
    .argument(
      '[archive]',
      'the .tar.gz or .zip of the other version, with its .sha256 beside it',
      parseExistingFile,
    )
    .option('--yes', 'do it')
    .option('--sha256 <digits>', 'the checksum that was published, instead of the file beside the archive')
    .option('--allow-downgrade', 'take an older version; its form of the databases must be that of today')
    .option('--rollback', 'go back to the version before, which is still here')
    .option('--leave-leads', 'with --rollback: also when leads since the upgrade cannot be taken over')
    .option(
      '--ready-seconds <number>',
      'how long the new version may take until it serves',
      parseSeconds,
      300,
    )
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge upgrade dealer-bridge-0.2.0-linux-x64.tar.gz --config /etc/dealer-bridge/bridge.yaml --data /var/lib/dealer-bridge --yes
  dealer-bridge upgrade --rollback --config /etc/dealer-bridge/bridge.yaml --data /var/lib/dealer-bridge --yes`,
    )
    .action(async (archive: string | undefined, options: UpgradeOptions) => {
      const { upgradeTo, rollBack } = await import('./upgrade-run.ts');
      if (options.rollback === true) await rollBack(options);
      else await upgradeTo(archive === undefined ? undefined : resolve(archive), options);
    });
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,5}$/.test(text) && seconds > 0) return seconds;
  throw new InvalidArgumentError('A number of seconds, from 1.');
}
