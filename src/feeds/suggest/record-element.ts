import { SaxesParser } from 'saxes';
import { failure, success, type Result } from '../../model/problem.ts';
import { fileFault } from '../file-fault.ts';
import type { DecodedFile } from '../records.ts';
import { aliasKey } from './aliases.ts';

/** The beginning of the document is enough to see what repeats. */
const LOOKED_AT_CHARACTERS = 4_000_000;
const MOST_ELEMENTS = 2000;
const MOST_COLUMNS = 1000;
const DEEPEST = 32;

/** An element that may be one vehicle. */
interface Candidate {
  /** From the root, without namespace prefixes: `/inventory/vehicle`. */
  path: string;
  depth: number;
  count: number;
  /** Keys of the texts below it. */
  columns: Set<string>;
}

/**
 * The element of an XML file that is one vehicle, as a path from the root: the one below which the most columns
 * have a name that `isKnown`, and of equals the one that repeats most. Fault: not_a_feed.
 */
export async function findRecordElement(
  file: DecodedFile,
  isKnown: (key: string) => boolean,
): Promise<Result<string>> {
  const scan = new ElementScan();
  let characters = 0;
  for await (const chunk of file.open()) {
    characters += chunk.length;
    scan.write(chunk);
    if (scan.isOver || characters > LOOKED_AT_CHARACTERS) break;
  }
  const judged = scan.candidates
    .map((candidate) => ({ ...candidate, known: [...candidate.columns].filter(isKnown).length }))
    .sort((a, b) => b.known - a.known || b.count - a.count || a.depth - b.depth);
  const [best] = judged;
  if (best !== undefined && best.known >= 2) return success(best.path);
  const repeated = judged
    .filter(({ count, columns }) => count > 1 && columns.size > 2)
    .sort((a, b) => b.columns.size - a.columns.size || a.depth - b.depth)[0];
  if (repeated !== undefined) return success(repeated.path);
  // Broken before anything could be seen: whoever reads it with this element learns where.
  if (scan.isBroken && scan.root !== undefined) return success(scan.root);
  return failure(fileFault('not_a_feed', 'no element in it looks like a vehicle'));
}

interface OpenElement {
  path: string;
  name: string;
  hasElements: boolean;
}

class ElementScan {
  isBroken = false;
  readonly #parser = new SaxesParser({ xmlns: false });
  readonly #open: OpenElement[] = [];
  readonly #candidates = new Map<string, Candidate>();

  constructor() {
    this.#parser.on('error', () => {
      this.isBroken = true;
    });
    this.#parser.on('opentag', ({ name, attributes }) =>
      this.#enter(localName(name), Object.keys(attributes)),
    );
    this.#parser.on('closetag', () => this.#leave());
  }

  /** Broken, or deeper or more varied than any export. */
  get isOver(): boolean {
    return this.isBroken || this.#open.length > DEEPEST || this.#candidates.size >= MOST_ELEMENTS;
  }

  get root(): string | undefined {
    return this.#candidates.keys().next().value;
  }

  get candidates(): Candidate[] {
    return [...this.#candidates.values()];
  }

  write(chunk: string): void {
    this.#parser.write(chunk);
  }

  #enter(name: string, attributes: readonly string[]): void {
    if (this.isOver) return;
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.hasElements = true;
    const path = `${parent?.path ?? ''}/${name}`;
    this.#open.push({ path, name, hasElements: false });
    const candidate = this.#candidates.get(path) ?? {
      path,
      depth: this.#open.length,
      count: 0,
      columns: new Set<string>(),
    };
    candidate.count += 1;
    this.#candidates.set(path, candidate);
    for (const attribute of attributes) this.#addColumn(`@${localName(attribute)}`, this.#open.length - 1);
  }

  #leave(): void {
    if (this.isOver) return;
    const left = this.#open.pop();
    if (left?.hasElements === false) this.#addColumn(left.name, this.#open.length - 1);
  }

  /** A text is a column of every element around it. */
  #addColumn(name: string, innermost: number): void {
    let column = name;
    for (let depth = innermost; depth >= 0; depth -= 1) {
      const element = this.#open[depth];
      if (element === undefined) return;
      const columns = this.#candidates.get(element.path)?.columns;
      if (columns !== undefined && columns.size < MOST_COLUMNS) columns.add(aliasKey(column));
      column = `${element.name}/${column}`;
    }
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
