/**
 * One text a row, each different text kept once: 4 bytes a row and the texts. What is worked out from a text (its
 * folded form, its place in an order) is then worked out once a text and not once a row.
 */
export class Spellings {
  readonly #numbers = new Map<string, number>();
  readonly #added = new GrowingNumbers();
  #arranged: Uint32Array | undefined;

  /** The next row's text. */
  add(text: string): void {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(text, number);
    }
    this.#added.push(number);
  }

  /** In the order of their numbers, from 0. */
  get texts(): string[] {
    return [...this.#numbers.keys()];
  }

  /** The number of each row's text. */
  get numberOfRow(): Uint32Array {
    return this.#arranged ?? this.#added.view();
  }

  /** Once all rows are there: makes the one that came as number `arrivals[row]`, counted from 0, the row. */
  arrange(arrivals: Uint32Array): void {
    const added = this.#added.view();
    this.#arranged = arrivals.map((arrival) => added[arrival] ?? 0);
  }
}

/** A list of whole numbers below 2^32 of which nobody knows yet how long it becomes: 4 bytes each, 8 at most. */
export class GrowingNumbers {
  #numbers = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const grown = new Uint32Array(this.#length * 2);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[this.#length++] = number;
  }

  /** The numbers so far; pushing more may leave it behind. */
  view(): Uint32Array {
    return this.#numbers.subarray(0, this.#length);
  }
}
