import type { Cells } from '../../../src/adapters/index.ts';

/**
 * One vehicle's element while it is read: texts by normalised path below it. An element that holds nothing but
 * elements is no column; an empty one is a column with an empty text. Repeated elements give several texts.
 */
export class RecordCells implements Cells {
  readonly #texts = new Map<string, string[]>();

  add(path: string, text: string): void {
    const texts = this.#texts.get(path);
    if (texts === undefined) this.#texts.set(path, [text]);
    else texts.push(text);
  }

  get(column: string): readonly string[] | undefined {
    return this.#texts.get(column);
  }

  keys(): Iterable<string> {
    return this.#texts.keys();
  }
}
