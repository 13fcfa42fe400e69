import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadFeedReader } from '../adapters/loader.ts';
import type { FeedReader } from '../adapters/feed-reader.ts';
import type { FeedConfig } from '../config/config.ts';
import { normaliseColumnPath } from '../model/column.ts';
import { describeProblem, failure, success, type Problem, type Result } from '../model/problem.ts';
import { checkSettings, type CheckSettings } from './checking/check.ts';
import type { FeedProfile } from './profile/feed-profile.ts';
import { fileFault } from './file-fault.ts';
import type { IngestServices } from './ingest-services.ts';
import { compileProfile, type FeedMapper } from './mapping/map.ts';
import { isNeverPublished } from './profile/never-published.ts';
import { loadProfile } from './profile/profile.ts';
import { loadVocabularies } from './profile/vocabulary.ts';

/** A feed made ready for one run: its profile, its reader, and what they say about rows. */
export interface PreparedFeed {
  profile: FeedProfile;
  reader: FeedReader;
  /** Checked, defaults filled in. */
  readerOptions: Record<string, unknown>;
  mapper: FeedMapper;
  checkSettings: CheckSettings;
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
  const roots = [path.join(PROGRAM_FOLDER, 'adapters'), path.join(services.dataFolder, 'adapters')] as const;
  const [builtIn, own] = [path.join(roots[0], 'feeds', 'profiles'), path.join(roots[1], 'feeds', 'profiles')];
  const loaded = await loadProfile(feed.profile, { builtIn, own });
  if (!loaded.ok) return failure(fileFault('profile_invalid', describeAll(loaded.problems)));
  const profile = loaded.value;
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

  const neverPublished = new Set(profile.never_publish.map(normaliseColumnPath));
  return success({
    profile,
    reader: found.value.reader,
    readerOptions,
    mapper: compileProfile(profile, vocabularies.value),
    checkSettings: checkSettings(feed, profile, { rooftops: [...services.rooftops] }),
    isSecret: (column) => isNeverPublished(column) || neverPublished.has(normaliseColumnPath(column)),
  });
}

function describeAll(problems: readonly Problem[]): string {
  return problems.map(describeProblem).join('; ');
}
