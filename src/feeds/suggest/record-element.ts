import { SaxesParser } from 'saxes';
import { failure, success, type Result } from '../../model/problem.ts';
import { fileFault } from '../file-fault.ts';
import type { DecodedFile } from '../records.ts';
import type { AliasField, Aliases } from './aliases.ts';

/** The beginning of the document is enough to see what repeats. */
const LOOKED_AT_CHARACTERS = 4_000_000;
const MOST_ELEMENTS = 2000;
const MOST_COLUMNS = 1000;
const DEEPEST = 32;

/** What makes a record a vehicle: whichever of these names it, and the three that every listing tells. */
const ESSENTIALS: readonly (readonly AliasField[])[] = [
  ['vin', 'stock', 'vehicle_id'],
  ['year'],
  ['make'],
  ['model'],
];

/** An element that may be one vehicle. */
interface Candidate {
  /** From the root, without namespace prefixes: `/inventory/vehicle`. */
  path: string;
  depth: number;
  count: number;
  /** Paths of the texts below it. */
  columns: Set<string>;
}

interface JudgedCandidate extends Candidate {
  /** Of the essentials, so many have a column. */
  essentials: number;
  /** Columns with a known name; one that lies deeper counts less, so that a list never passes for its vehicle. */
  weight: number;
}

/**
 * The element of an XML file that is one vehicle, as a path from the root: the one that holds most of what every
 * vehicle has, of equals the one with the most known columns close by, and then the one that repeats most. Fault:
 * not_a_feed.
 */
export async function findRecordElement(
  file: DecodedFile,
  aliases: Pick<Aliases, 'keyOf' | 'isKnown'>,
): Promise<Result<string>> {
  const scan = await scanElements(file);
  const judged = scan.candidates
    .map((candidate) => judge(candidate, aliases))
    .sort((a, b) => b.essentials - a.essentials || b.weight - a.weight || b.count - a.count);
  const [best] = judged;
  if (best !== undefined && best.weight >= 2) return success(best.path);
  const repeated = judged
    .filter(({ count, columns }) => count > 1 && columns.size > 2)
    .sort((a, b) => b.columns.size - a.columns.size || a.depth - b.depth)[0];
  if (repeated !== undefined) return success(repeated.path);
  // Broken before anything could be seen: whoever reads it with this element learns where.
  if (scan.isBroken && scan.root !== undefined) return success(scan.root);
  return failure(fileFault('not_a_feed', 'no element in it looks like a vehicle'));
}

async function scanElements(file: DecodedFile): Promise<ElementScan> {
  const scan = new ElementScan();
  let characters = 0;
  for await (const chunk of file.open()) {
    characters += chunk.length;
    // Only names matter here, and a bare & must not end the search: the file may still be mended.
    scan.write(chunk.replaceAll('&', ' '));
    if (scan.isOver || characters > LOOKED_AT_CHARACTERS) break;
  }
  return scan;
}

function judge(candidate: Candidate, aliases: Pick<Aliases, 'keyOf' | 'isKnown'>): JudgedCandidate {
  const columns = [...candidate.columns].map((column) => ({
    key: aliases.keyOf(column),
    depth: column.split('/').length,
  }));
  const known = columns.filter(({ key }) => aliases.isKnown(key));
  return {
    ...candidate,
    essentials: ESSENTIALS.filter((fields) => known.some(({ key }) => aliases.isKnown(key, fields))).length,
    weight: known.reduce((sum, { depth }) => sum + 1 / depth, 0),
  };
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
      if (columns !== undefined && columns.size < MOST_COLUMNS) columns.add(column);
      column = `${element.name}/${column}`;
    }
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
