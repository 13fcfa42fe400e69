import type { RawRow } from '../../adapters/feed-reader.ts';
import { normaliseColumn, normaliseColumnPath } from '../../model/column.ts';
import { ColumnSketch } from './column-sketch.ts';
import { jsonTextsByPath } from './json-texts.ts';

const SAMPLE_ROWS = 200;
const SAMPLE_CHARACTERS = 4_000_000;
/** Rows whose cells are looked into for JSON. */
const JSON_ROWS = 200;

/** Takes rows in one by one; keeps counts and the first rows only. */
export class RowSketch {
  readonly #columns = new Map<string, ColumnSketch>();
  /** Column → path within its JSON → what stands there. */
  readonly #nested = new Map<string, Map<string, ColumnSketch>>();
  readonly #samples: RawRow[] = [];
  #characters = 0;
  #rows = 0;
  #unsound = 0;
  #doubtful = 0;

  add(row: RawRow): void {
    this.#rows += 1;
    if (row.rejection !== undefined || row.warnings?.some(({ code }) => code.startsWith('quote'))) {
      this.#doubtful += 1;
    }
    if (row.rejection !== undefined) {
      this.#unsound += 1;
      return;
    }
    const isSample = this.#samples.length < SAMPLE_ROWS && this.#characters < SAMPLE_CHARACTERS;
    if (isSample) this.#samples.push(row);
    for (const key of row.cells.keys()) {
      const texts = row.cells.get(key) ?? [];
      if (isSample) this.#characters += texts.reduce((sum, { length }) => sum + length, 0);
      if (!this.#isNested(key, texts)) this.#column(key).add(texts);
    }
  }

  facts(): { rows: number; unsoundRows: number; doubtfulRows: number; samples: RawRow[] } {
    return {
      rows: this.#rows,
      unsoundRows: this.#unsound,
      doubtfulRows: this.#doubtful,
      samples: this.#samples,
    };
  }

  /** In the order of the file, each under the name that the file gives it; of JSON each path within. */
  columns(spelled: readonly string[]): ColumnSketch[] {
    return spelled
      .filter((name) => normaliseColumn(name) !== '')
      .flatMap((name) => {
        const key = normaliseColumnPath(name);
        const plain = this.#columns.get(key)?.named(name);
        const nested = [...(this.#nested.get(key) ?? [])].map(([path, sketch]) =>
          sketch.named(`${name}/${path}`),
        );
        // A column of nothing but JSON is its members; where some rows have a plain value, it is both.
        const isPlain = nested.length === 0 || (plain?.filled ?? 0) > 0;
        return isPlain ? [plain ?? new ColumnSketch(name), ...nested] : nested;
      });
  }

  #column(key: string): ColumnSketch {
    const column = this.#columns.get(key) ?? new ColumnSketch(key);
    this.#columns.set(key, column);
    return column;
  }

  /** Whether the cell is JSON, whose members are columns of their own. */
  #isNested(key: string, texts: readonly string[]): boolean {
    const [text] = texts;
    if (text === undefined || texts.length > 1 || !/^\s*[[{]/.test(text)) return false;
    if (this.#rows > JSON_ROWS) return this.#nested.has(key);
    const found = jsonTextsByPath(text);
    if (found.size === 0) return false;
    const columns = this.#nested.get(key) ?? new Map<string, ColumnSketch>();
    this.#nested.set(key, columns);
    for (const [path, texts] of found) {
      const column = columns.get(path) ?? new ColumnSketch(path);
      column.add(texts);
      columns.set(path, column);
    }
    return true;
  }
}
