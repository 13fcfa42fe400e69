import type { Clock } from '../../model/clock.ts';
import type { Log } from '../../model/log.ts';
import { visibleText } from './visible-text.ts';

/** How far a file has been read. */
export interface Progress {
  feedId: string;
  fileName: string;
  rows: number;
  /** Since the first one, rounded. */
  rowsPerSecond: number;
  /** Of the bytes of the file as it came, packed or not; 0 to 100. */
  percent: number;
}

/** Who hears of the progress of a long run, and how often. */
export interface ProgressTeller {
  everyMs: number;
  tell(progress: Progress): void;
}

/** A file that is done sooner is not worth a word. */
const FIRST_WORD_MS = 5000;
const LOG_EVERY_MS = 10_000;

export interface ProgressSubject {
  feedId: string;
  fileName: string;
  /** As it came. */
  bytes: number;
}

/** Counts what is read of a file. The clock is asked once a piece of some hundred kilobytes, never once a row. */
export class ProgressMeter {
  readonly #subject: ProgressSubject;
  readonly #clock: Clock;
  readonly #teller: ProgressTeller;
  #rows: (() => number) | undefined;
  #startedAt = 0;
  #nextWordAt = 0;
  #bytes = 0;

  constructor(subject: ProgressSubject, clock: Clock, teller: ProgressTeller) {
    this.#subject = subject;
    this.#clock = clock;
    this.#teller = teller;
  }

  /** From now on what is read is rows; before, the file was only looked through. */
  begin(rows: () => number): void {
    this.#rows = rows;
    this.#bytes = 0;
    this.#startedAt = this.#clock.now();
    this.#nextWordAt = this.#startedAt + FIRST_WORD_MS;
  }

  read(bytes: number): void {
    if (this.#rows === undefined) return;
    this.#bytes += bytes;
    const now = this.#clock.now();
    if (now < this.#nextWordAt) return;
    this.#nextWordAt = now + this.#teller.everyMs;
    const { feedId, fileName, bytes: all } = this.#subject;
    const rows = this.#rows();
    const seconds = (now - this.#startedAt) / 1000;
    const percent = Math.min(Math.floor((100 * this.#bytes) / Math.max(all, 1)), 100);
    this.#teller.tell({ feedId, fileName, rows, rowsPerSecond: Math.round(rows / seconds), percent });
  }
}

export function progressToLog(log: Log): ProgressTeller {
  return {
    everyMs: LOG_EVERY_MS,
    tell: ({ feedId, fileName, rows, rowsPerSecond, percent }) => {
      const file = visibleText(fileName);
      log.info({ feed: feedId, file, rows, rows_per_s: rowsPerSecond, percent }, 'feed run goes on');
    },
  };
}
