import type { FeedConfig } from '../config/config.ts';
import type { SupplementRule } from '../model/supplement.ts';

/** Ids of the feeds that bring vehicles: all but the companion feeds. */
export function vehicleFeeds(feeds: readonly FeedConfig[]): string[] {
  return feeds.filter(({ supplements }) => supplements === undefined).map(({ id }) => id);
}

/** The companion feeds of the settings, by id. */
export function supplementRules(feeds: readonly FeedConfig[]): Map<string, SupplementRule> {
  return new Map(
    feeds.flatMap(({ id, supplements }) => (supplements === undefined ? [] : [[id, supplements]])),
  );
}
