import { lstat, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FeedConfig } from '../../config/config.ts';
import type { Clock } from '../../model/clock.ts';
import { safeFileName } from '../inbox/file-name.ts';
import { moveFile } from '../inbox/move-file.ts';
import { isPassedOver } from '../inbox/notice.ts';
import type { SourceLimits } from '../limits.ts';
import { ReceivingFile } from './receiving-file.ts';
import { SourceFault } from './source-fault.ts';

/** A whole file that has been fetched and waits to get its name. */
export interface Received {
  bytes: number;
  /** SHA-256 in hex. */
  digest: string;
}

/** Where a feed's downloads come down: beside the inbox until they are whole, then in it under their name. */
export class Landing {
  readonly #feed: FeedConfig;
  readonly #limits: SourceLimits;
  readonly #clock: Clock;
  readonly #unfinished: string;

  constructor(feed: FeedConfig, dataFolder: string, limits: SourceLimits, clock: Clock) {
    this.#feed = feed;
    this.#limits = limits;
    this.#clock = clock;
    this.#unfinished = path.join(dataFolder, 'sources', `${feed.id}.download`);
  }

  /** Fetches one file; the one before it must be landed or discarded. Throws what `fetch` throws. */
  async receive(fetch: (into: ReceivingFile) => Promise<unknown>): Promise<Received> {
    await mkdir(path.dirname(this.#unfinished), { recursive: true });
    const file = await ReceivingFile.open(this.#unfinished, this.#limits);
    try {
      await fetch(file);
      if (file.bytes === 0) throw new SourceFault('the file came empty');
      return { bytes: file.bytes, digest: file.digest() };
    } catch (fault) {
      file.destroy();
      await this.discard();
      // What the file itself had against the download says more than the stream that broke for it.
      throw file.errored instanceof SourceFault ? file.errored : fault;
    }
  }

  async discard(): Promise<void> {
    await rm(this.#unfinished, { force: true });
  }

  /** True while an earlier file of that name has not been taken in: landing another would undo it. */
  async isTaken(remoteName: string): Promise<boolean> {
    return exists(this.#inboxPath(remoteName));
  }

  /** Puts what was received into the inbox. `modifiedAt` in milliseconds since 1970, as the server says. */
  async land(remoteName: string, modifiedAt: number | undefined): Promise<string> {
    const target = this.#inboxPath(remoteName);
    await mkdir(this.#feed.folder, { recursive: true });
    const now = this.#clock.now();
    const seconds = Math.min(modifiedAt ?? now, now) / 1000;
    await utimes(this.#unfinished, seconds, seconds);
    await moveFile(this.#unfinished, target);
    // Whoever asks for a marker waits for a whole file, and this one is.
    const { done_marker: marker } = this.#feed;
    if (marker !== undefined) await writeFile(`${target}${marker}`, '');
    return path.basename(target);
  }

  #inboxPath(remoteName: string): string {
    const name = safeFileName(remoteName);
    return path.join(this.#feed.folder, isPassedOver(name) ? `${this.#feed.id}-${name}.feed` : name);
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch {
    return false;
  }
}
