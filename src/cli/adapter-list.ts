import type { Command } from 'commander';
import { readManifest } from '../adapters/adapter-folder.ts';
import { loadCrmAdapter, loadFeedReaderFolder } from '../adapters/loader.ts';
import { describeProblem, type Problem } from '../model/problem.ts';
import { placedAdapters, withDataOption, type AdapterOptions, type PlacedAdapter } from './adapter-roots.ts';
import { textTable } from './text-table.ts';

/** `adapter list`: what the bridge finds, and what does not load. */
export function addAdapterListCommand(adapter: Command): void {
  withDataOption(adapter.command('list'))
    .summary('list the adapters that the bridge finds')
    .description(
      'Lists the adapters of the program and of the data folder, and tells which do not load. One that no destination ' +
        'and no feed names does no harm; one that is named stops the start.',
    )
    .action(async (options: AdapterOptions) => {
      const placed = await placedAdapters(options);
      const rows: string[][] = [];
      const problems: Problem[] = [];
      for (const adapter of placed) {
        const { version, faults } = await describe(adapter, placed);
        const place = adapter.isShipped ? 'shipped' : adapter.folder;
        rows.push([adapter.name, adapter.kind, version, faults.length === 0 ? 'ok' : 'FAULTY', place]);
        problems.push(...faults);
      }
      console.log(
        textTable(
          [
            { title: 'Name' },
            { title: 'Kind' },
            { title: 'Version' },
            { title: 'State' },
            { title: 'Place', whole: true },
          ],
          rows,
        ),
      );
      for (const problem of problems) console.log(`\n${describeProblem(problem)}`);
    });
}

async function describe(
  { name, kind, folder }: PlacedAdapter,
  placed: readonly PlacedAdapter[],
): Promise<{ version: string; faults: readonly Problem[] }> {
  const manifest = await readManifest(folder);
  const version = manifest.ok ? manifest.value.version : '';
  const loaded = await (kind === 'crm' ? loadCrmAdapter(folder) : loadFeedReaderFolder(folder));
  const twin = placed.find((other) => other.name === name && other.kind === kind && other.folder !== folder);
  const faults = loaded.ok ? [] : loaded.problems;
  if (twin === undefined) return { version, faults };
  const message = `there is another adapter "${name}": ${twin.folder}. None of the two can be used; rename one.`;
  return { version, faults: [...faults, { code: 'ADAPTER_TWICE', message, where: { file: folder } }] };
}
