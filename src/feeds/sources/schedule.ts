import type { FeedConfig, SourceConfig } from '../../config/config.ts';
import type { Log } from '../../model/log.ts';
import { visibleText } from '../reporting/visible-text.ts';
import { lookAtSource, type SourceServices } from './look-at-source.ts';
import { SourceFault } from './source-fault.ts';

export interface SourceWatch {
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
  services: SourceServices & { log: Log },
  { onLanded = () => undefined, waitMs = waitBeforeNextLook }: SourceWatchOptions = {},
): SourceWatch {
  const loops = feeds.flatMap((feed) =>
    feed.source === undefined ? [] : [new SourceLoop(feed, feed.source, services, { onLanded, waitMs })],
  );
  for (const loop of loops) loop.begin();
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
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
  readonly #services: SourceServices & { log: Log };
  readonly #options: Required<SourceWatchOptions>;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #failures = 0;

  constructor(
    feed: FeedConfig,
    source: SourceConfig,
    services: SourceServices & { log: Log },
    options: Required<SourceWatchOptions>,
  ) {
    this.#feed = feed;
    this.#source = source;
    this.#services = services;
    this.#options = options;
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
    let wasRefused = false;
    try {
      const landed = await lookAtSource(this.#feed, this.#source, this.#services, this.#stopping.signal);
      this.#tellSuccess(landed);
      if (landed.length > 0) this.#options.onLanded();
    } catch (fault) {
      if (this.#stopping.signal.aborted) return;
      wasRefused = fault instanceof SourceFault && fault.isRefusal;
      this.#tellFailure(fault);
    }
    if (this.#stopping.signal.aborted) return;
    const waitMs = this.#options.waitMs(this.#source.every_ms, this.#failures, wasRefused);
    const spentMs = this.#failures === 0 ? performance.now() - begunAt : 0;
    this.#timer = setTimeout(() => this.begin(), Math.max(waitMs - spentMs, 0));
  }

  #tellSuccess(landed: readonly string[]): void {
    const facts = this.#facts();
    const { log } = this.#services;
    if (this.#failures > 0)
      log.info({ ...facts, failures: this.#failures }, 'source of the feed answers again');
    this.#failures = 0;
    for (const name of landed) log.info({ ...facts, file: visibleText(name) }, 'file fetched into the inbox');
    if (landed.length === 0) log.debug(facts, 'source of the feed has nothing new');
  }

  /** As a warning when it begins; the repetitions only for those who look closely. */
  #tellFailure(fault: unknown): void {
    const { log } = this.#services;
    const facts = { ...this.#facts(), error: visibleText(reasonOf(fault)) };
    this.#failures += 1;
    if (this.#failures > 1) log.debug(facts, 'source of the feed still fails');
    else log.warn(facts, 'source of the feed fails; it is tried again, later each time');
  }

  #facts(): { feed: string; source: string } {
    return { feed: this.#feed.id, source: placeOf(this.#source) };
  }
}

/** For the log: without user, and without the query of an address, which may hold a token. */
function placeOf(source: SourceConfig): string {
  if (source.kind !== 'http') return `${source.kind}://${source.host}:${source.port}`;
  const { origin, pathname } = new URL(source.url);
  return `${origin}${pathname}`;
}

function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  // Failed connections to several addresses of a host come as a bundle without words.
  if (fault.message !== '') return fault.message;
  return 'code' in fault && typeof fault.code === 'string' ? fault.code : fault.name;
}
