import type { SaxesTagPlain } from 'saxes';
import type { Cells, RawRow, ReadContext, RecordMark, RowNote } from '../../../src/adapters/index.ts';
import type { Span } from './characters.ts';
import { localName, PathPattern } from './element-path.ts';
import type { XmlOptions } from './options.ts';
import { StrictParser, withoutPosition } from './parser.ts';
import { RecordShapes, type ElementShape, type Place } from './record-shape.ts';
import { RecordCells } from './record.ts';
import { Surroundings } from './surroundings.ts';
import { asMarkup } from './text-markup.ts';
import type { Stop } from './text-gate.ts';

/** An element that is open. */
interface OpenElement {
  /** Undefined outside of records. */
  readonly shape: ElementShape | undefined;
  text: string;
  hasElements: boolean;
}

interface OpenRecord {
  readonly line: number;
  readonly depth: number;
  readonly cells: RecordCells;
  characters: number;
  rejection?: RowNote;
}

/**
 * A document on its way through the parser: elements come in, finished rows pile up in `rows`. Records that somebody
 * else has read are skipped in the text and added here, so that rows and places are counted in one go.
 */
export class XmlDocument {
  isRefused = false;
  /** The element of the last record, which the next one most likely is too. */
  recordShape: ElementShape | undefined;
  readonly shapes = new RecordShapes();
  readonly #parser = new StrictParser();
  readonly #context: ReadContext;
  readonly #record: PathPattern;
  readonly #surroundings: Surroundings;
  readonly #maxRecordCharacters: number;
  readonly #open: OpenElement[] = [];
  /** Normalised names of the open elements outside of records. */
  readonly #path: string[] = [];
  #rows: RawRow[] = [];
  #rowCount = 0;
  #current: OpenRecord | undefined;
  #tagLine = 1;
  #tokenStart = 0;
  #tagEnd = 0;
  #written = 0;

  constructor(options: XmlOptions, context: ReadContext) {
    this.#context = context;
    this.#record = new PathPattern(options.record);
    this.#surroundings = new Surroundings(options, this.#record);
    this.#maxRecordCharacters = context.limits.maxRowCharacters;
    this.#listen();
  }

  /** How many elements are open. */
  get depth(): number {
    return this.#open.length;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Whether all that has been written ends right behind a tag inside of the root and outside of records. */
  get isBetweenElements(): boolean {
    const isBehindTag = this.#tagEnd === this.#written && !this.isRefused;
    return isBehindTag && this.#current === undefined && this.#open.length > 0 && this.#parser.isVersion10;
  }

  /** Whether an element of this name would be a record here. */
  isRecord(tagName: string): boolean {
    return this.#record.matches([...this.#path, this.shapes.normalise(tagName)]);
  }

  /** Rows finished since the last call. */
  takeRows(): RawRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  write(text: string): void {
    if (text === '' || this.isRefused) return;
    this.#written += text.length;
    this.#parser.write(text);
    if (this.#written - this.#tokenStart > this.#maxRecordCharacters) this.#refuseSize();
  }

  /** A text goes by that is known to change nothing. */
  skip(span: Span): void {
    this.#parser.skip(span);
  }

  /** The record that begins here has been read by somebody else. */
  addRecord(cells: Cells, mark: RecordMark | undefined, span: Span): void {
    this.#rowCount += 1;
    const row = { row: this.#rowCount, line: this.#parser.line, cells };
    this.#rows.push(mark === undefined ? row : { ...row, mark });
    this.skip(span);
  }

  markLastRecord(mark: RecordMark): void {
    const row = this.#rows.pop();
    if (row !== undefined) this.#rows.push({ ...row, mark });
  }

  /** Told after the text before it has been written. */
  stop(stop: Stop | undefined): void {
    if (stop !== undefined) this.#refuse(stop, stop);
  }

  /** The file has ended: an element that is still open is a fault. */
  close(): void {
    if (!this.isRefused) this.#parser.close();
    if (this.isRefused) return;
    this.#context.describe({ columns: this.shapes.spelled, provesItsEnd: true });
    const fault = this.#surroundings.judgeKind(this.#rowCount);
    if (fault === undefined) this.#surroundings.compareCount(this.#rowCount, this.#context);
    else this.#refuse(fault);
  }

  #listen(): void {
    const parser = this.#parser;
    parser.on('error', (error) => {
      this.#refuse({ code: 'xml_not_well_formed', detail: withoutPosition(error.message) });
    });
    // A line break right after the tag's name has been read already when the start of the tag is told.
    parser.on('opentagstart', () => {
      this.#tagLine = parser.line - (parser.column === 0 ? 1 : 0);
    });
    parser.on('opentag', (tag) => {
      if (!this.#isSound()) return;
      this.#tagEnd = this.#tokenStart;
      this.#openElement(tag);
    });
    parser.on('closetag', () => {
      if (!this.#isSound()) return;
      this.#tagEnd = this.#tokenStart;
      this.#closeElement();
    });
    const addText = (text: string): void => {
      if (this.#isSound()) this.#addText(text);
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('comment', () => this.#isSound());
    parser.on('processinginstruction', () => this.#isSound());
  }

  /** A token has ended. saxes goes on after a fault; what it says then is not to be trusted. */
  #isSound(): boolean {
    this.#tokenStart = this.#parser.position;
    return !this.isRefused;
  }

  #openElement({ name, attributes }: SaxesTagPlain): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.hasElements = true;
    const shape =
      parent?.shape === undefined ? this.#enterOutside(name) : this.shapes.child(parent.shape, name);
    if (this.#open.length >= this.#context.limits.maxDepth) {
      this.#refuse({ code: 'xml_too_deep', detail: `more than ${this.#context.limits.maxDepth} levels` });
    }
    if (this.isRefused) return;
    this.#open.push({ shape, text: '', hasElements: false });
    this.#readAttributes(attributes, shape);
    this.#checkColumns();
  }

  /** Begins a record if the element is one; its shape then. */
  #enterOutside(tagName: string): ElementShape | undefined {
    const name = this.shapes.normalise(tagName);
    this.#path.push(name);
    if (this.#open.length === 0) this.#refuse(this.#surroundings.judgeRoot(localName(tagName), name));
    if (!this.#record.matches(this.#path)) {
      this.#surroundings.addElement(this.#path);
      return undefined;
    }
    const depth = this.#open.length + 1;
    this.#current = { line: this.#tagLine, depth, cells: new RecordCells(), characters: 0 };
    this.recordShape = this.shapes.record(tagName);
    return this.recordShape;
  }

  #readAttributes(attributes: Readonly<Record<string, string>>, shape: ElementShape | undefined): void {
    for (const spelled in attributes) {
      if (spelled === 'xmlns' || spelled.startsWith('xmlns:')) continue;
      const value = attributes[spelled]?.trim() ?? '';
      if (shape === undefined) {
        this.#surroundings.addAttribute(this.#path, `@${this.shapes.normalise(spelled)}`, value);
      } else {
        this.#addCell(this.shapes.attribute(shape, spelled), value, `@${localName(spelled)}`);
      }
    }
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (element === undefined) return;
    if (text.length > this.#maxRecordCharacters) this.#refuseSize();
    else if (element.text.length <= this.#context.limits.maxCellCharacters) element.text += text;
  }

  #closeElement(): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    const text = element.text.trim();
    const { shape } = element;
    if (shape === undefined) {
      this.#refuse(this.#surroundings.judgeText(this.#path, text));
    } else if (shape.path !== '' && (text !== '' || !element.hasElements)) {
      this.#addCell(shape, text, shape.spelled);
    }
    if (shape?.isMarkup === true) this.#addText(asMarkup(shape.spelled, element.text));
    if (this.#current?.depth === this.#open.length + 1) this.#finishRecord(this.#current);
    if (this.#path.length > this.#open.length) this.#path.pop();
  }

  #addCell(place: Place, text: string, spelled: string): void {
    const record = this.#current;
    if (record === undefined) return;
    record.characters += place.path.length + text.length + 1;
    if (record.characters > this.#maxRecordCharacters) {
      this.#refuseSize();
      return;
    }
    if (text.length > this.#context.limits.maxCellCharacters) {
      record.rejection = { code: 'cell_too_large', detail: spelled };
      return;
    }
    record.cells.add(place.path, text);
    if (place.column !== undefined) return;
    this.shapes.addColumn(place);
    this.#checkColumns();
  }

  #finishRecord({ line, cells, rejection }: OpenRecord): void {
    this.#current = undefined;
    this.#rowCount += 1;
    this.#rows.push({ row: this.#rowCount, line, cells, ...(rejection === undefined ? {} : { rejection }) });
  }

  #checkColumns(): void {
    const { maxColumns } = this.#context.limits;
    if (this.shapes.size <= maxColumns) return;
    this.#refuse({
      code: 'too_many_columns',
      detail: `more than ${maxColumns} different elements and attributes`,
    });
  }

  #refuseSize(): void {
    this.#refuse({ code: 'row_too_large', detail: `more than ${this.#maxRecordCharacters} characters` });
  }

  #refuse(note: RowNote | undefined, place?: { line: number; column: number }): void {
    if (note === undefined || this.isRefused) return;
    this.isRefused = true;
    const { line, column } = place ?? this.#parser;
    this.#context.refuse({ ...note, line, column: Math.max(1, column) });
  }
}
