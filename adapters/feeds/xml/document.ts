import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { RawRow, ReadContext, RowNote } from '../../../src/adapters/index.ts';
import { ColumnNames } from './column-names.ts';
import { localName, PathPattern } from './element-path.ts';
import type { XmlOptions } from './options.ts';
import { RecordCells } from './record.ts';
import type { Stop } from './text-gate.ts';

/** An element that is open. */
interface OpenElement {
  readonly spelled: string;
  /** Normalised path below the record; empty for the record itself, undefined outside of records. */
  readonly column: string | undefined;
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

/** Attributes of the root in which exports say how many vehicles follow, normalised. */
const COUNT_ATTRIBUTES = new Set([
  ...[
    'count',
    'total',
    'totalcount',
    'recordcount',
    'itemcount',
    'unitcount',
    'vehiclecount',
    'listingcount',
  ],
  ...[
    'totalrecords',
    'totalvehicles',
    'totalunits',
    'totalitems',
    'totallistings',
    'totalresults',
    'numrecords',
  ],
]);

/** In place of saxes' own table, whose prototype would let `&toString;` pass as known. */
const XML_ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * V8 gives the objects of a subclass more room for properties. Without it the eighth handler below would turn the
 * parser into a hash table, in which it takes six times as long.
 */
class RoomyParser extends SaxesParser {}

/**
 * A document on its way through the parser: elements come in, finished rows pile up in `rows`. saxes holds nothing
 * but the token it is in, expands no entities but XML's own five, and reports every breach of well-formedness.
 */
export class XmlDocument {
  isRefused = false;
  readonly #parser = new RoomyParser({ xmlns: false, position: true });
  readonly #context: ReadContext;
  readonly #record: PathPattern;
  readonly #options: XmlOptions;
  readonly #errorElement: PathPattern | undefined;
  readonly #countPlace: PathPattern | undefined;
  readonly #looksForCount: boolean;
  readonly #columns: ColumnNames;
  readonly #maxRecordCharacters: number;
  readonly #open: OpenElement[] = [];
  readonly #path: string[] = [];
  #rows: RawRow[] = [];
  #rowCount = 0;
  #current: OpenRecord | undefined;
  #tagLine = 1;
  #tokenStart = 0;
  #announcedCount: string | undefined;
  #rootCount: string | undefined;
  #rootName = '';
  #hasOtherElements = false;
  #saysAllIsWell = false;

  constructor(options: XmlOptions, context: ReadContext) {
    this.#options = options;
    this.#context = context;
    this.#record = new PathPattern(options.record);
    this.#errorElement = patternOf(options.error_element?.path);
    this.#countPlace = options.count === false ? undefined : patternOf(options.count?.path);
    this.#looksForCount = options.count === undefined;
    this.#columns = new ColumnNames();
    this.#maxRecordCharacters = context.limits.maxRowCharacters;
    this.#listen();
  }

  /** Rows finished since the last call. */
  takeRows(): RawRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  write(text: string): void {
    if (text === '' || this.isRefused) return;
    this.#parser.write(text);
    if (this.#parser.position - this.#tokenStart > this.#maxRecordCharacters) this.#refuseSize();
  }

  /** Told after the text before it has been written. */
  stop(stop: Stop | undefined): void {
    if (stop !== undefined) this.#refuse(stop, stop);
  }

  /** The file has ended: an element that is still open is a fault. */
  close(): void {
    if (!this.isRefused) this.#parser.close();
    if (this.isRefused) return;
    this.#context.describe({ columns: this.#columns.spelled() });
    const isKnownKind = this.#rowCount > 0 || this.#saysAllIsWell || this.#record.root !== undefined;
    if (!isKnownKind && this.#hasOtherElements) {
      this.#refuse({
        code: 'not_a_feed',
        detail: `its root is <${this.#rootName}> and it has no <${this.#record.name}>`,
      });
      return;
    }
    this.#compareCount();
  }

  #listen(): void {
    this.#parser.ENTITIES = Object.assign(Object.create(null) as Record<string, string>, XML_ENTITIES);
    this.#parser.on('error', (error) => {
      this.#refuse({ code: 'xml_not_well_formed', detail: withoutPosition(error.message) });
    });
    // A line break right after the tag's name has been read already when the start of the tag is told.
    this.#parser.on('opentagstart', () => {
      this.#tagLine = this.#parser.line - (this.#parser.column === 0 ? 1 : 0);
    });
    this.#parser.on('opentag', (tag) => this.#ifSound(() => this.#openElement(tag)));
    this.#parser.on('closetag', () => this.#ifSound(() => this.#closeElement()));
    const addText = (text: string): void => this.#ifSound(() => this.#addText(text));
    this.#parser.on('text', addText);
    this.#parser.on('cdata', addText);
    this.#parser.on('comment', () => this.#ifSound(() => undefined));
    this.#parser.on('processinginstruction', () => this.#ifSound(() => undefined));
  }

  /** saxes goes on after a fault; what it says then is not to be trusted. */
  #ifSound(handle: () => void): void {
    this.#tokenStart = this.#parser.position;
    if (!this.isRefused) handle();
  }

  #openElement(tag: SaxesTagPlain): void {
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.hasElements = true;
    const spelled = localName(tag.name);
    const name = this.#columns.normalise(tag.name);
    this.#path.push(name);
    if (this.#path.length > this.#context.limits.maxDepth) {
      this.#refuse({ code: 'xml_too_deep', detail: `more than ${this.#context.limits.maxDepth} levels` });
      return;
    }
    if (parent === undefined) this.#checkRoot(spelled, name);
    const column = this.#enter(parent, name);
    this.#open.push({ spelled, column, text: '', hasElements: false });
    this.#readAttributes(tag.attributes, column);
    this.#checkColumns();
  }

  #checkRoot(spelled: string, name: string): void {
    this.#rootName = spelled;
    const { root } = this.#record;
    if (root === undefined || root === name) return;
    this.#refuse({
      code: 'not_a_feed',
      detail: `its root is <${spelled}> in place of <${this.#record.name.split('/')[0] ?? ''}>`,
    });
  }

  /** The new element's column, if it is part of a record; begins a record if it is one. */
  #enter(parent: OpenElement | undefined, name: string): string | undefined {
    if (this.#current !== undefined) {
      const above = parent?.column ?? '';
      return above === '' ? name : `${above}/${name}`;
    }
    if (this.#record.matches(this.#path)) {
      this.#current = {
        line: this.#tagLine,
        depth: this.#path.length,
        cells: new RecordCells(),
        characters: 0,
      };
      return '';
    }
    const isKnown = [this.#errorElement, this.#countPlace].some((pattern) => pattern?.matches(this.#path));
    if (parent !== undefined && !isKnown) this.#hasOtherElements = true;
    return undefined;
  }

  #readAttributes(attributes: Readonly<Record<string, string>>, column: string | undefined): void {
    for (const [spelled, value] of Object.entries(attributes)) {
      if (spelled === 'xmlns' || spelled.startsWith('xmlns:')) continue;
      const name = `@${this.#columns.normalise(spelled)}`;
      if (column !== undefined) {
        this.#addCell(column === '' ? name : `${column}/${name}`, value.trim(), `@${localName(spelled)}`);
      } else if (this.#countPlace?.matches([...this.#path, name]) === true) {
        this.#announcedCount = value.trim();
      } else if (this.#looksForCount && this.#path.length === 1 && COUNT_ATTRIBUTES.has(name.slice(1))) {
        this.#rootCount = value.trim();
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
    if (element.column !== undefined && element.column !== '' && (text !== '' || !element.hasElements)) {
      this.#addCell(element.column, text, element.spelled);
    } else if (element.column === undefined) {
      this.#readOutside(text);
    }
    if (this.#current?.depth === this.#path.length) this.#finishRecord(this.#current);
    this.#path.pop();
  }

  #readOutside(text: string): void {
    if (this.#countPlace?.matches(this.#path) === true) this.#announcedCount = text;
    if (this.#errorElement?.matches(this.#path) !== true) return;
    if (this.#options.error_element?.ok.includes(text) === true) {
      this.#saysAllIsWell = true;
      return;
    }
    this.#refuse({ code: 'vendor_error', detail: `${this.#errorElement.name} is "${text.slice(0, 200)}"` });
  }

  #addCell(column: string, text: string, spelled: string): void {
    const record = this.#current;
    if (record === undefined) return;
    record.characters += column.length + text.length + 1;
    if (record.characters > this.#maxRecordCharacters) {
      this.#refuseSize();
      return;
    }
    if (text.length > this.#context.limits.maxCellCharacters) {
      record.rejection = { code: 'cell_too_large', detail: spelled };
      return;
    }
    record.cells.add(column, text);
    this.#columns.see(column, () =>
      [...this.#open.slice(record.depth).map((element) => element.spelled), spelled].join('/'),
    );
    this.#checkColumns();
  }

  #finishRecord({ line, cells, rejection }: OpenRecord): void {
    this.#current = undefined;
    this.#rowCount += 1;
    this.#rows.push({ row: this.#rowCount, line, cells, ...(rejection === undefined ? {} : { rejection }) });
  }

  #checkColumns(): void {
    const { maxColumns } = this.#context.limits;
    if (this.#columns.size <= maxColumns) return;
    this.#refuse({
      code: 'too_many_columns',
      detail: `more than ${maxColumns} different elements and attributes`,
    });
  }

  /** A number on the root that nobody has spoken of counts only if the file holds less than it says. */
  #compareCount(): void {
    const announced = this.#announcedCount ?? this.#rootCount ?? '';
    if (!/^\d{1,9}$/.test(announced) || Number(announced) === this.#rowCount) return;
    if (this.#announcedCount === undefined && Number(announced) < this.#rowCount) return;
    const detail = `it speaks of ${announced} vehicles and holds ${this.#rowCount}`;
    this.#context.warn({ code: 'possibly_truncated', detail, incomplete: true });
  }

  #refuseSize(): void {
    this.#refuse({ code: 'row_too_large', detail: `more than ${this.#maxRecordCharacters} characters` });
  }

  #refuse(note: RowNote, place?: { line: number; column: number }): void {
    if (this.isRefused) return;
    this.isRefused = true;
    const { line, column } = place ?? this.#parser;
    this.#context.refuse({ ...note, line, column: Math.max(1, column) });
  }
}

function patternOf(path: string | undefined): PathPattern | undefined {
  return path === undefined ? undefined : new PathPattern(path);
}

/** saxes writes `3:17: text.`; the place is told apart from the text here. */
function withoutPosition(message: string): string {
  return message.replace(/^(?:[^:]*:)?\d+:\d+:\s*/, '').replace(/\.$/, '');
}
