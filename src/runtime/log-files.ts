import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../model/clock.ts';
import { dayOf, lastNumber, logFileName, logFilesAmong } from './log-file-names.ts';

/** How much is kept, this file included. */
export interface LogCaps {
  maxFileBytes: number;
  maxFiles: number;
  maxTotalBytes: number;
  keepDays: number;
}

const DAY_MS = 86_400_000;
/** A folder that cannot be written is not asked at every line. */
const RETRY_MS = 10_000;

/**
 * Lines in a folder, a new file each day and whenever one is full; the oldest go when there are too many. A line is on
 * its way to the disk when the call returns, so that the last words before a crash are there, which no writer in a
 * thread of its own could promise. A line that cannot be written (disk full, folder gone) is lost and counted, and
 * nothing else happens: the bridge must go on.
 */
export class LogFiles {
  /** Others count from the next file on, and its size from the next line. */
  caps: LogCaps;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #maySayOld: () => boolean;
  #descriptor: number | undefined;
  #name = '';
  #dayEndsAt = 0;
  #bytes = 0;
  /** The last line may have been cut, so that the next one must begin on a line of its own. */
  #isCut = false;
  #retryAt = 0;
  #lost = 0;
  #fault: string | undefined;

  /** @param maySayOld false while the clock is not believed: then no file goes for its age */
  constructor(
    folder: string,
    caps: LogCaps,
    clock: Clock = systemClock,
    maySayOld: () => boolean = () => true,
  ) {
    this.#folder = folder;
    this.caps = caps;
    this.#clock = clock;
    this.#maySayOld = maySayOld;
    this.#open(clock.now());
  }

  /** The file that is written now, or would be. */
  get file(): string {
    return join(this.#folder, this.#name);
  }

  /** Lines that could not be written. */
  get lostLines(): number {
    return this.#lost;
  }

  /** Why the last line was lost; undefined when it was written. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** @param lines one or more, each with its line break; they stay together in one file. */
  write(lines: string): void {
    const now = this.#clock.now();
    if (this.#needsFile(now, lines.length)) this.#open(now);
    if (this.#descriptor === undefined) {
      this.#lost += countLines(lines);
      return;
    }
    try {
      const bytes = Buffer.from(this.#isCut ? `\n${lines}` : lines);
      const written = writeSync(this.#descriptor, bytes);
      this.#bytes += written;
      this.#isCut = written < bytes.length;
      this.#fault = undefined;
      if (this.#isCut) this.#lost += countLines(bytes.toString('latin1', written));
    } catch (fault) {
      this.#lost += countLines(lines);
      this.#isCut = this.#bytes > 0;
      this.#fault = codeOf(fault);
    }
  }

  /** Whether the open file has seen its day or its size, or it is time to try again to have one. */
  #needsFile(now: number, lineLength: number): boolean {
    if (this.#descriptor === undefined) return now >= this.#retryAt || now < this.#retryAt - RETRY_MS;
    const isFull = this.#bytes > 0 && this.#bytes + lineLength > this.caps.maxFileBytes;
    // The last part: a clock that was set back by days.
    return isFull || now >= this.#dayEndsAt || now < this.#dayEndsAt - 2 * DAY_MS;
  }

  #open(now: number): void {
    const isDone = this.#descriptor !== undefined;
    this.#close();
    this.#retryAt = now + RETRY_MS;
    const day = dayOf(now);
    this.#dayEndsAt = nextMidnight(now);
    try {
      mkdirSync(this.#folder, { recursive: true });
      const names = readdirSync(this.#folder);
      const number = Math.max(1, lastNumber(names, day));
      const last = logFileName(day, number);
      // One that has no room for the next line is done, too, though smaller than it may be.
      if (!isDone || last !== this.#name) this.#openFile(last);
      if (this.#descriptor === undefined || this.#bytes >= this.caps.maxFileBytes)
        this.#openFile(logFileName(day, number + 1));
      this.#isCut = false;
      this.#clean(names, now);
      this.#fault = undefined;
    } catch (fault) {
      this.#name ||= logFileName(day, 1);
      this.#close();
      this.#fault = codeOf(fault);
    }
  }

  #openFile(name: string): void {
    this.#close();
    this.#name = name;
    this.#descriptor = openSync(this.file, 'a');
    this.#bytes = fstatSync(this.#descriptor).size;
  }

  #close(): void {
    if (this.#descriptor === undefined) return;
    try {
      closeSync(this.#descriptor);
    } catch {
      // It loses nothing: every line was written before.
    }
    this.#descriptor = undefined;
  }

  /** Takes the oldest files away until the rest is within the caps, as if the open one were full already. */
  #clean(names: readonly string[], now: number): void {
    const { maxFiles, maxFileBytes, maxTotalBytes, keepDays } = this.caps;
    const old = logFilesAmong(names).filter((name) => name !== this.#name);
    let bytes = maxFileBytes;
    for (const [index, name] of old.reverse().entries()) {
      const file = join(this.#folder, name);
      try {
        const { size, mtimeMs } = statSync(file);
        bytes += size;
        const isOld = now - mtimeMs > keepDays * DAY_MS && this.#maySayOld();
        if (isOld || index + 2 > maxFiles || bytes > maxTotalBytes) unlinkSync(file);
      } catch {
        // A virus scanner or a person reads it: it goes with the next new file.
      }
    }
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

function nextMidnight(time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}

function codeOf(fault: unknown): string {
  return (fault as NodeJS.ErrnoException).code ?? 'unknown fault';
}
