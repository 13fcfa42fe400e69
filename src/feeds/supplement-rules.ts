import type { FeedConfig } from '../config/config.ts';
import type { SupplementRule } from '../model/supplement.ts';

/** The companion feeds of the settings, by id. */
export function supplementRules(feeds: readonly FeedConfig[]): Map<string, SupplementRule> {
  return new Map(
    feeds.flatMap(({ id, supplements }) => (supplements === undefined ? [] : [[id, supplements]])),
  );
}
