import type { Command } from 'commander';
import { stringify } from 'yaml';
import { readManifest } from '../adapters/adapter-folder.ts';
import { loadCrmAdapter, loadFeedReaderFolder } from '../adapters/loader.ts';
import { exampleOptions, optionsHelp, type OptionHelp } from '../adapters/options-help.ts';
import { describeProblem, type Problem } from '../model/problem.ts';
import { adapterFolder, withDataOption, type AdapterOptions } from './adapter-roots.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { oneLine, terminalWidth, wrapWords } from './text-table.ts';

const WIDTH = 100;

/** `adapter help`: an adapter's settings, from its own options schema. */
export function addAdapterHelpCommand(adapter: Command): void {
  withDataOption(adapter.command('help'))
    .summary('explain the settings of an adapter')
    .description('Prints the settings of an adapter: type, default and meaning, and an example to copy.')
    .argument('<adapter>', 'its name, or its folder')
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge adapter help adf-email
  dealer-bridge adapter help data/adapters/crm/my-crm`,
    )
    .action(explain);
}

async function explain(word: string, options: AdapterOptions): Promise<void> {
  const folder = await adapterFolder(word, options);
  const manifest = await readManifest(folder);
  if (!manifest.ok) return stop(manifest.problems);
  const { name, version, kind, description = '' } = manifest.value;
  const loaded = await (kind === 'crm' ? loadCrmAdapter(folder) : loadFeedReaderFolder(folder));
  if (!loaded.ok) return stop(loaded.problems);
  const { optionsSchema } = loaded.value;
  const example = { ...exampleOptions(optionsSchema) };
  const settings = optionsHelp(optionsSchema);
  console.log(
    [
      `${name} ${version} (${kind})`,
      oneLine(description),
      '',
      'Settings (* must be written)',
      ...settings.map(settingText),
      '',
      kind === 'crm' ? 'Under leads.destinations of the settings' : 'In a profile',
      ...exampleText(kind, name, example),
    ].join('\n'),
  );
}

function stop(problems: readonly Problem[]): never {
  for (const problem of problems) console.error(describeProblem(problem));
  throw new CommandStopped(EXIT_CODES.problems);
}

function settingText(setting: OptionHelp): string {
  const { path, type, isRequired, isSecret, default: otherwise, description } = setting;
  const facts = [
    type,
    ...(isSecret ? ['secret'] : []),
    ...(otherwise === undefined ? [] : [`default ${otherwise}`]),
  ];
  const title = `  ${path}${isRequired ? ' *' : ''}  (${facts.join('; ')})`;
  const words = oneLine(description).split(' ');
  const width = Math.min(terminalWidth() ?? WIDTH, WIDTH);
  return description === '' ? oneLine(title) : `${title}\n${wrapWords(words, width, '      ')}`;
}

function exampleText(kind: 'crm' | 'feed-reader', name: string, options: Record<string, unknown>): string[] {
  const filled = Object.keys(options).length === 0 ? {} : { options };
  const value = kind === 'crm' ? [{ id: 'crm', adapter: name, ...filled }] : { reader: name, ...filled };
  return stringify(value)
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
}
