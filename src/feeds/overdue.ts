import type { FeedConfig } from '../config/config.ts';
import { formatInstant } from '../model/clock.ts';
import type { OverdueFeed } from '../model/intake.ts';
import type { IngestServices } from './ingest-services.ts';

const HOUR_MS = 3_600_000;

/** A feed that says how often it comes. */
type ExpectedFeed = FeedConfig & { expect_every_hours: number };

/**
 * Knows which feeds have brought no good file for longer than their settings expect, and says so in the log: once
 * when a feed becomes overdue, once when it has come again. A feed that never brought any is counted from the
 * moment the watch was made.
 */
export class OverdueWatch {
  readonly #feeds: readonly ExpectedFeed[];
  readonly #services: Pick<IngestServices, 'intake' | 'clock' | 'log'>;
  readonly #watchedSince: number;
  readonly #told = new Set<string>();

  constructor(feeds: readonly FeedConfig[], services: Pick<IngestServices, 'intake' | 'clock' | 'log'>) {
    this.#feeds = feeds.filter((feed): feed is ExpectedFeed => feed.expect_every_hours !== undefined);
    this.#services = services;
    this.#watchedSince = services.clock.now();
  }

  /** Those that are overdue now, in the order of the settings. */
  async look(): Promise<OverdueFeed[]> {
    const overdue: OverdueFeed[] = [];
    for (const feed of this.#feeds) {
      const found = await this.#lookAt(feed);
      if (found !== undefined) overdue.push(found);
    }
    return overdue;
  }

  async #lookAt(feed: ExpectedFeed): Promise<OverdueFeed | undefined> {
    const { id, expect_every_hours: hours, when_overdue } = feed;
    const [last] = await this.#services.intake.listRuns({ feedId: id, limit: 1, takenIn: true });
    const since = (last === undefined ? this.#watchedSince : Date.parse(last.finishedAt)) + hours * HOUR_MS;
    if (this.#services.clock.now() <= since) {
      if (this.#told.delete(id))
        this.#services.log.info({ feed: id }, 'the feed that was overdue has come again');
      return undefined;
    }
    const isHidden = when_overdue === 'hide';
    if (!this.#told.has(id)) {
      this.#told.add(id);
      const facts = { feed: id, expect_every_hours: hours, last_good_file: last?.finishedAt ?? 'never' };
      const consequence = isHidden ? '; its vehicles are not shown until it does' : '';
      this.#services.log.warn(
        facts,
        `feed is overdue: it has brought no good file for too long${consequence}`,
      );
    }
    return { feedId: id, since: formatInstant(since), isHidden };
  }
}
