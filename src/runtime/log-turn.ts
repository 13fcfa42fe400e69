/** So much at most waits for its turn to end. */
const MAX_CHARACTERS = 64 * 1024;

/**
 * Gathers the lines that come up in one turn of the event loop and hands them on together: under load a write of its
 * own costs as much as the call that the line tells of. Whoever writes what must not be lost calls `flush`.
 */
export class LogTurn {
  readonly #write: (lines: string) => void;
  #lines = '';

  constructor(write: (lines: string) => void) {
    this.#write = write;
  }

  add(line: string): void {
    if (this.#lines === '') setImmediate(() => this.flush());
    this.#lines += line;
    if (this.#lines.length > MAX_CHARACTERS) this.flush();
  }

  flush(): void {
    if (this.#lines === '') return;
    const lines = this.#lines;
    this.#lines = '';
    this.#write(lines);
  }
}
