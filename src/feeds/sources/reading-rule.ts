import { hash } from 'node:crypto';
import type { FeedConfig } from '../../config/config.ts';
import { calendarDay, type Clock } from '../../model/clock.ts';
import type { InventoryIntake } from '../../model/intake.ts';
import type { Rooftop } from '../../model/rooftop.ts';
import type { KeptFeeds } from '../kept-feeds.ts';
import { loadFeed, type LoadedFeed } from '../loaded-feed.ts';
import type { ProfileMap } from '../profile/feed-profile.ts';
import type { ReadingRule } from './source-memory.ts';

interface RuleServices {
  dataFolder: string;
  rooftops: readonly Rooftop[];
  intake: Pick<InventoryIntake, 'listRuns'>;
  clock: Clock;
  keptFeeds?: Pick<KeptFeeds, 'find'>;
}

/**
 * Changes with what decides how the rows of a feed's files are read and priced, the program's release included. No file
 * is to be read again where that may not be: a delta, whose changes have their turn once, and one that waits for a
 * person, since its coming again might be taken for a yes. Undefined where the profile cannot be read.
 */
export async function readingRule(
  feed: FeedConfig,
  services: RuleServices,
): Promise<ReadingRule | undefined> {
  const loaded = services.keptFeeds?.find(feed) ?? (await loadedFrom(feed, services.dataFolder));
  if (loaded === undefined) return undefined;
  const { profile, vocabularies, readerOptions, releases } = loaded;
  const { rooftop, price_basis, price_checks, supplements, limits } = feed;
  const words = Object.entries(vocabularies).map(([field, table]) => [field, [...table]]);
  const places = services.rooftops.map(({ id, feed_ids, profile: { name, legal_name, fees } }) => [
    ...[id, feed_ids, name, legal_name],
    price_basis === 'base_plus_fees' ? fees : [],
  ]);
  // What ends on a day has to be looked at again the day after, though the file is the same.
  const isOfItsTime = profile.map.expires !== undefined || hasSaleDates(profile.map);
  const day = isOfItsTime ? calendarDay(services.clock) : undefined;
  const settings = [rooftop, price_basis, price_checks, supplements, limits, day];
  const text = hash('sha1', JSON.stringify([settings, places, profile, readerOptions, words, releases]));
  const [newest] = await services.intake.listRuns({ feedId: feed.id, limit: 1 });
  const mayComeAgain = feed.mode !== 'delta' && profile.mode !== 'delta' && newest?.status !== 'held';
  return { text, lastRead: mayComeAgain ? newest?.fingerprint : undefined };
}

function hasSaleDates({ sale_price: sale }: ProfileMap): boolean {
  return typeof sale === 'object' && ['during', 'from', 'until'].some((key) => key in sale);
}

async function loadedFrom(feed: FeedConfig, dataFolder: string): Promise<LoadedFeed | undefined> {
  const loaded = await loadFeed(feed, dataFolder);
  return loaded.ok ? loaded.value : undefined;
}
