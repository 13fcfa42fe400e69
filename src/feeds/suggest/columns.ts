import { isNeverPublished } from '../profile/never-published.ts';
import { aliasKey, type Alias } from './aliases.ts';
import type { ColumnSketch } from './column-sketch.ts';

/** What an alias has found: one column, or by a star several that belong together. */
export interface FoundColumns {
  /** As a profile names it. */
  name: string;
  sketches: ColumnSketch[];
}

/** The columns of a file on offer for a mapping; each is taken once. */
export class OfferedColumns {
  readonly secret: ColumnSketch[];
  readonly open: ColumnSketch[];
  readonly #taken = new Set<ColumnSketch>();

  constructor(columns: readonly ColumnSketch[]) {
    this.secret = columns.filter(({ name }) => isNeverPublished(name));
    this.open = columns.filter(({ name }) => !isNeverPublished(name));
  }

  /** Those an alias stands for, in the order of the aliases; taken ones only if `also` allows them. */
  find(aliases: readonly Alias[], also: 'free' | 'taken too' = 'free'): FoundColumns[] {
    const seen = new Set<ColumnSketch>();
    return aliases.flatMap(({ name, matches }) => {
      const sketches = this.open.filter(
        (column) =>
          matches(aliasKey(column.name)) &&
          !seen.has(column) &&
          (also === 'taken too' || !this.#taken.has(column)),
      );
      for (const sketch of sketches) seen.add(sketch);
      const [first] = sketches;
      if (first === undefined) return [];
      return [{ name: name.includes('*') ? name : first.name, sketches }];
    });
  }

  take({ sketches }: FoundColumns): void {
    for (const sketch of sketches) this.#taken.add(sketch);
  }

  get untaken(): ColumnSketch[] {
    return this.open.filter((column) => !this.#taken.has(column));
  }
}
