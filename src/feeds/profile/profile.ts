import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { compileWhenUsed } from '../../documents/json-schema.ts';
import { readSettingsFile } from '../../documents/settings-file.ts';
import { parseYaml, type YamlDocument } from '../../documents/yaml-document.ts';
import { failure, success, type Problem, type ProblemPlace, type Result } from '../../model/problem.ts';
import { didYouMean } from '../../model/suggestion.ts';
import feedProfileSchema from '../../../schemas/feed-profile.schema.json' with { type: 'json' };
import { checkProfile, checkWrittenProfile } from './profile-checks.ts';
import { faultProblem, profileProblem } from './profile-problems.ts';
import type { FeedProfile, ProfileMap, WrittenProfile } from './feed-profile.ts';

/** Where profiles stand: the program's own, and the dealer's, which win when both have the name. */
export interface ProfileFolders {
  builtIn: string;
  own?: string;
}

interface ProfileFile {
  file: string;
  written: WrittenProfile;
  document: YamlDocument;
}

const DEFAULT_PRICE_BOUNDS = { lowest: 100, highest: 2_000_000 };

const checkSchema = compileWhenUsed(() => feedProfileSchema);

/**
 * Reads a profile by name (`homenet`) or path (`./mine.yaml`), with all that it extends. Every fault of its own
 * file is told at once, with line and column.
 */
export async function loadProfile(nameOrPath: string, folders: ProfileFolders): Promise<Result<FeedProfile>> {
  const chain = await readChain(nameOrPath, folders);
  if (!chain.ok) return chain;
  const [top] = chain.value;
  if (top === undefined) return failure();
  const merged = chain.value
    .map(({ written }) => written)
    .reduceRight((base, added) => merge(base, added), {});
  const profile = completeProfile(nameOrPath, top.file, merged);
  const problems = checkProfile(profile, merged.reader !== undefined, top.document);
  return problems.length > 0 ? failure(...problems) : success(profile);
}

/** The profile itself first, then what it extends, and so on. */
async function readChain(nameOrPath: string, folders: ProfileFolders): Promise<Result<ProfileFile[]>> {
  const chain: ProfileFile[] = [];
  let next: { name: string; folder: string; place: ProblemPlace } | undefined = {
    name: nameOrPath,
    folder: process.cwd(),
    place: {},
  };
  while (next !== undefined) {
    const file = await findProfile(next.name, next.folder, folders);
    if (file === undefined) return failure(await notFound(next.name, next.place, folders));
    const names = [...chain.map((profile) => profile.file), file].map((each) => path.basename(each));
    if (chain.some((profile) => profile.file === file)) {
      return failure(profileProblem('FEED_PROFILE_CYCLE', next.place, { chain: names.join(' > ') }));
    }
    const profile = await readProfileFile(file);
    if (!profile.ok) return profile;
    chain.push(profile.value);
    const parent: string | undefined = profile.value.written.extends;
    next =
      parent === undefined
        ? undefined
        : { name: parent, folder: path.dirname(file), place: profile.value.document.place('/extends') };
  }
  return success(chain);
}

async function findProfile(
  name: string,
  folder: string,
  folders: ProfileFolders,
): Promise<string | undefined> {
  const isPath = /[/\\]|\.ya?ml$/.test(name);
  const candidates = isPath
    ? [path.resolve(folder, name)]
    : [folders.own, folders.builtIn].flatMap((each) =>
        each === undefined ? [] : [path.resolve(each, `${name}.yaml`)],
      );
  for (const candidate of candidates) {
    if (await exists(candidate)) return candidate;
  }
  return undefined;
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}

async function notFound(name: string, place: ProblemPlace, folders: ProfileFolders): Promise<Problem> {
  const known = await Promise.all([folders.own, folders.builtIn].map(profileNames));
  return profileProblem('FEED_PROFILE_NOT_FOUND', place, {
    name,
    suggestion: didYouMean(name, known.flat()),
  });
}

async function profileNames(folder: string | undefined): Promise<string[]> {
  if (folder === undefined || !(await exists(folder))) return [];
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.yaml')).map((name) => name.slice(0, -'.yaml'.length));
}

async function readProfileFile(file: string): Promise<Result<ProfileFile>> {
  const text = await readSettingsFile(file);
  if (!text.ok) return text;
  const { document, problems } = parseYaml(text.value, path.basename(file));
  if (document === undefined || problems.length > 0) return failure(...problems);
  const faults = checkSchema(document.value).map((fault) => faultProblem(fault, document));
  if (faults.length > 0) return failure(...faults);
  const written = document.value as WrittenProfile;
  const unsound = checkWrittenProfile(written, document);
  return unsound.length > 0 ? failure(...unsound) : success({ file, written, document });
}

function merge(base: WrittenProfile, added: WrittenProfile): WrittenProfile {
  return {
    ...base,
    ...added,
    options: { ...base.options, ...added.options },
    price_bounds: { ...base.price_bounds, ...added.price_bounds },
    never_publish: [...new Set([...(base.never_publish ?? []), ...(added.never_publish ?? [])])],
    vocabulary: mergeVocabulary(base.vocabulary ?? {}, added.vocabulary ?? {}),
    map: { ...base.map, ...added.map },
  };
}

function mergeVocabulary(
  base: FeedProfile['vocabulary'],
  added: FeedProfile['vocabulary'],
): FeedProfile['vocabulary'] {
  const merged = { ...base };
  for (const [field, words] of Object.entries(added)) {
    merged[field as keyof typeof merged] = { ...merged[field as keyof typeof merged], ...words };
  }
  return merged;
}

/** Defaults filled in. `written` has been checked, and merged with what it extends. */
export function completeProfile(name: string, file: string, written: WrittenProfile): FeedProfile {
  const map = Object.fromEntries(Object.entries(written.map ?? {}).filter(([, source]) => source !== null));
  const { action, mode, price_basis, decimal_mark, companion = false, gather, sent_beside } = written;
  return {
    name,
    file,
    description: (written.description ?? '').trim(),
    reader: written.reader ?? '',
    options: written.options ?? {},
    ...(mode === undefined ? {} : { mode }),
    ...(price_basis === undefined ? {} : { price_basis }),
    ...(decimal_mark === undefined ? {} : { decimal_mark }),
    price_bounds: { ...DEFAULT_PRICE_BOUNDS, ...written.price_bounds },
    required: (written.required ?? defaultRequired(map, companion)).map((entry) => [entry].flat()),
    ...(action === undefined ? {} : { action: typeof action === 'string' ? { column: action } : action }),
    companion,
    ...(gather === undefined ? {} : { gather }),
    ...(sent_beside === undefined ? {} : { sent_beside: sent_beside.trim() }),
    never_publish: written.never_publish ?? [],
    vocabulary: written.vocabulary ?? {},
    map,
  };
}

/**
 * Without these a row can be no listing, so a file without their columns is the wrong file or a changed one. What a
 * companion file needs beside its identity depends on the feed (companion-profile.ts).
 */
function defaultRequired(map: ProfileMap, isCompanion: boolean): (string | string[])[] {
  if (isCompanion) return [['vin', 'stock'].filter((field) => field in map)];
  const identity = map.vin === undefined ? ['stock', 'vehicle_id'] : ['vin'];
  return [identity.filter((field) => field in map), 'year', 'make', 'model', 'condition'];
}
