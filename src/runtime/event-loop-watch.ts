import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 50;
const WINDOW_MS = 60_000;

interface LoopDelay {
  /** 99 of 100 things that were due have begun within so many milliseconds. */
  p99Ms: number;
  maxMs: number;
}

/** How late things begin that are due: what a file, a big answer or a sleeping machine makes everybody wait for. */
export class EventLoopWatch {
  readonly #monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #timer: NodeJS.Timeout;
  #before: LoopDelay = { p99Ms: 0, maxMs: 0 };

  constructor() {
    this.#monitor.enable();
    this.#timer = setInterval(() => {
      this.#before = this.#now();
      this.#monitor.reset();
    }, WINDOW_MS);
    this.#timer.unref();
  }

  /** The worse of this minute and the one before. */
  get delay(): LoopDelay {
    const now = this.#now();
    return {
      p99Ms: Math.max(now.p99Ms, this.#before.p99Ms),
      maxMs: Math.max(now.maxMs, this.#before.maxMs),
    };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#monitor.disable();
  }

  #now(): LoopDelay {
    return { p99Ms: lateness(this.#monitor.percentile(99)), maxMs: lateness(this.#monitor.max) };
  }
}

/** The monitor measures from look to look, in nanoseconds. */
function lateness(nanoseconds: number): number {
  return Math.max(0, Math.round(nanoseconds / 1e6 - RESOLUTION_MS));
}
