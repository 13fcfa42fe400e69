import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../model/clock.ts';
import { type ClockDoubt, type ClockMemory, judgeClock, maySayOld } from '../model/clock-doubt.ts';

const BEAT_MS = 10 * 60_000;

/** Time since some moment, which no setting of the clock changes. ms. */
export type SteadyClock = () => number;

/**
 * Remembers in `<data>/clock.json` when the bridge last ran, so that a clock that has jumped meanwhile is noticed before
 * customers and logs are taken away for an age that they do not have.
 */
export class ClockWatch {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #steady: SteadyClock;
  #memory: ClockMemory | undefined;
  #steadyAt: number;
  #timer: NodeJS.Timeout | undefined;
  #fault: string | undefined;

  /** Only reads: whoever watches beside a running bridge writes nothing. */
  constructor(dataFolder: string, clock: Clock, steady: SteadyClock = () => performance.now()) {
    this.#file = join(dataFolder, 'clock.json');
    this.#clock = clock;
    this.#steady = steady;
    this.#steadyAt = steady();
    const remembered = readMemory(this.#file);
    if (remembered !== undefined) this.#memory = judgeClock(remembered, clock.now(), 0);
  }

  /**
   * @param lastKnown the latest time in the databases, which counts where nothing is remembered: after an upgrade, and
   * after a backup was restored on a new machine
   */
  begin(lastKnown: number | undefined): void {
    const now = this.#clock.now();
    this.#memory ??= judgeClock({ seenAt: lastKnown ?? now }, now, 0);
  }

  /** From here on the time is kept in mind, now and every few minutes. Returns what ends it. */
  start(): () => void {
    this.look();
    this.#timer = setInterval(() => this.look(), BEAT_MS);
    this.#timer.unref();
    return () => {
      clearInterval(this.#timer);
      this.look();
    };
  }

  /** Judges the clock anew and writes it down. */
  look(): void {
    const now = this.#clock.now();
    const steadyAt = this.#steady();
    this.#memory = judgeClock(this.#memory ?? { seenAt: now }, now, Math.max(0, steadyAt - this.#steadyAt));
    this.#steadyAt = steadyAt;
    try {
      writeFileSync(`${this.#file}.part`, `${JSON.stringify(this.#memory)}\n`);
      renameSync(`${this.#file}.part`, this.#file);
      this.#fault = undefined;
    } catch (fault) {
      // The next look writes it; until then a restart remembers a little less.
      this.#fault = (fault as NodeJS.ErrnoException).code ?? String(fault);
    }
  }

  /** False while nobody knows whether what looks old is old. */
  get maySayOld(): boolean {
    return this.#memory !== undefined && maySayOld(this.#memory);
  }

  get doubt(): ClockDoubt | undefined {
    return this.#memory?.doubt;
  }

  /** Why it could not be written down. */
  get fault(): string | undefined {
    return this.#fault;
  }
}

/** Undefined when there is none, or one that a crash or a person has spoiled. */
function readMemory(file: string): ClockMemory | undefined {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Partial<ClockMemory> | null;
    if (typeof read?.seenAt !== 'number' || !Number.isFinite(read.seenAt)) return undefined;
    const { seenAt, doubt } = read;
    return doubt !== undefined && isDoubt(doubt) ? { seenAt, doubt } : { seenAt };
  } catch {
    return undefined;
  }
}

function isDoubt({ kind, from, to, steadyMs }: Partial<Record<keyof ClockDoubt, unknown>>): boolean {
  const areTimes = [from, to, steadyMs].every((time) => typeof time === 'number' && Number.isFinite(time));
  return areTimes && (kind === 'ahead' || kind === 'back');
}
