import type { Cells, RawRow, ReadContext } from '../../../src/adapters/index.ts';
import { isCountOf, type AnnouncedCount } from './announced-count.ts';
import type { CsvOptions } from './dialect.ts';
import type { FileStart } from './file-start.ts';
import { fillsRow, type Header } from './header.ts';
import { readInchMarks, readPastBlanks } from './record-repair.ts';
import { RecordSource, type FoundRecord } from './record-source.ts';
import { judgeRow } from './row.ts';
import { parseSoundLines } from './sound-lines.ts';
import type { SourceText } from './source-text.ts';

/** Of a row that the core knows. */
const NO_CELLS: Cells = new Map<string, string[]>();

type FoundStart = Extract<FileStart, { kind: 'found' }>;

/** A bare total that is so many times the number of vehicles is the sum of something else. */
const FARTHEST_COUNT = 100;

/** Sound lines that are given to csv-parse at once: enough that starting it costs nothing. */
const BATCH = 500;

/**
 * Everything below the header. Records are cut out first (record-source.ts), plain lines taken apart at once
 * (plain-line.ts), other sound lines parsed by csv-parse (sound-lines.ts), faulty ones repaired one by one
 * (record-repair.ts), and the shape of each row is judged against the header (row.ts).
 */
export class CsvFile {
  isRefused = false;
  readonly #start: FoundStart;
  readonly #records: RecordSource;
  readonly #options: CsvOptions;
  readonly #context: ReadContext;
  #rows = 0;
  #announced: AnnouncedCount | undefined;
  /** Lines that tell how many vehicles there are, or that the file ends. */
  #linesBeside = 0;
  #endsWithLastLine = false;

  constructor(source: SourceText, start: FoundStart, options: CsvOptions, context: ReadContext) {
    const bounds = { widths: start.header, maxCharacters: context.limits.maxRowCharacters };
    this.#start = start;
    const meaning = JSON.stringify([start.dialect, start.header.values]);
    this.#records = new RecordSource(source, start.dialect, start, bounds, context.recogniser?.(meaning));
    this.#options = options;
    this.#context = context;
    this.#describe(start.header);
  }

  /** The rows that are complete in the text read so far. */
  *readRows(): Generator<RawRow> {
    for (;;) {
      const batch: FoundRecord[] = [];
      let found = this.#records.next();
      while (typeof found === 'object' && batch.push(found) < BATCH) found = this.#records.next();
      yield* this.#toRows(batch);
      if (found === 'too-large') this.#refuseRecord();
      if (typeof found !== 'object') break;
    }
    this.#records.release();
  }

  /** After the last row. A file that speaks of more vehicles than it holds is not whole, one that speaks of as many is. */
  judgeEnd(): void {
    if (this.isRefused) return;
    const vehicles = this.#rows - this.#linesBeside;
    const isCounted = this.#announced !== undefined && isCountOf(vehicles, this.#announced);
    if (isCounted || this.#endsWithLastLine) this.#context.describe({ provesItsEnd: true });
    if (this.#announced !== undefined) this.#compareCount(vehicles, this.#announced);
  }

  #compareCount(vehicles: number, { atLeast, written, isBare }: AnnouncedCount): void {
    if (atLeast <= vehicles || (isBare && written > (vehicles + 1) * FARTHEST_COUNT)) return;
    const detail = `it speaks of ${written} vehicles and holds ${vehicles}`;
    this.#context.warn({ code: 'possibly_truncated', detail, incomplete: true });
  }

  #countLine(announced: AnnouncedCount): void {
    this.#linesBeside += 1;
    if (announced.atLeast > (this.#announced?.atLeast ?? 0)) this.#announced = announced;
  }

  #describe(header: Header): void {
    const { delimiter } = this.#start.dialect;
    this.#context.describe({ delimiter, columns: header.names, rowsEndWithLineBreak: true });
    if (header.doubled.length > 0) {
      this.#context.warn({ code: 'duplicate_header', detail: header.doubled.join(', ') });
    }
    if (header.unnamed > 0) this.#context.warn({ code: 'column_without_name', detail: `${header.unnamed}` });
  }

  #refuseRecord(): void {
    this.isRefused = true;
    const detail = `more than ${this.#context.limits.maxRowCharacters} characters`;
    this.#context.refuse({ code: 'row_too_large', detail, line: this.#records.line });
  }

  *#toRows(batch: readonly FoundRecord[]): Generator<RawRow> {
    const lines = batch.flatMap(({ unparsed }) => unparsed ?? []);
    const parsed = parseSoundLines(lines, this.#start.dialect).values();
    for (const record of batch) {
      if (this.isRefused) return;
      const { unparsed } = record;
      const row = this.#toRow(
        unparsed === undefined ? record : this.#rescue(record, unparsed, parsed.next().value ?? []),
      );
      if (row !== undefined) yield row;
    }
  }

  /** `"18"",…` is sound by the book and yet often an inch mark: another reading that fills the row exactly wins. */
  #rescue(record: FoundRecord, line: string, values: string[]): FoundRecord {
    const { dialect, header } = this.#start;
    if (values.length < header.width) {
      const other = readInchMarks(line, dialect);
      const isBetter = other?.length === header.width || !fillsRow(values, header);
      if (other !== undefined && isBetter && fillsRow(other, header))
        return { ...record, values: other, wasRepaired: true };
    }
    if (!fillsRow(values, header)) {
      const other = readPastBlanks(line, dialect, header);
      if (other !== undefined) return { ...record, values: other, wasRepaired: true };
    }
    return { ...record, values };
  }

  #toRow(record: FoundRecord): RawRow | undefined {
    const { line, mark } = record;
    if (mark?.isKnown === true) {
      this.#rows += 1;
      this.#endsWithLastLine = false;
      return { row: this.#rows, line, cells: NO_CELLS, mark };
    }
    const values = this.#withLineBreaks(record);
    const judged = judgeRow(record, values, this.#start.header, this.#context.limits.maxCellCharacters);
    if (judged === 'no-row') return undefined;
    if (judged === 'other-header') {
      this.isRefused = true;
      this.#context.refuse({ code: 'header_changes', detail: `line ${line}`, line });
      return undefined;
    }
    this.#rows += 1;
    const { cells, rejection, warnings, announced, isLastLine } = judged;
    if (announced !== undefined) this.#countLine(announced);
    this.#endsWithLastLine = isLastLine === true;
    if (isLastLine === true) this.#linesBeside += 1;
    if (rejection?.code === 'row_truncated') {
      this.#context.warn({ code: 'possibly_truncated', detail: `line ${line}`, incomplete: true });
    }
    // Step by step, because this runs once a row and spreading takes longer than all the rest of it.
    const row: Mutable<RawRow> = { row: this.#rows, line, cells };
    if (rejection !== undefined) row.rejection = rejection;
    if (warnings !== undefined) row.warnings = warnings;
    if (record.isUnterminated) row.isUnterminated = true;
    if (mark !== undefined) row.mark = mark;
    return row;
  }

  /** One kind of line break, whatever the exporting system writes. */
  #withLineBreaks({ values, lines }: FoundRecord): readonly string[] {
    const unified = lines > 1 ? values.map((value) => value.replace(/\r\n?/g, '\n')) : values;
    if (this.#options.literal_newlines !== true) return unified;
    return unified.map((value) => value.replace(/(?:\\r)?\\n/g, '\n'));
  }
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
