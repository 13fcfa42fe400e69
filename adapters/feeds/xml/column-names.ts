import { normaliseColumn } from '../../../src/adapters/index.ts';
import { localName } from './element-path.ts';

/** The names of a document, normalised once each, and its columns as the file spells them. */
export class ColumnNames {
  readonly #normalised = new Map<string, string>();
  readonly #spelled = new Map<string, string>();

  /** How many different names or columns there are, whichever is more: bounds what a hostile file makes us keep. */
  get size(): number {
    return Math.max(this.#normalised.size, this.#spelled.size);
  }

  /** `inv:Stock_x0020_Number` → `stocknumber`. */
  normalise(name: string): string {
    const known = this.#normalised.get(name);
    if (known !== undefined) return known;
    const normalised = normaliseColumn(localName(name));
    this.#normalised.set(name, normalised);
    return normalised;
  }

  see(column: string, spell: () => string): void {
    if (!this.#spelled.has(column)) this.#spelled.set(column, spell());
  }

  spelled(): string[] {
    return [...this.#spelled.values()];
  }
}
