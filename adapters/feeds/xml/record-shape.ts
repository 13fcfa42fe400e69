import { normaliseColumn } from '../../../src/adapters/index.ts';
import { localName } from './element-path.ts';
import { isMarkup } from './text-markup.ts';

/** A place in a record at which texts stand: an element or an attribute. */
export interface Place {
  /** Normalised, below the record: `photos/photo`, `mileage/@unit`. */
  readonly path: string;
  readonly spelledPath: string;
  /** Number of the column; undefined until a text of this place has become a cell. */
  column: number | undefined;
}

/** An element as it stands in records of this document; what is known of it is worked out once. */
export class ElementShape implements Place {
  readonly path: string;
  readonly spelledPath: string;
  readonly spelled: string;
  /** `<name`, which may go on with attributes, and `</name>`. */
  readonly opening: string;
  readonly closing: string;
  /** Part of a text's markup: `<b>` in a description, but not right below the record. */
  readonly isMarkup: boolean;
  column: number | undefined;
  readonly children = new Map<string, ElementShape>();
  readonly attributes = new Map<string, Place>();
  /** What stood behind it the last time, and what stood in it first: most records are made alike. */
  next: ElementShape | undefined;
  first: ElementShape | undefined;

  constructor(tagName: string, path: string, spelledPath: string) {
    this.path = path;
    this.spelledPath = spelledPath;
    this.spelled = localName(tagName);
    this.opening = `<${tagName}`;
    this.closing = `</${tagName}>`;
    this.isMarkup = path.includes('/') && isMarkup(this.spelled);
  }
}

/** Far more than any vendor's records have; a hostile document must not make us keep all of its own. */
const MOST_SHAPES = 20_000;

/** The elements that stand in the records of a document, and the columns that they are. */
export class RecordShapes {
  readonly #names = new Map<string, string>();
  readonly #records = new Map<string, ElementShape>();
  readonly #columns = new Map<string, number>();
  readonly #columnNames: string[] = [];
  readonly #spelled: string[] = [];
  #count = 0;

  /** How many different names or columns there are, whichever is more: bounds what a hostile file makes us keep. */
  get size(): number {
    return Math.max(this.#names.size, this.#columns.size);
  }

  /** The columns as the file spells them. */
  get spelled(): readonly string[] {
    return this.#spelled;
  }

  /** `inv:Stock_x0020_Number` → `stocknumber`. */
  normalise(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const normalised = normaliseColumn(localName(name));
    this.#names.set(name, normalised);
    return normalised;
  }

  record(tagName: string): ElementShape {
    if (this.#count > MOST_SHAPES) this.#forget();
    const known = this.#records.get(tagName);
    if (known !== undefined) return known;
    this.#count += 1;
    const shape = new ElementShape(tagName, '', '');
    this.#records.set(tagName, shape);
    return shape;
  }

  child(parent: ElementShape, tagName: string): ElementShape {
    const known = parent.children.get(tagName);
    if (known !== undefined) return known;
    this.#count += 1;
    const path = below(parent.path, this.normalise(tagName));
    const shape = new ElementShape(tagName, path, below(parent.spelledPath, localName(tagName)));
    parent.children.set(tagName, shape);
    return shape;
  }

  attribute(parent: ElementShape, spelled: string): Place {
    const known = parent.attributes.get(spelled);
    if (known !== undefined) return known;
    this.#count += 1;
    const path = below(parent.path, `@${this.normalise(spelled)}`);
    const spelledPath = below(parent.spelledPath, `@${localName(spelled)}`);
    const place: Place = { path, spelledPath, column: undefined };
    parent.attributes.set(spelled, place);
    return place;
  }

  /** Makes a column of it, under the spelling that comes first. */
  addColumn(place: Place): void {
    const known = this.#columns.get(place.path);
    place.column = known ?? this.#columns.size;
    if (known !== undefined) return;
    this.#columns.set(place.path, place.column);
    this.#columnNames.push(place.path);
    this.#spelled.push(place.spelledPath);
  }

  columnOf(name: string): number | undefined {
    return this.#columns.get(name);
  }

  nameOf(column: number): string {
    return this.#columnNames[column] ?? '';
  }

  #forget(): void {
    this.#records.clear();
    this.#count = 0;
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}
