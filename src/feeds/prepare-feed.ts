import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadFeedReader } from '../adapters/loader.ts';
import type { FeedReader } from '../adapters/feed-reader.ts';
import type { FeedConfig } from '../config/config.ts';
import { normaliseColumnPath } from '../model/column.ts';
import { describeProblem, failure, success, type Problem, type Result } from '../model/problem.ts';
import type { SupplementRun } from '../model/intake.ts';
import { checkRow, checkSettings, type CheckSettings } from './checking/check.ts';
import { checkCompanionRow } from './checking/check-companion-row.ts';
import { companionProfile } from './profile/companion-profile.ts';
import type { FeedProfile } from './profile/feed-profile.ts';
import { fileFault } from './file-fault.ts';
import type { IngestServices } from './ingest-services.ts';
import { limitsOf } from './limits.ts';
import { compileProfile, type FeedMapper } from './mapping/map.ts';
import { isNeverPublished } from './profile/never-published.ts';
import { loadProfile } from './profile/profile.ts';
import type { CheckedRow, MappedRow } from './records.ts';
import { loadVocabularies } from './profile/vocabulary.ts';

/** A feed made ready for one run: its profile, its reader, and what they say about rows. */
export interface PreparedFeed {
  profile: FeedProfile;
  reader: FeedReader;
  /** Checked, defaults filled in. */
  readerOptions: Record<string, unknown>;
  mapper: FeedMapper;
  checkSettings: CheckSettings;
  check: (mapped: MappedRow) => CheckedRow;
  /** Of a companion feed: whose vehicles it adds to, and what. */
  supplements?: SupplementRun;
  /** Changes with anything that decides what becomes of a row and does not stand in its file. */
  settings: string;
  /** Columns whose values no report may show. */
  isSecret: (column: string) => boolean;
}

const PROGRAM_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Loads everything anew for each run, so that a corrected profile counts from the next file on. Faults:
 * profile_invalid, reader_invalid.
 */
export async function prepareFeed(
  feed: FeedConfig,
  services: Pick<IngestServices, 'dataFolder' | 'rooftops'>,
): Promise<Result<PreparedFeed>> {
  const roots = adapterRoots(services);
  const loaded = await loadFeedProfile(feed, services);
  if (!loaded.ok) return loaded;
  const fitted = fittedProfile(loaded.value, feed);
  if (!fitted.ok) return fitted;
  const profile = fitted.value;
  const vocabularies = await loadVocabularies(path.join(PROGRAM_FOLDER, 'config', 'vocabulary'));
  if (!vocabularies.ok) return failure(fileFault('profile_invalid', describeAll(vocabularies.problems)));

  const found = await loadFeedReader(profile.reader, roots);
  if (!found.ok) return failure(fileFault('reader_invalid', describeAll(found.problems)));
  const readerOptions = structuredClone(profile.options);
  const faults = found.value.checkOptions(readerOptions);
  if (faults.length > 0) {
    const told = faults.map(({ pointer, message }) => `options${pointer} ${message}`).join('; ');
    return failure(fileFault('reader_invalid', told));
  }

  const words = Object.entries(vocabularies.value).map(([field, table]) => [field, [...table]]);
  const releases = await Promise.all(manifestsOf(found.value.folder).map((file) => readFile(file, 'utf8')));
  const neverPublished = new Set(profile.never_publish.map(normaliseColumnPath));
  const settings = checkSettings(feed, profile, { rooftops: [...services.rooftops] });
  const supplements =
    feed.supplements === undefined
      ? undefined
      : { ...feed.supplements, gather: profile.gather !== undefined };
  return success({
    profile,
    reader: found.value.reader,
    readerOptions,
    settings: hash('sha1', JSON.stringify([feed, profile, [...services.rooftops], words, ...releases])),
    mapper: compileProfile(profile, vocabularies.value, limitsOf(feed)),
    checkSettings: settings,
    check:
      supplements === undefined
        ? (mapped) => checkRow(mapped, settings)
        : (mapped) => checkCompanionRow(mapped, settings, supplements),
    ...(supplements === undefined ? {} : { supplements }),
    isSecret: (column) => isNeverPublished(column) || neverPublished.has(normaliseColumnPath(column)),
  });
}

/** The program and its readers count by their release: a new one may read the same row in another way. */
function manifestsOf(readerFolder: string): string[] {
  return [path.join(PROGRAM_FOLDER, 'package.json'), path.join(readerFolder, 'adapter.json')];
}

/** The profile as it is written. Fault: profile_invalid. */
export async function loadFeedProfile(
  feed: Pick<FeedConfig, 'profile'>,
  services: Pick<IngestServices, 'dataFolder'>,
): Promise<Result<FeedProfile>> {
  const [builtIn, own] = adapterRoots(services).map((root) => path.join(root, 'feeds', 'profiles'));
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

function adapterRoots({ dataFolder }: Pick<IngestServices, 'dataFolder'>): readonly [string, string] {
  return [path.join(PROGRAM_FOLDER, 'adapters'), path.join(dataFolder, 'adapters')];
}

function describeAll(problems: readonly Problem[]): string {
  return problems.map(describeProblem).join('; ');
}
