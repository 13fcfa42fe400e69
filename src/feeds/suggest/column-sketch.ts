/** Different values that are counted one by one, of one column. */
const COUNTED_VALUES = 100;
const LONGEST_VALUE = 80;

export interface SeenValue {
  value: string;
  rows: number;
}

/** What one column of an unknown file holds, in bounded memory. */
export class ColumnSketch {
  readonly name: string;
  /** Rows in which it is not blank. */
  filled = 0;
  /** Rows in which it stands several times (XML). */
  repeated = 0;
  /** Rows of these in which it does not say the same every time. */
  differing = 0;
  /** What stands second, third …; without the first texts of rows. */
  readonly #further = new Set<string>();
  readonly #values = new Map<string, number>();

  constructor(name: string) {
    this.name = name;
  }

  add(texts: readonly string[]): void {
    const filled = texts.map((text) => text.trim()).filter((text) => text !== '');
    const [first] = filled;
    if (first === undefined) return;
    this.filled += 1;
    if (filled.length > 1) this.#addFurther(first, filled);
    const value = first.length > LONGEST_VALUE ? `${first.slice(0, LONGEST_VALUE)}…` : first;
    const rows = this.#values.get(value);
    if (rows !== undefined || this.#values.size < COUNTED_VALUES) this.#values.set(value, (rows ?? 0) + 1);
  }

  #addFurther(first: string, filled: readonly string[]): void {
    this.repeated += 1;
    if (filled.some((text) => text !== first)) this.differing += 1;
    for (const text of filled) {
      if (text.length <= LONGEST_VALUE && this.#further.size < COUNTED_VALUES) this.#further.add(text);
    }
  }

  /** The same column under the name by which the file calls it. */
  named(name: string): ColumnSketch {
    const sketch = new ColumnSketch(name);
    sketch.filled = this.filled;
    sketch.repeated = this.repeated;
    sketch.differing = this.differing;
    for (const value of this.#further) sketch.#further.add(value);
    for (const [value, rows] of this.#values) sketch.#values.set(value, rows);
    return sketch;
  }

  /** The first hundred different values, the most frequent first; long ones cut. */
  values(): SeenValue[] {
    return [...this.#values].map(([value, rows]) => ({ value, rows })).sort((a, b) => b.rows - a.rows);
  }

  /** The different values, those that never stand first in a row among them. */
  everyValue(): string[] {
    return [...new Set([...this.#values.keys(), ...this.#further])];
  }

  /** The part of the counted rows whose value fulfils the test, 0 to 1; 0 for a blank column. */
  share(test: (value: string) => boolean): number {
    let counted = 0;
    let fulfilled = 0;
    for (const [value, rows] of this.#values) {
      counted += rows;
      if (test(value)) fulfilled += rows;
    }
    return counted === 0 ? 0 : fulfilled / counted;
  }
}
