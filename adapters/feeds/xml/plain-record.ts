import type { Cells, ReadLimits } from '../../../src/adapters/index.ts';
import { isBlankCode, SECTION_END, SECTION_OPENING } from './characters.ts';
import { FIELD, type Fields, FieldPlaces, NOWHERE } from './field-places.ts';
import type { ElementShape, RecordShapes } from './record-shape.ts';

/**
 * Reads records that are written plainly: elements that earlier records had too, each holding either elements (no markup of
 * a text), or a text, or one CDATA section, `name="value"` for attributes, no comments. It only ever says "this is one whole
 * record, and these are its texts" or "not plain", and what is not plain goes to the real parser, which alone
 * refuses documents. Which characters and references stand in the texts is judged apart (characters.ts).
 */
export class PlainRecords {
  readonly #limits: ReadLimits;
  readonly #shapes: RecordShapes;
  readonly #places = new FieldPlaces();
  readonly #parents: ElementShape[] = [];
  #fields: number[] = [];
  #start = 0;
  #characters = 0;
  #isEmptyTag = false;
  hasSections = false;

  constructor(limits: ReadLimits, shapes: RecordShapes) {
    this.#limits = limits;
    this.#shapes = shapes;
  }

  /**
   * Where the record ends that begins at `start`; -1 if it is not plain or not whole. `depth`: how many elements are
   * open around it.
   */
  findEnd(text: string, start: number, record: ElementShape, depth: number): number {
    this.#fields = [];
    this.#start = start;
    this.#characters = 0;
    this.hasSections = false;
    this.#parents.length = 0;
    const at = text.startsWith(record.opening, start) ? this.#passTag(text, start, record) : -1;
    if (at === -1 || this.#isEmptyTag) return at;
    const end = this.#passContent(text, at, record, this.#limits.maxDepth - depth - 1);
    return this.#characters > this.#limits.maxRowCharacters ? -1 : end;
  }

  /** The texts of the record whose end has just been found. `record` is the record alone. */
  cells(record: string): Cells {
    return new PlainCells(record, this.#fields, this.#shapes, this.#places);
  }

  /** `room`: how many levels of elements may stand in the record. */
  #passContent(text: string, from: number, record: ElementShape, room: number): number {
    const parents = this.#parents;
    let parent = record;
    let previous: ElementShape | undefined;
    for (let at = from; ;) {
      at = behindBlanks(text, at);
      if (text.charCodeAt(at) !== LESS_THAN) return -1;
      if (text.charCodeAt(at + 1) === SLASH) {
        if (!text.startsWith(parent.closing, at)) return -1;
        at += parent.closing.length;
        const grandparent = parents.pop();
        if (grandparent === undefined) return at;
        previous = parent;
        parent = grandparent;
        continue;
      }
      const expected = previous === undefined ? parent.first : previous.next;
      const element = isTagOf(expected, text, at) ? expected : childAt(text, at, parent);
      if (element === undefined || element.isMarkup || parents.length >= room) return -1;
      if (previous === undefined) parent.first = element;
      else previous.next = element;
      at = this.#passTag(text, at, element);
      if (at === -1) return -1;
      const end = this.#passText(text, at, element);
      if (end === -1) return -1;
      if (end === HOLDS_ELEMENTS) {
        parents.push(parent);
        parent = element;
        previous = undefined;
      } else {
        previous = element;
        at = end;
      }
    }
  }

  /** From `<name` to behind its `>`. */
  #passTag(text: string, from: number, element: ElementShape): number {
    let at = from + element.opening.length;
    this.#isEmptyTag = false;
    if (text.charCodeAt(at) === GREATER_THAN) return at + 1;
    const firstField = this.#fields.length;
    for (;;) {
      ATTRIBUTE.lastIndex = at;
      const found = ATTRIBUTE.exec(text);
      if (found === null) break;
      const [written, name = '', value = ''] = found;
      const place = element.attributes.get(name);
      at += written.length;
      if (place?.column === undefined || this.#hasField(place.column, firstField)) return -1;
      if (!this.#addField(place.column, place.path, at - 1 - value.length, at - 1)) return -1;
    }
    if (text.startsWith(' ', at)) at += 1;
    if (text.charCodeAt(at) === GREATER_THAN) return at + 1;
    if (!text.startsWith('/>', at)) return -1;
    this.#isEmptyTag = true;
    return at + 2;
  }

  /** From behind an element's opening tag to behind its closing tag. */
  #passText(text: string, from: number, element: ElementShape): number {
    if (this.#isEmptyTag) return this.#addText(element, from, from) ? from : -1;
    const mark = text.indexOf('<', from);
    if (mark === -1) return -1;
    if (text.startsWith(element.closing, mark)) {
      return this.#addText(element, from, mark) ? mark + element.closing.length : -1;
    }
    if (!text.startsWith(SECTION_OPENING, mark)) return HOLDS_ELEMENTS;
    const start = mark + SECTION_OPENING.length;
    const end = text.indexOf(SECTION_END, start);
    if (end === -1 || behindBlanks(text, from) !== mark) return -1;
    const closing = behindBlanks(text, end + SECTION_END.length);
    this.hasSections = true;
    if (!text.startsWith(element.closing, closing) || !this.#addText(element, start, end, true)) return -1;
    return closing + element.closing.length;
  }

  #addText(element: ElementShape, start: number, end: number, isSection = false): boolean {
    const { column, path } = element;
    return column !== undefined && this.#addField(isSection ? ~column : column, path, start, end);
  }

  #addField(column: number, path: string, start: number, end: number): boolean {
    if (end - start > this.#limits.maxCellCharacters) return false;
    this.#characters += path.length + end - start + 1;
    this.#fields.push(column, start - this.#start, end - this.#start);
    return true;
  }

  #hasField(column: number, from: number): boolean {
    for (let at = from; at < this.#fields.length; at += FIELD) if (this.#fields[at] === column) return true;
    return false;
  }
}

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const SLASH = 0x2f;
const SPACE = 0x20;
const HOLDS_ELEMENTS = -2;

const ATTRIBUTE = / ([^\s=<>"'/&]+)="([^"<\t\r\n]*)"/y;
const TAG_NAME = /<([^\s<>/]+)/y;

function isTagOf(element: ElementShape | undefined, text: string, at: number): element is ElementShape {
  if (element === undefined || !text.startsWith(element.opening, at)) return false;
  const next = text.charCodeAt(at + element.opening.length);
  return next === GREATER_THAN || next === SPACE || next === SLASH;
}

function childAt(text: string, at: number, parent: ElementShape): ElementShape | undefined {
  TAG_NAME.lastIndex = at;
  const name = TAG_NAME.exec(text)?.[1];
  return name === undefined ? undefined : parent.children.get(name);
}

function behindBlanks(text: string, from: number): number {
  let at = from;
  while (isBlankCode(text.charCodeAt(at))) at += 1;
  return at;
}

/** Texts are cut out and decoded when somebody asks for them: many columns are in no profile. */
class PlainCells implements Cells {
  readonly #record: string;
  readonly #fields: Fields;
  readonly #shapes: RecordShapes;
  readonly #places: FieldPlaces;

  constructor(record: string, fields: Fields, shapes: RecordShapes, places: FieldPlaces) {
    this.#record = record;
    this.#fields = fields;
    this.#shapes = shapes;
    this.#places = places;
  }

  get(name: string): readonly string[] | undefined {
    const column = this.#shapes.columnOf(name);
    if (column === undefined) return undefined;
    const places = this.#places;
    places.turnTo(this.#fields);
    let place = places.first(column);
    if (place === NOWHERE) return undefined;
    const texts = [this.#textAt(place)];
    while ((place = places.next(place)) !== NOWHERE) texts.push(this.#textAt(place));
    return texts;
  }

  keys(): Iterable<string> {
    this.#places.turnTo(this.#fields);
    return this.#places.columns().map((column) => this.#shapes.nameOf(column));
  }

  #textAt(place: number): string {
    const fields = this.#fields;
    const at = place * FIELD;
    return textOf(this.#record.slice(fields[at + 1], fields[at + 2]), (fields[at] ?? 0) < 0);
  }
}

function textOf(written: string, isSection: boolean): string {
  const unified = written.includes('\r') ? written.replaceAll('\r\n', '\n') : written;
  if (isSection || !unified.includes('&')) return trimmed(unified);
  return unified.replace(/&(?:amp|lt|gt|quot|apos);/g, (reference) => MEANING[reference] ?? reference).trim();
}

/** Most texts begin and end with a letter or sign, which is seen at once. */
function trimmed(text: string): string {
  return isSign(text.charCodeAt(0)) && isSign(text.charCodeAt(text.length - 1)) ? text : text.trim();
}

function isSign(code: number): boolean {
  return code > SPACE && code < DELETE;
}

const DELETE = 0x7f;

const MEANING: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};
