import { hash } from 'node:crypto';
import type { FeedReader } from '../adapters/feed-reader.ts';
import type { FeedConfig } from '../config/config.ts';
import { formatInstant, systemClock } from '../model/clock.ts';
import { normaliseColumnPath } from '../model/column.ts';
import { success, type Result } from '../model/problem.ts';
import type { SupplementRun } from '../model/intake.ts';
import { checkRow, checkSettings, type CheckSettings } from './checking/check.ts';
import { checkCompanionRow } from './checking/check-companion-row.ts';
import { compileRooftopLookup } from './checking/rooftop-lookup.ts';
import { withoutLostCharacters } from './checking/lost-characters.ts';
import type { IngestServices } from './ingest-services.ts';
import { limitsOf } from './limits.ts';
import { loadFeed } from './loaded-feed.ts';
import { compileProfile, type FeedMapper } from './mapping/map.ts';
import type { FeedProfile } from './profile/feed-profile.ts';
import { isNeverPublished } from './profile/never-published.ts';
import type { CheckedRow, MappedRow } from './records.ts';

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

/**
 * Made anew for each run: of the profiles as they were accepted, where somebody keeps them, else of the files, so that
 * a corrected profile counts from the next file on. Faults: profile_invalid, reader_invalid.
 */
export async function prepareFeed(
  feed: FeedConfig,
  services: Pick<IngestServices, 'dataFolder' | 'rooftops'> &
    Partial<Pick<IngestServices, 'keptFeeds' | 'clock'>>,
): Promise<Result<PreparedFeed>> {
  const kept = services.keptFeeds?.find(feed);
  const loaded = kept === undefined ? await loadFeed(feed, services.dataFolder) : success(kept);
  if (!loaded.ok) return loaded;
  const { profile, vocabularies, reader, readerOptions, releases } = loaded.value;

  const words = Object.entries(vocabularies).map(([field, table]) => [field, [...table]]);
  const neverPublished = new Set(profile.never_publish.map(normaliseColumnPath));
  const now = (services.clock ?? systemClock).now();
  // What ends on a day has to be looked at again the day after, though its row is the same.
  const day = profile.map.expires === undefined ? [] : [formatInstant(now).slice(0, 10)];
  const settings = checkSettings(feed, profile, { rooftops: [...services.rooftops] });
  const supplements =
    feed.supplements === undefined
      ? undefined
      : { ...feed.supplements, gather: profile.gather !== undefined };
  return success({
    profile,
    reader,
    readerOptions,
    settings: hash(
      'sha1',
      JSON.stringify([feed, profile, [...services.rooftops], words, ...releases, ...day]),
    ),
    mapper: compileProfile(profile, vocabularies, limitsOf(feed), {
      now,
      zoneOf: zoneFinder(feed, services.rooftops),
    }),
    checkSettings: settings,
    check: withoutLostCharacters(
      supplements === undefined
        ? (mapped) => checkRow(mapped, settings)
        : (mapped) => checkCompanionRow(mapped, settings, supplements),
    ),
    ...(supplements === undefined ? {} : { supplements }),
    isSecret: (column) => isNeverPublished(column) || neverPublished.has(normaliseColumnPath(column)),
  });
}

/** Dates without a zone are of the rooftop that the row belongs to. */
function zoneFinder(
  { rooftop }: FeedConfig,
  rooftops: IngestServices['rooftops'],
): (dealer: string | undefined) => string | undefined {
  const find = compileRooftopLookup(rooftop, rooftops);
  return (dealer) => {
    const place = find(dealer);
    return place.kind === 'rooftop' ? place.rooftop.profile.timezone : undefined;
  };
}
