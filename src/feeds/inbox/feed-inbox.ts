import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { FeedConfig } from '../../config/config.ts';
import { formatInstant } from '../../model/clock.ts';
import { ingestFile } from '../ingest.ts';
import type { IngestServices } from '../ingest-services.ts';
import { takeBackGrownFiles } from './grown-files.ts';
import { Leftovers } from './leftovers.ts';
import { errorCode } from '../../files/patience.ts';
import { copyWhole } from './move-file.ts';
import { notice, type NoticedFile } from './notice.ts';
import { placesOf } from './places.ts';
import type { RunListener, RunReport } from '../reporting/report.ts';
import { SettleWatch } from './settle.ts';
import { visibleText } from '../reporting/visible-text.ts';

/** A settled file that looks like half of one is given so much more time before it is believed. */
const PATIENCE_IN_WAITING_TIMES = 5;

/** An inbox folder that cannot be looked into: a share that is gone, a right that is missing. */
export interface UnreachableInbox {
  feedId: string;
  folder: string;
  /** RFC 3339. */
  since: string;
  /** Node's code of the failed system call, such as ENOENT. */
  code: string;
}

/** The inbox folder of one feed. One look at a time: the caller never calls `scan` twice at once. */
export class FeedInbox {
  readonly #feed: FeedConfig;
  readonly #services: IngestServices;
  readonly #noFurther: AbortSignal | undefined;
  readonly #leftovers: Leftovers;
  readonly #settle: SettleWatch;
  readonly #told = new Set<string>();
  #unreachable: UnreachableInbox | undefined;

  /** @param noFurther ends the look after the running file; `services.signal` breaks that off. */
  constructor(feed: FeedConfig, services: IngestServices, noFurther = services.signal) {
    this.#feed = feed;
    this.#services = services;
    this.#noFurther = noFurther;
    this.#leftovers = new Leftovers(feed, services, noFurther);
    this.#settle = new SettleWatch(feed.settle_ms);
  }

  /** What is wrong with the folder, as of the last look. */
  get unreachable(): UnreachableInbox | undefined {
    return this.#unreachable;
  }

  /** Makes the folders, and lays the sample out when the feed has never brought anything. */
  async open(): Promise<void> {
    const { sample, id, folder } = this.#feed;
    // A folder that cannot be made, on a share that is away, is told by the first look.
    await mkdir(folder, { recursive: true }).catch(() => undefined);
    await mkdir(placesOf(this.#services.dataFolder, id).work, { recursive: true });
    if (sample === undefined) return;
    const runs = await this.#services.intake.listRuns({ feedId: id, limit: 1 });
    if (runs.length === 0) await copyWhole(sample, path.join(folder, path.basename(sample)));
  }

  /**
   * Takes in what an earlier stop left in the work folder, then every settled file, oldest first. Returns the
   * milliseconds until a file that is not ready yet is worth another look.
   */
  async scan(onRun: RunListener): Promise<number | undefined> {
    const leftoverWaitMs = await this.#leftovers.takeAll(onRun);
    // Older snapshots first, or an old one would one day undo a new one.
    if (leftoverWaitMs !== undefined) return leftoverWaitMs;
    await takeBackGrownFiles(this.#feed, this.#services);
    const files = await this.#noticed();
    this.#settle.keepOnly(files);
    let nextLookMs: number | undefined;
    for (const file of files) {
      if (this.#noFurther?.aborted === true) return undefined;
      let waitMs = this.#settle.look(file, this.#services.clock.now());
      if (waitMs === 0) {
        const taken = await this.#take(file, onRun);
        if (taken === 'broke off') return this.#leftovers.firstWaitMs;
        if (taken === 'taken') this.#settle.forget(file.name);
        else waitMs = this.#settle.postpone(file.name, this.#services.clock.now());
      }
      if (waitMs > 0) nextLookMs = Math.min(nextLookMs ?? waitMs, waitMs);
    }
    return nextLookMs;
  }

  async #take(file: NoticedFile, onRun: RunListener): Promise<'taken' | 'not ready' | 'broke off'> {
    let report: RunReport | undefined;
    try {
      const mayStillGrow = this.#mayStillGrow(file);
      report = await ingestFile(file.path, this.#feed, this.#services, { mayStillGrow });
    } catch (error) {
      this.#leftovers.tellBrokenOff(file.name, error);
      return 'broke off';
    }
    if (report === undefined) return 'not ready';
    await onRun(report);
    return 'taken';
  }

  /** A marker says that the file is whole; without one an uploader may only be pausing. */
  #mayStillGrow({ name }: NoticedFile): boolean {
    if (this.#feed.done_marker !== undefined) return false;
    const quietMs = this.#settle.quietMs(name, this.#services.clock.now());
    return quietMs < PATIENCE_IN_WAITING_TIMES * this.#feed.settle_ms;
  }

  async #noticed(): Promise<NoticedFile[]> {
    const { id, folder, files, done_marker: doneMarker } = this.#feed;
    const { log } = this.#services;
    try {
      // What cannot be moved out of the inbox cannot be taken in.
      await access(folder, constants.R_OK | constants.W_OK);
      const noticed = await notice(folder, { files, ...(doneMarker === undefined ? {} : { doneMarker }) });
      if (this.#unreachable !== undefined) log.info({ feed: id, folder }, 'inbox folder is there again');
      this.#unreachable = undefined;
      this.#tellLeftAlone(noticed.leftAlone);
      return noticed.files;
    } catch (error) {
      const code = errorCode(error);
      if (this.#unreachable === undefined)
        log.warn(
          { feed: id, folder, code },
          'inbox folder cannot be read and changed; it is tried at every look',
        );
      const since = this.#unreachable?.since ?? formatInstant(this.#services.clock.now());
      this.#unreachable = { feedId: id, folder, since, code };
      return [];
    }
  }

  /** Once a file, not once a minute. */
  #tellLeftAlone(leftAlone: readonly { name: string; reason: string }[]): void {
    const names = new Set(leftAlone.map(({ name }) => name));
    for (const name of this.#told) if (!names.has(name)) this.#told.delete(name);
    for (const { name, reason } of leftAlone) {
      if (this.#told.has(name)) continue;
      this.#told.add(name);
      const facts = { feed: this.#feed.id, file: visibleText(name) };
      this.#services.log.warn(facts, `file in the inbox is left alone: ${reason}`);
    }
  }
}
