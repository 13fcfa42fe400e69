import { randomBytes } from 'node:crypto';
import { disk } from '../../files/patient-files.ts';
import { lstat, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FeedConfig } from '../../config/config.ts';
import type { Clock } from '../../model/clock.ts';
import { safeFileName } from '../inbox/file-name.ts';
import { moveFile } from '../inbox/move-file.ts';
import { globMatcher, isListOfRejects, isPassedOver } from '../inbox/notice.ts';
import type { SourceLimits } from '../limits.ts';
import { visibleText } from '../reporting/visible-text.ts';
import { ReceivingFile } from './receiving-file.ts';
import { SourceFault } from './source-fault.ts';

/** A whole file that has been fetched and waits to get its name. */
export interface Received {
  bytes: number;
  /** SHA-256 in hex. */
  digest: string;
}

export interface LandingServices {
  /** Absolute. */
  dataFolder: string;
  clock: Clock;
  /** Called with the name under which a file has landed, at once. */
  onLanded?: ((name: string) => void) | undefined;
}

/**
 * Where a feed's downloads come down: beside the inbox until they are whole, then in it under their name. Each
 * landing has an unfinished file of its own, since `feed fetch` may look while the bridge does.
 */
export class Landing {
  readonly #feed: FeedConfig;
  readonly #limits: SourceLimits;
  readonly #services: LandingServices;
  readonly #folder: string;
  readonly #unfinished: string;

  constructor(feed: FeedConfig, limits: SourceLimits, services: LandingServices) {
    this.#feed = feed;
    this.#limits = limits;
    this.#services = services;
    this.#folder = path.join(services.dataFolder, 'sources');
    this.#unfinished = path.join(this.#folder, `${feed.id}.${randomBytes(4).toString('hex')}.download`);
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#services.clock.now();
  }

  /** Throws where the inbox would never take the file: it would lie there, and keep the next one out. */
  checkName(remoteName: string): void {
    const name = path.basename(this.#inboxPath(remoteName));
    const { files } = this.#feed;
    if (!globMatcher(files)(name)) {
      throw new SourceFault(
        `the inbox would leave ${visibleText(name)} alone: "files" of the feed is ${files}`,
      );
    }
    if (isListOfRejects(name)) {
      throw new SourceFault(`${visibleText(name)} is called like a list of refused rows, which is no export`);
    }
  }

  /** Fetches one file; the one before it must be landed or discarded. Throws what `fetch` throws. */
  async receive(fetch: (into: ReceivingFile) => Promise<unknown>): Promise<Received> {
    await mkdir(this.#folder, { recursive: true });
    await this.#sweep();
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
    await disk.remove(this.#unfinished);
  }

  /** True while an earlier file of that name has not been taken in: landing another would undo it. */
  async isTaken(remoteName: string): Promise<boolean> {
    return exists(this.#inboxPath(remoteName));
  }

  /** Puts what was received into the inbox. `modifiedAt` in milliseconds since 1970, as the server says. */
  async land(remoteName: string, modifiedAt: number | undefined): Promise<string> {
    const target = this.#inboxPath(remoteName);
    await mkdir(this.#feed.folder, { recursive: true });
    const now = this.now();
    const seconds = Math.min(modifiedAt ?? now, now) / 1000;
    await utimes(this.#unfinished, seconds, seconds);
    await moveFile(this.#unfinished, target);
    // Whoever asks for a marker waits for a whole file, and this one is.
    const { done_marker: marker } = this.#feed;
    if (marker !== undefined) await writeFile(`${target}${marker}`, '');
    const name = path.basename(target);
    this.#services.onLanded?.(name);
    return name;
  }

  #inboxPath(remoteName: string): string {
    const name = safeFileName(remoteName);
    return path.join(this.#feed.folder, isPassedOver(name) ? `${this.#feed.id}-${name}.feed` : name);
  }

  /** Downloads of a program that was killed in the middle; a look that still runs is younger. */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const id = /^(.*)\.[0-9a-f]{8}\.download$/.exec(name)?.[1];
      if (id !== this.#feed.id) continue;
      const file = path.join(this.#folder, name);
      const { ctimeMs } = await lstat(file).catch(() => ({ ctimeMs: Infinity }));
      if (Date.now() - ctimeMs > this.#limits.lookMs) await disk.remove(file);
    }
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
