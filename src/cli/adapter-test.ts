import type { Command } from 'commander';
import { acceptFixtures } from '../adapters/accept-fixtures.ts';
import { CHECK_LIMITS, checkAdapter, type AdapterReport } from '../adapters/contract-checks.ts';
import { adapterFolder, withDataOption, type AdapterOptions } from './adapter-roots.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { oneLine } from './text-table.ts';

type TestOptions = AdapterOptions & { accept?: boolean };

/** `adapter test`: whether an adapter keeps the contract, check by check. */
export function addAdapterTestCommand(adapter: Command): void {
  withDataOption(adapter.command('test'))
    .summary('check an adapter against the contract')
    .description(
      'Runs the contract checks on one adapter: its fixtures, hostile leads or files, every kind of answer, and that ' +
        'it touches neither clock nor network nor disk. Sends nothing.',
    )
    .argument('<adapter>', 'its folder, or its name')
    .option('--accept', 'first write what it gives now as what its fixtures expect')
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge adapter test data/adapters/crm/my-crm
  dealer-bridge adapter test data/adapters/crm/my-crm --accept`,
    )
    .action(test);
}

async function test(word: string, options: TestOptions): Promise<void> {
  const folder = await adapterFolder(word, options);
  let report = await checkAdapter(folder);
  if (options.accept === true && report.manifest !== undefined) {
    const written = await acceptFixtures(folder, report.manifest.kind, CHECK_LIMITS);
    console.log(
      written.length === 0 ? 'The fixtures are as they were.' : `Written anew: ${written.join(', ')}`,
    );
    if (written.length > 0) report = await checkAdapter(folder);
  }
  console.log(reportText(folder, report));
  if (report.results.some(({ problems }) => problems.length > 0))
    throw new CommandStopped(EXIT_CODES.problems);
}

function reportText(folder: string, { manifest, results }: AdapterReport): string {
  const title =
    manifest === undefined ? folder : `${manifest.name} ${manifest.version} (${manifest.kind}), ${folder}`;
  const lines = results.flatMap(({ title: check, problems }) => [
    `  ${problems.length === 0 ? 'passed' : 'FAILED'}  ${check}`,
    ...problems.flatMap(({ message, remedy, where }, index) => {
      // The same advice is given once, behind the last of those it is for.
      const isLast = problems[index + 1]?.remedy !== remedy;
      const place = where?.file === undefined || where.file === folder ? '' : `${where.file}: `;
      return [
        `          ${oneLine(`${place}${message}`)}`,
        ...(remedy === undefined || !isLast ? [] : [`            ${remedy}`]),
      ];
    }),
  ]);
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  const verdict = failed === 0 ? 'It keeps the contract.' : `${failed} of ${results.length} checks failed.`;
  return [title, ...lines, verdict].join('\n');
}
