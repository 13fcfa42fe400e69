import { countRows, dropRows, hasAnyRow, keepCommonRows, type RowSet } from './row-set.ts';

/**
 * The rows that pass all filters so far. The first filter's rows are copied, which costs a tenth of meeting them with the
 * set of all.
 */
export class Narrowing {
  /** Means something only once it is narrowed; until then every row passes. */
  readonly rows: RowSet;
  #isNarrowed = false;
  #knownTotal: number | undefined;

  constructor(rows: RowSet) {
    this.rows = rows;
  }

  get isNarrowed(): boolean {
    return this.#isNarrowed;
  }

  get isEmpty(): boolean {
    return this.#isNarrowed && !hasAnyRow(this.rows);
  }

  /** How many rows pass, of a lot that is narrowed. */
  get total(): number {
    return this.#knownTotal ?? countRows(this.rows);
  }

  begin(): void {
    this.#isNarrowed = false;
  }

  /** Rows outside `set` do not pass. `total`: how many rows it has, where that is known without counting. */
  keep(set: RowSet, total?: number): void {
    if (this.#isNarrowed) keepCommonRows(this.rows, set);
    else this.rows.set(set);
    this.#knownTotal = this.#isNarrowed ? undefined : total;
    this.#isNarrowed = true;
  }

  /** Rows of `set` do not pass. Not the first filter. */
  drop(set: RowSet): void {
    dropRows(this.rows, set);
    this.#knownTotal = undefined;
  }
}
