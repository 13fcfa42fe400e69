import type { FeedConfig } from '../config/config.ts';
import { formatInstant } from '../model/clock.ts';
import type { OverdueFeed } from '../model/intake.ts';
import type { IngestServices } from './ingest-services.ts';
import { readSourceRecord } from './sources/source-record.ts';

const HOUR_MS = 3_600_000;

/** A feed that says how often it comes. */
type ExpectedFeed = FeedConfig & { expect_every_hours: number };

type WatchServices = Pick<IngestServices, 'intake' | 'dataFolder' | 'clock' | 'log'>;

/**
 * Knows which feeds have brought no good file for longer than their settings expect, and says so in the log: once
 * when a feed becomes overdue, once when it has come again. A feed that never brought any is counted from the
 * moment since which it is watched.
 *
 * A source that still shows the file taken in last has brought it again, as far as that goes: the dealer's system
 * answers and has nothing new. When the lot was confirmed (updated_at) stays with the file itself.
 */
export class OverdueWatch {
  #feeds: readonly ExpectedFeed[] = [];
  readonly #services: WatchServices;
  /** By feed. */
  readonly #watchedSince = new Map<string, number>();
  readonly #told = new Set<string>();

  constructor(feeds: readonly FeedConfig[], services: WatchServices) {
    this.#services = services;
    this.change(feeds);
  }

  /** Feeds that stay are counted on. */
  change(feeds: readonly FeedConfig[]): void {
    this.#feeds = feeds.filter((feed): feed is ExpectedFeed => feed.expect_every_hours !== undefined);
    for (const { id } of this.#feeds)
      if (!this.#watchedSince.has(id)) this.#watchedSince.set(id, this.#services.clock.now());
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
    const watchedSince = this.#watchedSince.get(id) ?? this.#services.clock.now();
    const cameAt = last === undefined ? watchedSince : Date.parse(last.finishedAt);
    let since = cameAt + hours * HOUR_MS;
    if (this.#services.clock.now() > since)
      since = (await this.#shownAgainAt(feed, cameAt)) + hours * HOUR_MS;
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

  /** When the source last showed the file taken in last; `cameAt` when it did not, or when that file was refused. */
  async #shownAgainAt({ id, source }: ExpectedFeed, cameAt: number): Promise<number> {
    if (source === undefined) return cameAt;
    const [newest] = await this.#services.intake.listRuns({ feedId: id, limit: 1 });
    if (newest?.status !== 'ok' && newest?.status !== 'partial') return cameAt;
    const { confirmed_at: at } = await readSourceRecord(this.#services.dataFolder, id, source);
    return Math.max(cameAt, at === undefined ? cameAt : Date.parse(at));
  }
}
