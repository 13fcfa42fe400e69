/** More sets of labels than the settings of any dealer make. */
const MAX_ENTRIES = 2000;

/** Sums by label values, which must come from the settings or our own tables: never from outside. */
export class Tally {
  readonly #sums = new Map<string, { values: readonly string[]; sum: number }>();

  add(values: readonly string[], amount = 1): void {
    const key = values.join('\n');
    const known = this.#sums.get(key);
    if (known !== undefined) known.sum += amount;
    else if (this.#sums.size < MAX_ENTRIES) this.#sums.set(key, { values, sum: amount });
  }

  entries(): Iterable<{ values: readonly string[]; sum: number }> {
    return this.#sums.values();
  }
}
