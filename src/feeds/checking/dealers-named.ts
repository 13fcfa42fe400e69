/** A column of the wrong name may hold something else in each row. */
const MOST_DEALERS = 20;
const LONGEST_NAME = 200;

/**
 * The dealers that rows of a feed of one rooftop name, and how many rows. Rows that are recognised are not looked at: they are of
 * the usual dealer, since a row that names another one is never recognised, so that strangers are told in every file.
 */
export class DealersNamed {
  readonly #rows = new Map<string, number>();
  #usual: string | undefined;
  #ofRow: string | undefined;
  #recognised = 0;

  /** @param usual the dealer of most rows of the last file; by default the first one that this file names. */
  begin(usual: string | undefined): void {
    this.#usual = usual;
  }

  beginRow(): void {
    this.#ofRow = undefined;
  }

  note(dealer: string): void {
    const name = dealer.slice(0, LONGEST_NAME);
    this.#ofRow = name;
    this.#usual ??= name;
    const rows = this.#rows.get(name);
    if (rows !== undefined || this.#rows.size < MOST_DEALERS) this.#rows.set(name, (rows ?? 0) + 1);
  }

  countRecognised(): void {
    this.#recognised += 1;
  }

  /** Whether the row names another dealer than most do. */
  get isStranger(): boolean {
    return this.#ofRow !== undefined && this.#ofRow !== this.#usual;
  }

  /** Those with the most rows first. */
  list(): { name: string; rows: number }[] {
    const rows = new Map(this.#rows);
    if (this.#usual !== undefined && this.#recognised > 0)
      rows.set(this.#usual, (rows.get(this.#usual) ?? 0) + this.#recognised);
    return [...rows]
      .map(([name, count]) => ({ name, rows: count }))
      .sort((one, other) => other.rows - one.rows);
  }
}
