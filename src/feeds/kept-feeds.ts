import { isDeepStrictEqual } from 'node:util';
import type { FeedConfig } from '../config/config.ts';
import { loadFeed, type LoadedFeed } from './loaded-feed.ts';

interface KeptFeed {
  /** By which it was loaded. */
  feed: FeedConfig;
  loaded: LoadedFeed;
}

/**
 * Profiles and vocabularies as they were when the settings were accepted, so that one that somebody is just editing,
 * or has broken, refuses no file: it counts once the settings have been checked again as a whole.
 */
export class KeptFeeds {
  readonly #dataFolder: string;
  #kept = new Map<string, KeptFeed>();

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  /** Reads them anew. What does not load was changed again since it was accepted: what was kept of it stays. */
  async renew(feeds: readonly FeedConfig[]): Promise<void> {
    const renewed = new Map<string, KeptFeed>();
    for (const feed of feeds) {
      const loaded = await loadFeed(feed, this.#dataFolder);
      const earlier = this.find(feed);
      const now = loaded.ok ? loaded.value : earlier;
      if (now !== undefined) renewed.set(feed.id, { feed, loaded: now });
    }
    this.#kept = renewed;
  }

  find(feed: FeedConfig): LoadedFeed | undefined {
    const kept = this.#kept.get(feed.id);
    return kept !== undefined && isDeepStrictEqual(kept.feed, feed) ? kept.loaded : undefined;
  }
}
