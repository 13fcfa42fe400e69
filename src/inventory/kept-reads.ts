/**
 * What was read from the inventory lately, by what it was asked for, as long as nobody has written there: every car is
 * read from the file once and not with each page it stands on. When there is no more room, what was read first goes.
 */
export class KeptReads<Key, Value> {
  readonly #version: () => number;
  readonly #mostCharacters: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #kept = new Map<Key, Value>();
  #ofVersion = Number.NaN;
  #isChecked = false;
  #characters = 0;

  /**
   * @param version another number when the file has been written: by other connections alone, so that this is for
   * connections that only read.
   * @param mostCharacters of all together; most are plain ASCII, which takes a byte a character
   * @param sizeOf in characters
   */
  constructor(version: () => number, mostCharacters: number, sizeOf: (value: Value) => number) {
    this.#version = version;
    this.#mostCharacters = mostCharacters;
    this.#sizeOf = sizeOf;
  }

  /**
   * To be called before the values of one answer are asked for: forgets them all when they may be old. What was written
   * during this turn of the event loop counts from the next one on, as asking takes a tenth of a page's time.
   */
  refresh(): void {
    if (this.#isChecked) return;
    this.#isChecked = true;
    setImmediate(() => (this.#isChecked = false));
    const version = this.#version();
    if (version === this.#ofVersion) return;
    this.#ofVersion = version;
    this.#kept.clear();
    this.#characters = 0;
  }

  get(key: Key): Value | undefined {
    return this.#kept.get(key);
  }

  /** Of a key that is not known yet. */
  keep(key: Key, value: Value): void {
    this.#kept.set(key, value);
    this.#characters += this.#sizeOf(value);
    for (const [oldest, old] of this.#kept) {
      if (this.#characters <= this.#mostCharacters) return;
      this.#kept.delete(oldest);
      this.#characters -= this.#sizeOf(old);
    }
  }
}
