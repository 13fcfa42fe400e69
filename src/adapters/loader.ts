import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { failure, success, type Result } from '../model/problem.ts';
import { didYouMean } from '../model/suggestion.ts';
import { openAdapterFolder, type OpenedAdapter } from './adapter-folder.ts';
import type { CrmAdapter } from './crm-adapter.ts';
import type { FeedReader } from './feed-reader.ts';
import type { SchemaCheck } from '../documents/json-schema.ts';
import { adapterProblem } from './problems.ts';

/**
 * Adapters are found by folder, without registration: `<root>/crm/<name>/` and `<root>/feeds/<name>/`, where the
 * roots are adapters/ of the program and of the data folder.
 */
export interface FoundAdapter {
  name: string;
  /** Absolute. */
  folder: string;
}

export interface LoadedCrmAdapter {
  name: string;
  folder: string;
  crm: CrmAdapter;
  optionsSchema: Record<string, unknown>;
  /** Checks options against the schema and fills its defaults into them. */
  checkOptions: SchemaCheck;
}

export interface LoadedFeedReader {
  name: string;
  folder: string;
  reader: FeedReader;
  optionsSchema: Record<string, unknown>;
  /** Checks options against the schema and fills its defaults into them. */
  checkOptions: SchemaCheck;
}

/** A folder name that can not lead anywhere else. */
const ADAPTER_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const MAX_ADAPTERS = 1000;

/** Every CRM adapter below the roots (absolute paths), sorted by name. A root that is not there holds none. */
export async function findCrmAdapters(roots: readonly string[]): Promise<FoundAdapter[]> {
  return findAdapters(roots, 'crm');
}

/** Loads the adapter in `folder` (absolute path): manifest, options schema, code, and the three functions. */
export async function loadCrmAdapter(folder: string): Promise<Result<LoadedCrmAdapter>> {
  const opened = await openAdapterFolder(folder, 'crm');
  if (!opened.ok) return opened;
  const contract = requireFunctions(opened.value, ['check', 'build', 'classify']);
  if (!contract.ok) return contract;
  const { manifest, implementation, optionsSchema, checkOptions } = opened.value;
  return success({
    name: manifest.name,
    folder,
    crm: implementation as CrmAdapter,
    optionsSchema,
    checkOptions,
  });
}

/** Every feed reader below the roots (absolute paths), sorted by name. */
export async function findFeedReaders(roots: readonly string[]): Promise<FoundAdapter[]> {
  return findAdapters(roots, 'feeds');
}

/** Loads the feed reader of that name from the first root's or a later root's `feeds/<name>/`. */
export async function loadFeedReader(
  name: string,
  roots: readonly string[],
): Promise<Result<LoadedFeedReader>> {
  const located = locate(name, await findFeedReaders(roots));
  return located.ok ? loadFeedReaderFolder(located.value.folder) : located;
}

/** Loads the feed reader in `folder` (absolute path). */
export async function loadFeedReaderFolder(folder: string): Promise<Result<LoadedFeedReader>> {
  const opened = await openAdapterFolder(folder, 'feed-reader');
  if (!opened.ok) return opened;
  const contract = requireFunctions(opened.value, ['read']);
  if (!contract.ok) return contract;
  const { manifest, implementation, optionsSchema, checkOptions } = opened.value;
  return success({
    name: manifest.name,
    folder,
    reader: implementation as FeedReader,
    optionsSchema,
    checkOptions,
  });
}

/** The one folder of that name. A name in two roots is a fault: nobody could say which of the two runs. */
export function locate(name: string, found: readonly FoundAdapter[]): Result<FoundAdapter> {
  const matches = found.filter((adapter) => adapter.name === name);
  const [match, twin] = matches;
  if (match === undefined) {
    const names = found.map((adapter) => adapter.name);
    const facts = { name: JSON.stringify(name), suggestion: didYouMean(name, names) };
    return failure(adapterProblem('ADAPTER_NOT_FOUND', '', facts));
  }
  if (twin === undefined) return success(match);
  const folders = matches.map((adapter) => adapter.folder).join(', ');
  return failure(adapterProblem('ADAPTER_TWICE', match.folder, { name: JSON.stringify(name), folders }));
}

async function findAdapters(roots: readonly string[], kind: 'crm' | 'feeds'): Promise<FoundAdapter[]> {
  const found: FoundAdapter[] = [];
  for (const root of roots) {
    for (const name of await adapterNames(join(root, kind))) {
      found.push({ name, folder: join(root, kind, name) });
    }
  }
  return found.sort((left, right) => left.name.localeCompare(right.name, 'en')).slice(0, MAX_ADAPTERS);
}

async function adapterNames(parent: string): Promise<string[]> {
  try {
    const entries = await readdir(parent, { withFileTypes: true });
    // Links are listed too, so that loading one says why it is refused instead of "no such adapter".
    const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
    return folders.map((entry) => entry.name).filter(isAdapterName);
  } catch {
    return [];
  }
}

/** Whether a folder of that name is looked at as an adapter. */
export function isAdapterName(name: string): boolean {
  return ADAPTER_NAME.test(name) && !isReserved(name);
}

/** Folders beside the adapters that hold YAML only. */
function isReserved(name: string): boolean {
  return name === 'presets' || name === 'profiles';
}

function requireFunctions(opened: OpenedAdapter, names: readonly string[]): Result<true> {
  const { implementation, folder, codeFile } = opened;
  const members = (
    typeof implementation === 'object' && implementation !== null ? implementation : {}
  ) as Record<string, unknown>;
  const missing = names.filter((name) => typeof members[name] !== 'function');
  if (missing.length === 0) return success(true);
  const reason = `its default export lacks the function${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`;
  return failure(
    adapterProblem('ADAPTER_CONTRACT_BROKEN', join(folder, codeFile), { file: codeFile, reason }),
  );
}
