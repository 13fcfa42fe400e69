import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { FeedConfig } from '../../config/config.ts';
import { claimLeftover } from './claim.ts';
import { giveUp, ingestClaimed } from '../ingest.ts';
import type { IngestServices } from '../ingest-services.ts';
import { errorCode } from '../../files/patience.ts';
import { isPassedOver } from './notice.ts';
import { placesOf } from './places.ts';
import type { RunListener, RunReport } from '../reporting/report.ts';
import { visibleText } from '../reporting/visible-text.ts';

/** A run that breaks off each time (a full disk, a bug) is tried so often, then refused with a report. */
const TRIES = 3;
const FIRST_WAIT_MS = 60_000;

/** Files in the work folder of a feed: claimed once, and not finished when the bridge stopped or a run broke off. */
export class Leftovers {
  readonly firstWaitMs = FIRST_WAIT_MS;
  readonly #feed: FeedConfig;
  readonly #services: IngestServices;
  readonly #noFurther: AbortSignal | undefined;
  readonly #folder: string;
  readonly #broken = new Map<string, { tries: number; notBefore: number }>();

  constructor(feed: FeedConfig, services: IngestServices, noFurther = services.signal) {
    this.#feed = feed;
    this.#services = services;
    this.#noFurther = noFurther;
    this.#folder = placesOf(services.dataFolder, feed.id).work;
  }

  /** Oldest first. Returns how long to wait when one is left over still, in milliseconds. */
  async takeAll(onRun: RunListener): Promise<number | undefined> {
    for (const name of await this.#names()) {
      if (this.#noFurther?.aborted === true) return undefined;
      const waitMs = (this.#broken.get(name)?.notBefore ?? 0) - this.#services.clock.now();
      if (waitMs > 0) return waitMs;
      const facts = { feed: this.#feed.id, file: visibleText(name) };
      this.#services.log.info(facts, 'an unfinished file is taken in again');
      try {
        const report = await this.#take(name);
        this.#broken.delete(name);
        if (report !== undefined) await onRun(report);
      } catch (error) {
        this.tellBrokenOff(name, error);
        return this.#postpone(name);
      }
    }
    return undefined;
  }

  tellBrokenOff(name: string, error: unknown): void {
    if (this.#services.signal?.aborted === true) return;
    const reason = error instanceof Error ? error.message : String(error);
    const facts = { feed: this.#feed.id, file: visibleText(name), error: reason };
    this.#services.log.error(
      facts,
      'run broke off; the lot is unchanged and the file waits in the work folder',
    );
  }

  async #take(name: string): Promise<RunReport | undefined> {
    const claimed = claimLeftover(path.join(this.#folder, name), this.#feed);
    const tries = this.#broken.get(name)?.tries ?? 0;
    if (tries >= TRIES) return giveUp(claimed, this.#feed, this.#services);
    return ingestClaimed(claimed, this.#feed, this.#services, { again: true });
  }

  #postpone(name: string): number {
    const tries = (this.#broken.get(name)?.tries ?? 0) + 1;
    const waitMs = FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 6);
    this.#broken.set(name, { tries, notBefore: this.#services.clock.now() + waitMs });
    return waitMs;
  }

  async #names(): Promise<string[]> {
    try {
      const entries = await readdir(this.#folder, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && !isPassedOver(entry.name))
        .map((entry) => entry.name)
        .sort();
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }
}
