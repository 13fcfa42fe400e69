import { normaliseColumn } from '../../../src/adapters/index.ts';

/** Recognises elements by a written path: `name`, `//end/of/path`, `/from/the/root`; `@name` for attributes. */
export class PathPattern {
  /** As it was written, without the slashes in front. */
  readonly name: string;
  /** The normalised name of the top element that a path from the root asks for. */
  readonly root: string | undefined;
  readonly #steps: readonly string[];

  constructor(written: string) {
    this.name = written.replace(/^\/+/, '');
    this.#steps = this.name.split('/').map(normaliseColumn);
    this.root = /^\/(?!\/)/.test(written) ? this.#steps[0] : undefined;
  }

  /** `path` holds the normalised names from the root down. */
  matches(path: readonly string[]): boolean {
    const offset = path.length - this.#steps.length;
    if (offset < 0 || (this.root !== undefined && offset !== 0)) return false;
    return this.#steps.every((step, index) => step === path[offset + index]);
  }
}

/** The part of an element's or attribute's name after its namespace prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
