import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadFeedReader } from '../adapters/loader.ts';
import type { FeedReader } from '../adapters/feed-reader.ts';
import type { FeedConfig } from '../config/config.ts';
import { describeProblem, failure, success, type Problem, type Result } from '../model/problem.ts';
import type { Vocabularies } from '../model/vocabulary.ts';
import { fileFault } from './file-fault.ts';
import { companionProfile } from './profile/companion-profile.ts';
import type { FeedProfile } from './profile/feed-profile.ts';
import { loadProfile } from './profile/profile.ts';
import { loadVocabularies } from './profile/vocabulary.ts';

/** What the files beside bridge.yaml say of a feed, read and checked. Runs do not change it. */
export interface LoadedFeed {
  profile: FeedProfile;
  vocabularies: Vocabularies;
  reader: FeedReader;
  /** Checked, defaults filled in. */
  readerOptions: Record<string, unknown>;
  /** The manifests of program and reader: a new release may read the same row in another way. */
  releases: string[];
}

const PROGRAM_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** @param dataFolder absolute; holds the dealer's own profiles and readers. Faults: profile_invalid, reader_invalid. */
export async function loadFeed(feed: FeedConfig, dataFolder: string): Promise<Result<LoadedFeed>> {
  const loaded = await loadFeedProfile(feed, { dataFolder });
  if (!loaded.ok) return loaded;
  const fitted = fittedProfile(loaded.value, feed);
  if (!fitted.ok) return fitted;
  const profile = fitted.value;
  const vocabularies = await loadVocabularies(path.join(PROGRAM_FOLDER, 'config', 'vocabulary'));
  if (!vocabularies.ok) return failure(fileFault('profile_invalid', describeAll(vocabularies.problems)));

  const found = await loadFeedReader(profile.reader, adapterRoots(dataFolder));
  if (!found.ok) return failure(fileFault('reader_invalid', describeAll(found.problems)));
  const { reader, folder, checkOptions } = found.value;
  const readerOptions = structuredClone(profile.options);
  const faults = checkOptions(readerOptions);
  if (faults.length > 0) {
    const told = faults.map(({ pointer, message }) => `options${pointer} ${message}`).join('; ');
    return failure(fileFault('reader_invalid', told));
  }
  const manifests = [path.join(PROGRAM_FOLDER, 'package.json'), path.join(folder, 'adapter.json')];
  const releases = await Promise.all(manifests.map((file) => readFile(file, 'utf8')));
  return success({ profile, vocabularies: vocabularies.value, reader, readerOptions, releases });
}

/** The profile as it is written. Fault: profile_invalid. */
export async function loadFeedProfile(
  feed: Pick<FeedConfig, 'profile'>,
  { dataFolder }: { dataFolder: string },
): Promise<Result<FeedProfile>> {
  const [builtIn, own] = adapterRoots(dataFolder).map((root) => path.join(root, 'feeds', 'profiles'));
  const loaded = await loadProfile(feed.profile, { builtIn: builtIn ?? '', ...(own && { own }) });
  return loaded.ok ? loaded : failure(fileFault('profile_invalid', describeAll(loaded.problems)));
}

/** A companion feed reads only what it owns; any other feed needs a profile that reads whole vehicles. */
function fittedProfile(profile: FeedProfile, feed: FeedConfig): Result<FeedProfile> {
  if (feed.supplements !== undefined) return companionProfile(profile, feed.supplements.fields);
  if (!profile.companion) return success(profile);
  const reason =
    'it reads companion files, which add to the vehicles of another feed; name that feed under supplements';
  return failure(fileFault('profile_invalid', reason));
}

function adapterRoots(dataFolder: string): readonly [string, string] {
  return [path.join(PROGRAM_FOLDER, 'adapters'), path.join(dataFolder, 'adapters')];
}

function describeAll(problems: readonly Problem[]): string {
  return problems.map(describeProblem).join('; ');
}
