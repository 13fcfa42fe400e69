import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { findCrmAdapters, findFeedReaders, type FoundAdapter } from '../adapters/loader.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** The adapters are found without the settings, which may be what does not load because of one. */
export interface AdapterOptions {
  data: string;
}

const SHIPPED = fileURLToPath(new URL('../../adapters', import.meta.url));

export interface PlacedAdapter extends FoundAdapter {
  kind: 'crm' | 'feed-reader';
  isShipped: boolean;
}

export function withDataOption(command: Command): Command {
  return command.option('--data <folder>', 'the data folder, whose adapters/ holds your own', 'data');
}

/** Where an adapter of your own belongs, so that the bridge finds it. */
export function ownAdapterFolder(data: string, kind: 'crm' | 'feed', name: string): string {
  return join(resolve(data), 'adapters', kind === 'crm' ? 'crm' : 'feeds', name);
}

/** All that the bridge would find, shipped ones first. */
export async function placedAdapters({ data }: AdapterOptions): Promise<PlacedAdapter[]> {
  const placed: PlacedAdapter[] = [];
  for (const root of [SHIPPED, join(resolve(data), 'adapters')]) {
    const isShipped = root === SHIPPED;
    const crm = await findCrmAdapters([root]);
    const feeds = await findFeedReaders([root]);
    placed.push(...crm.map((found) => ({ ...found, kind: 'crm' as const, isShipped })));
    placed.push(...feeds.map((found) => ({ ...found, kind: 'feed-reader' as const, isShipped })));
  }
  return placed;
}

/** The folder meant by a name or a path. A path wins: it is what a person sees. */
export async function adapterFolder(word: string, options: AdapterOptions): Promise<string> {
  const path = resolve(word);
  if (existsSync(join(path, 'adapter.json'))) return path;
  // The manifest itself, as a shell completes it.
  if (basename(path) === 'adapter.json' && existsSync(path)) return dirname(path);
  const named = (await placedAdapters(options)).filter(({ name }) => name === word);
  const [found, twin] = named;
  if (found !== undefined && twin === undefined) return found.folder;
  if (twin !== undefined) {
    console.error(
      `several adapters are called ${word}; name the folder: ${named.map(({ folder }) => folder).join(', ')}`,
    );
  } else {
    console.error(
      `${word} is neither a folder with an adapter.json nor an adapter in adapters/ (see "adapter list")`,
    );
  }
  throw new CommandStopped(EXIT_CODES.problems);
}
