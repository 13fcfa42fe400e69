import type { Database } from 'better-sqlite3';

/**
 * One run's time with the staging tables, which all runs of a connection share: from its beginning until it is applied
 * or discarded. `ended` is called once, when the tables are empty again.
 */
export class StagingTurn {
  readonly #database: Database;
  readonly #runId: string;
  readonly #clear: string;
  readonly #ended: () => void;
  #isOpen = true;

  /** @param clear SQL that empties the tables, here for what a run that broke off has left. */
  constructor(database: Database, runId: string, clear: string, ended: () => void) {
    this.#database = database;
    this.#runId = runId;
    this.#clear = clear;
    this.#ended = ended;
    database.exec(clear);
  }

  /** Runs one step whole or not at all; a fault becomes a rejection. */
  work<T>(step: () => T, begin: 'deferred' | 'immediate' = 'deferred'): Promise<T> {
    return new Promise((resolve) => {
      if (!this.#isOpen) throw new Error(`Run ${this.#runId} has been applied or discarded`);
      resolve(this.#database.transaction(step)[begin]());
    });
  }

  /** The last step. */
  async finish<T>(step: () => T): Promise<T> {
    const result = await this.work(step, 'immediate');
    this.end();
    return result;
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#database.exec(this.#clear);
    this.#ended();
  }
}
