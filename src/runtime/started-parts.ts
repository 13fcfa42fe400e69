/**
 * The parts of the bridge that have been started. They end in the opposite order: at the end, and when a later
 * part does not start.
 */
export class StartedParts {
  readonly #endings: (() => unknown)[] = [];

  add(end: () => unknown): void {
    this.#endings.push(end);
  }

  /** Every part is ended, whatever becomes of the others; the first fault is thrown afterwards. */
  async end(): Promise<void> {
    const faults: unknown[] = [];
    for (const end of this.#endings.splice(0).reverse()) {
      try {
        await end();
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}
