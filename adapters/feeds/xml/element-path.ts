import { normaliseColumn } from '../../../src/adapters/index.ts';

/**
 * Recognises elements by a written path, or by any of several: `name`, `//end/of/path`, `/from/the/root`; `@name` for
 * attributes.
 */
export class PathPattern {
  /** As it was written, without the slashes in front. */
  readonly name: string;
  /** The top elements that it asks for; empty if one of the paths may begin below any. */
  readonly roots: readonly string[];
  readonly #paths: readonly { steps: readonly string[]; isFromRoot: boolean }[];

  constructor(written: string | readonly string[]) {
    const all = [written].flat();
    const names = all.map((each) => each.replace(/^\/+/, ''));
    this.name = names.join(' or ');
    this.#paths = all.map((each, index) => ({
      steps: (names[index] ?? '').split('/').map(normaliseColumn),
      isFromRoot: /^\/(?!\/)/.test(each),
    }));
    const areFromRoot = this.#paths.every(({ isFromRoot }) => isFromRoot);
    this.roots = areFromRoot ? names.map((name) => name.split('/')[0] ?? '') : [];
  }

  /** `path` holds the normalised names from the root down. */
  matches(path: readonly string[]): boolean {
    return this.#paths.some(({ steps, isFromRoot }) => {
      const offset = path.length - steps.length;
      if (offset < 0 || (isFromRoot && offset !== 0)) return false;
      return steps.every((step, index) => step === path[offset + index]);
    });
  }

  /** Whether a document with this root, normalised, can hold such an element. */
  mayStandIn(root: string): boolean {
    return this.roots.length === 0 || this.#paths.some(({ steps }) => steps[0] === root);
  }
}

/** The part of an element's or attribute's name after its namespace prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
