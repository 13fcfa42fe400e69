import { isDeepStrictEqual } from 'node:util';
import type { FeedConfig, SourceConfig } from '../../config/config.ts';
import type { Log } from '../../model/log.ts';
import { formatInstant } from '../../model/clock.ts';
import { visibleText } from '../reporting/visible-text.ts';
import { hasCome, lookAtSource, type SourceServices } from './look-at-source.ts';
import type { Findings } from './look.ts';
import { SourceFault } from './source-fault.ts';
import { failureAt, noteInSourceRecord, successAt, type SourceRecord } from './source-record.ts';
import { placeOf, reasonOf } from './source-words.ts';

export interface SourceWatch {
  /** Feeds that stay as they were keep their schedule; downloads of the others are broken off. */
  change(feeds: readonly FeedConfig[]): Promise<void>;
  /** Breaks running downloads off and resolves when nothing runs any more. */
  stop(): Promise<void>;
}

export interface SourceWatchOptions {
  /** Called when files have landed in a feed's folder. */
  onLanded?: () => void;
  /** Default `waitBeforeNextLook`. */
  waitMs?: typeof waitBeforeNextLook;
}

const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 3_600_000;
/** A wrong password is not asked again soon: servers lock accounts for that. */
const AFTER_REFUSAL_MS = 1_800_000;

/** Looks at the source of every feed that has one: at start, then on its schedule, each by itself. */
export function watchSources(
  feeds: readonly FeedConfig[],
  services: Omit<SourceServices, 'onLanded' | 'again'> & { log: Log },
  { onLanded = () => undefined, waitMs = waitBeforeNextLook }: SourceWatchOptions = {},
): SourceWatch {
  let loops: SourceLoop[] = [];
  let isStopping = false;

  async function change(wanted: readonly FeedConfig[]): Promise<void> {
    const kept = loops.filter((loop) => wanted.some((feed) => loop.isOf(feed)));
    const dropped = loops.filter((loop) => !kept.includes(loop));
    loops = kept;
    // Of one source there are never two looks at a time.
    await Promise.all(dropped.map((loop) => loop.stop()));
    if (isStopping) return;
    for (const feed of wanted) {
      if (feed.source === undefined || kept.some((loop) => loop.isOf(feed))) continue;
      const loop = new SourceLoop(feed, feed.source, services, { onLanded, waitMs });
      loops.push(loop);
      loop.begin();
    }
  }

  let changing = change(feeds);
  return {
    change: (wanted) => (changing = changing.then(() => change(wanted))),
    async stop() {
      isStopping = true;
      await Promise.all([changing, ...loops.map((loop) => loop.stop())]);
    },
  };
}

/** Milliseconds until the next look: after failures soon at first, then ever later. */
export function waitBeforeNextLook(everyMs: number, failures: number, wasRefused: boolean): number {
  if (failures === 0) return everyMs;
  const doubled = FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20);
  const longest = Math.max(everyMs, LONGEST_RETRY_MS);
  return Math.min(Math.max(doubled, wasRefused ? AFTER_REFUSAL_MS : 0), longest);
}

class SourceLoop {
  readonly #feed: FeedConfig;
  readonly #source: SourceConfig;
  readonly #services: Omit<SourceServices, 'onLanded' | 'again'> & { log: Log };
  readonly #options: Required<SourceWatchOptions>;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #failures = 0;

  constructor(
    feed: FeedConfig,
    source: SourceConfig,
    services: Omit<SourceServices, 'onLanded' | 'again'> & { log: Log },
    options: Required<SourceWatchOptions>,
  ) {
    this.#feed = feed;
    this.#source = source;
    this.#services = services;
    this.#options = options;
  }

  isOf(feed: FeedConfig): boolean {
    return isDeepStrictEqual(feed, this.#feed);
  }

  begin(): void {
    this.#running = this.#look();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #look(): Promise<void> {
    const begunAt = performance.now();
    const { signal } = this.#stopping;
    const landed: string[] = [];
    let wasRefused = false;
    try {
      const services = { ...this.#services, onLanded: (name: string) => void landed.push(name) };
      const findings = await lookAtSource(this.#feed, this.#source, services, signal);
      this.#tellSuccess(findings);
      await this.#note(successAt(this.#now(), hasCome(findings, this.#feed, this.#now())));
    } catch (fault) {
      if (signal.aborted) return;
      wasRefused = fault instanceof SourceFault && fault.isRefusal;
      const reason = reasonOf(fault, this.#source);
      this.#tellFailure(reason);
      await this.#note((record) => failureAt(this.#now(), reason, record));
    }
    // Also of a look that failed at its second file, the first one has landed.
    for (const name of landed) this.#tellLanded(name);
    if (landed.length > 0) this.#options.onLanded();
    const waitMs = this.#options.waitMs(this.#source.every_ms, this.#failures, wasRefused);
    const spentMs = this.#failures === 0 ? performance.now() - begunAt : 0;
    const leftMs = Math.max(waitMs - spentMs, 0);
    await this.#note({ next_look: formatInstant(this.#now() + leftMs) });
    if (!this.#stopping.signal.aborted) this.#timer = setTimeout(() => this.begin(), leftMs);
  }

  #now(): number {
    return this.#services.clock.now();
  }

  /** A record that cannot be written costs the health page a line; the looks go on. */
  async #note(
    change: Partial<SourceRecord> | ((record: SourceRecord) => Partial<SourceRecord>),
  ): Promise<void> {
    const feed = { ...this.#feed, source: this.#source };
    try {
      await noteInSourceRecord(this.#services.dataFolder, feed, (record) =>
        typeof change === 'function' ? change(record) : change,
      );
    } catch (fault) {
      const facts = { ...this.#facts(), error: reasonOf(fault, this.#source) };
      this.#services.log.debug(facts, 'how the look at the source went could not be noted');
    }
  }

  #tellSuccess({ landed, waits }: Findings): void {
    const facts = this.#facts();
    const { log } = this.#services;
    if (this.#failures > 0)
      log.info({ ...facts, failures: this.#failures }, 'source of the feed answers again');
    this.#failures = 0;
    if (waits !== undefined)
      log.info(
        { ...facts, file: visibleText(waits) },
        'an earlier file of that name still lies in the inbox',
      );
    else if (landed.length === 0) log.debug(facts, 'source of the feed has nothing new');
  }

  #tellLanded(name: string): void {
    this.#services.log.info({ ...this.#facts(), file: visibleText(name) }, 'file fetched into the inbox');
  }

  /** As a warning when it begins; the repetitions only for those who look closely. */
  #tellFailure(reason: string): void {
    const { log } = this.#services;
    const facts = { ...this.#facts(), error: reason };
    this.#failures += 1;
    if (this.#failures > 1) log.debug(facts, 'source of the feed still fails');
    else log.warn(facts, 'source of the feed fails; it is tried again, later each time');
  }

  #facts(): { feed: string; source: string } {
    return { feed: this.#feed.id, source: placeOf(this.#source) };
  }
}
