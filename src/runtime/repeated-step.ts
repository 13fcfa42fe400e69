/**
 * A step that is done at intervals and whenever somebody asks, never twice at once: who asks while it runs gets
 * one more run after it, together with everybody else who asks meanwhile.
 */
export class RepeatedStep {
  readonly #step: () => Promise<void>;
  readonly #onFault: (fault: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #last: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  /** A step that fails is told to `onFault` and done again at its time. */
  constructor(step: () => Promise<void>, everyMs: number, onFault: (fault: unknown) => void) {
    this.#step = step;
    this.#onFault = onFault;
    this.#timer = setInterval(() => void this.now(), everyMs);
  }

  /** Resolves when a run that began after this call has ended. */
  now(): Promise<void> {
    this.#waiting ??= this.#queue();
    return this.#waiting;
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#last;
  }

  #queue(): Promise<void> {
    const run = this.#last.then(async () => {
      this.#waiting = undefined;
      await this.#step();
    });
    this.#last = run.catch(this.#onFault);
    return this.#last;
  }
}
