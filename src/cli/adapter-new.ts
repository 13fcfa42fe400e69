import { join, relative, resolve } from 'node:path';
import { Argument, Option, type Command } from 'commander';
import { writeNewAdapter, type NewAdapter } from '../adapters/new-adapter.ts';
import { describeProblem } from '../model/problem.ts';
import { ownAdapterFolder, placedAdapters, withDataOption, type AdapterOptions } from './adapter-roots.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';

type NewOptions = AdapterOptions & { folder?: string; like?: string; language: NewAdapter['language'] };

/** `adapter new`: a folder that works, to be changed step by step. */
export function addAdapterNewCommand(adapter: Command): void {
  withDataOption(adapter.command('new'))
    .summary('write the folder of a new adapter')
    .description(
      'Writes the folder of a new adapter that passes "adapter test" at once, to be changed step by step. ' +
        'Nothing that is there is written over.',
    )
    .addArgument(
      new Argument('<kind>', 'crm: takes leads to a CRM. feed: reads a file into rows').choices([
        'crm',
        'feed',
      ]),
    )
    .argument('<name>', 'its name: lower-case letters, digits and hyphens')
    .option(
      '--folder <folder>',
      'folder in which it is made (default: adapters/ of the data folder, where the bridge finds it)',
    )
    .option(
      '--like <template>',
      'begin with this template: my-crm, my-reader, or larkspur, the one of the tutorial',
    )
    .addOption(
      new Option('--language <language>', 'TypeScript or JavaScript').choices(['ts', 'js']).default('ts'),
    )
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge adapter new crm my-crm
  dealer-bridge adapter new crm my-crm --folder . --language js
  dealer-bridge adapter new feed my-reader --data /var/lib/dealer-bridge`,
    )
    .action(writeAdapter);
}

async function writeAdapter(kind: NewAdapter['kind'], name: string, options: NewOptions): Promise<void> {
  const { folder: parent, like, language, data } = options;
  const folder = parent === undefined ? ownAdapterFolder(data, kind, name) : join(resolve(parent), name);
  await refuseTwin(kind, name, options);
  const written = await writeNewAdapter({
    kind,
    name,
    folder,
    language,
    ...(like === undefined ? {} : { template: like }),
  });
  if (!written.ok) {
    for (const problem of written.problems) console.error(describeProblem(problem));
    throw new CommandStopped(EXIT_CODES.problems);
  }
  const shown = shortest(folder);
  console.log(`${shown}
${written.value.map((file) => `  ${file}`).join('\n')}

Next: change adapter.${language}, then
  dealer-bridge adapter test ${shown}`);
}

/** Two adapters of a name: nobody could say which of them runs. */
async function refuseTwin(kind: NewAdapter['kind'], name: string, options: AdapterOptions): Promise<void> {
  const wanted = kind === 'crm' ? 'crm' : 'feed-reader';
  const twin = (await placedAdapters(options)).find(
    (placed) => placed.kind === wanted && placed.name === name,
  );
  if (twin === undefined) return;
  console.error(`there is an adapter "${name}" already: ${twin.folder}. Choose another name.`);
  throw new CommandStopped(EXIT_CODES.problems);
}

function shortest(folder: string): string {
  const way = relative(process.cwd(), folder);
  return way.startsWith('..') ? folder : way;
}
