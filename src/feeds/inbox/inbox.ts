import { watch, type FSWatcher } from 'chokidar';
import type { FeedConfig } from '../../config/config.ts';
import { FeedInbox, type UnreachableInbox } from './feed-inbox.ts';
import type { IngestServices } from '../ingest-services.ts';
import type { RunListener, RunReport } from '../reporting/report.ts';

export interface InboxWatch {
  /** Looks into every inbox now; resolves when what had settled is taken in. */
  scanNow(): Promise<void>;
  /**
   * Resolves once everything that lay in the inboxes at start, samples included, is taken in or refused; a file
   * that keeps growing is not waited for.
   */
  readonly firstRound: Promise<void>;
  /** Breaks a running file off (it is taken in again at the next start) and resolves when nothing runs any more. */
  stop(): Promise<void>;
  /** Begins no further file and resolves when the running one is taken in, or was broken off by `stop` after all. */
  finish(): Promise<void>;
}

export interface InboxOptions {
  /** Called after each finished run, before the next file is begun. */
  onRun?: RunListener;
  /** Called when a folder has become unreachable or is there again, with those that are unreachable now. */
  onReach?: (unreachable: UnreachableInbox[]) => void;
  /** Default: as the most impatient of the feeds wants it. */
  rescanMs?: number;
}

const RESCAN_SECONDS = 60;

/** After a run: most uploaders that went on writing into the file have done so by then (grown-files.ts). */
const LATE_LOOK_MS = 5000;

/**
 * Watches the inbox folders of all feeds. The rescan is the truth: watchers miss events on network shares and
 * announce half files, so an event only brings the next look forward. Files are taken in one at a time.
 */
export function watchInboxes(
  feeds: readonly FeedConfig[],
  services: Omit<IngestServices, 'signal'>,
  options: InboxOptions = {},
): InboxWatch {
  const stopping = new AbortController();
  /** Also breaks the running file off. */
  const breaking = new AbortController();
  const inboxes = feeds.map(
    (feed) => new FeedInbox(feed, { ...services, signal: breaking.signal }, stopping.signal),
  );
  const firstRound = Promise.withResolvers<undefined>();
  const firstRoundEndsAt =
    services.clock.now() + 2 * Math.max(0, ...feeds.map((feed) => feed.settle_ms)) + 1000;
  let soon: NodeJS.Timeout | undefined;
  let late: NodeJS.Timeout | undefined;
  let unreachable: string | undefined;
  const rescanMs = options.rescanMs ?? shortestRescanMs(feeds);
  let queued: Promise<void> | undefined;
  let last = openAll();

  /** A look that has not begun yet serves everyone who asks for one meanwhile. */
  function scanNow(): Promise<void> {
    if (queued === undefined) {
      queued = last.then(async () => {
        queued = undefined;
        await scanAll();
      });
      last = queued;
    }
    return queued;
  }

  async function openAll(): Promise<void> {
    for (const inbox of inboxes) await told(() => inbox.open());
  }

  async function scanAll(): Promise<void> {
    clearTimeout(soon);
    const waitsMs: number[] = [];
    for (const inbox of inboxes) {
      if (stopping.signal.aborted) break;
      const waitMs = await told(() => inbox.scan(onRun));
      if (waitMs !== undefined) waitsMs.push(waitMs);
    }
    tellReach();
    const nothingSettles = waitsMs.length === 0 || services.clock.now() >= firstRoundEndsAt;
    if (nothingSettles || stopping.signal.aborted) firstRound.resolve(undefined);
    if (waitsMs.length > 0 && !stopping.signal.aborted) {
      soon = setTimeout(() => void scanNow(), Math.min(...waitsMs, rescanMs));
    }
  }

  function tellReach(): void {
    const found = inboxes.flatMap((inbox) => inbox.unreachable ?? []);
    const text = JSON.stringify(found);
    if (text !== unreachable) options.onReach?.(found);
    unreachable = text;
  }

  async function onRun(report: RunReport): Promise<void> {
    clearTimeout(late);
    late = setTimeout(() => void scanNow(), LATE_LOOK_MS);
    await told(async () => options.onRun?.(report));
  }

  /** What goes wrong in one inbox, or after a run, must not stop the others. */
  async function told<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      services.log.error({ error: reasonOf(error) }, 'looking into an inbox failed; it is tried again');
      return undefined;
    }
  }

  const rescan = setInterval(() => void scanNow(), rescanMs);
  const watcher = last.then(() => watchFolders(feeds, services, () => void scanNow()));
  void scanNow();

  return {
    scanNow,
    firstRound: firstRound.promise,
    stop: () => {
      breaking.abort();
      return finish();
    },
    finish,
  };

  async function finish(): Promise<void> {
    stopping.abort();
    clearInterval(rescan);
    await (await watcher)?.close();
    await last;
    clearTimeout(soon);
    clearTimeout(late);
    firstRound.resolve(undefined);
  }
}

function shortestRescanMs(feeds: readonly FeedConfig[]): number {
  const seconds = feeds.map(({ rescan_seconds: own = RESCAN_SECONDS }) => own);
  return 1000 * Math.min(RESCAN_SECONDS, ...seconds);
}

/** A watcher that fails costs the time until the next look, nothing else. */
function watchFolders(
  feeds: readonly FeedConfig[],
  services: Pick<IngestServices, 'log'>,
  onEvent: () => void,
): FSWatcher | undefined {
  const tell = (error: unknown): void => {
    services.log.warn(
      { error: reasonOf(error) },
      'file events fail; the inboxes are looked into all the same, only later',
    );
  };
  try {
    const folders = feeds.map((feed) => feed.folder);
    return watch(folders, { depth: 0, ignoreInitial: true, followSymlinks: false })
      .on('all', onEvent)
      .on('error', tell);
  } catch (error) {
    tell(error);
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
