import { compileColumnMatcher } from '../mapping/mappers/cell-source.ts';
import { isNeverPublished } from '../profile/never-published.ts';
import { normaliseColumnPath } from '../../model/column.ts';
import type { Alias, Aliases } from './aliases.ts';
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
  readonly #keyOf: (name: string) => string;
  readonly #taken = new Set<ColumnSketch>();

  constructor(columns: readonly ColumnSketch[], aliases: Aliases) {
    const isSecret = ({ name }: ColumnSketch): boolean => isNeverPublished(name);
    this.secret = columns.filter(isSecret);
    this.open = columns.filter((column) => !isSecret(column));
    this.#keyOf = (name) => aliases.keyOf(name);
  }

  keyOf(column: ColumnSketch): string {
    return this.#keyOf(column.name);
  }

  /** Those an alias stands for, in the order of the aliases; taken ones only if `also` allows them. */
  find(aliases: readonly Alias[], also: 'free' | 'taken too' = 'free'): FoundColumns[] {
    const seen = new Set<ColumnSketch>();
    return aliases.flatMap(({ name, matches }) => {
      const sketches = this.open.filter(
        (column) =>
          matches(this.keyOf(column)) &&
          !seen.has(column) &&
          (also === 'taken too' || !this.#taken.has(column)),
      );
      for (const sketch of sketches) seen.add(sketch);
      const [first] = sketches;
      if (first === undefined) return [];
      return [{ name: name.includes('*') ? name : first.name, sketches }];
    });
  }

  /** The first column with something in it that bears one of these names, whole paths as a profile writes them. */
  findNamed(names: readonly string[]): ColumnSketch | undefined {
    const keys = names.map(normaliseColumnPath);
    const found = this.open.filter(({ filled }) => filled > 0);
    return keys
      .map((key) => found.find(({ name }) => normaliseColumnPath(name) === key))
      .find((column) => column !== undefined);
  }

  /**
   * Columns that differ by a number only and bear one of the names without it: `Photo1` to `Photo20`, `Image_01`.
   * They come as one with a star where the star stands for nothing else in the file, else one by one.
   */
  findNumbered(aliases: readonly Alias[]): FoundColumns[] {
    const series = new Map<string, ColumnSketch[]>();
    for (const column of this.untaken) {
      const starred = column.name.replace(NUMBER_IN_NAME, '*');
      const unnumbered = this.#keyOf(column.name.replace(NUMBER_IN_NAME, ''));
      if (starred === column.name || !aliases.some(({ matches }) => matches(unnumbered))) continue;
      series.set(starred, [...(series.get(starred) ?? []), column]);
    }
    return [...series].flatMap(([name, sketches]) => {
      return this.#standsOnlyFor(name, sketches)
        ? [{ name, sketches }]
        : sketches.map((sketch) => ({ name: sketch.name, sketches: [sketch] }));
    });
  }

  /** Columns that bear one of the names before the ending. */
  findWithEnding(aliases: readonly Alias[], ending: RegExp): FoundColumns[] {
    return this.untaken.flatMap((column) => {
      const name = column.name.replace(ending, '');
      const isFound = name !== column.name && aliases.some(({ matches }) => matches(this.#keyOf(name)));
      return isFound ? [{ name: column.name, sketches: [column] }] : [];
    });
  }

  #standsOnlyFor(starred: string, sketches: readonly ColumnSketch[]): boolean {
    const matches = compileColumnMatcher(starred);
    const all = [...this.open, ...this.secret].filter(({ name }) => matches(normaliseColumnPath(name)));
    return all.length === sketches.length;
  }

  take({ sketches }: FoundColumns): void {
    for (const sketch of sketches) this.#taken.add(sketch);
  }

  get untaken(): ColumnSketch[] {
    return this.open.filter((column) => !this.#taken.has(column));
  }
}

/** One number of up to three digits, the last of the name. */
const NUMBER_IN_NAME = /\d{1,3}(?=\D*$)/;
