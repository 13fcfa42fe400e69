import type { Cells, RawRow, ReadContext } from '../../../src/adapters/index.ts';
import type { CsvOptions } from './dialect.ts';
import type { FileStart } from './file-start.ts';
import type { Header } from './header.ts';
import { readRecord } from './record-reading.ts';
import { RecordSource, type FoundRecord } from './record-source.ts';
import { judgeRow } from './row.ts';
import { parseSoundLines } from './sound-lines.ts';
import { SourceText } from './source-text.ts';

/** Of a row that the core knows. */
const NO_CELLS: Cells = new Map<string, string[]>();

type FoundStart = Extract<FileStart, { kind: 'found' }>;

/** Sound lines that are given to csv-parse at once: enough that starting it costs nothing. */
const BATCH = 500;

/**
 * Everything below the header. Records are cut out first (record-source.ts), sound quoted lines are parsed by
 * csv-parse, faulty ones are repaired one by one (record-repair.ts), and the shape of each row is judged against
 * the header (row.ts).
 */
export class CsvFile {
  isRefused = false;
  readonly #start: FoundStart;
  readonly #records: RecordSource;
  readonly #options: CsvOptions;
  readonly #context: ReadContext;
  #rows = 0;

  constructor(source: SourceText, start: FoundStart, options: CsvOptions, context: ReadContext) {
    const bounds = { width: start.header.width, maxCharacters: context.limits.maxRowCharacters };
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
    const lines = batch.flatMap(({ content }) => ('text' in content ? [content.text] : []));
    const parsed = parseSoundLines(lines, this.#start.dialect).values();
    for (const record of batch) {
      const row =
        'text' in record.content
          ? this.#toRow(this.#rescue(record, record.content.text, parsed.next().value ?? []))
          : this.#toRow({ ...record, content: record.content });
      if (row !== undefined) yield row;
    }
  }

  /** `"18"",…` is sound by the book and yet often an inch mark: another reading that fills the row exactly wins. */
  #rescue(record: FoundRecord, line: string, values: string[]): ParsedRecord {
    const { dialect, header } = this.#start;
    if (values.length < header.width) {
      const source = new SourceText(line, true);
      source.useDelimiter(dialect.delimiter);
      const reading = readRecord(source, 0, dialect, 'letter-and-close', () => false);
      if (reading.kind === 'ended' && reading.values.length === header.width) {
        return { ...record, content: { values: reading.values }, wasRepaired: true };
      }
    }
    return { ...record, content: { values } };
  }

  #toRow(record: ParsedRecord): RawRow | undefined {
    if (record.mark?.isKnown === true) {
      this.#rows += 1;
      return { row: this.#rows, line: record.line, cells: NO_CELLS, mark: record.mark };
    }
    const values = record.content.values.map((value) => this.#withLineBreaks(value));
    const judged = judgeRow(record, values, this.#start.header, this.#context.limits.maxCellCharacters);
    if (judged === undefined) return undefined;
    this.#rows += 1;
    if (judged.rejection?.code === 'row_truncated') {
      this.#context.warn({ code: 'possibly_truncated', detail: `line ${record.line}`, incomplete: true });
    }
    const ending = record.isUnterminated ? { isUnterminated: true } : {};
    const mark = record.mark === undefined ? {} : { mark: record.mark };
    return { row: this.#rows, line: record.line, ...judged, ...ending, ...mark };
  }

  /** One kind of line break, whatever the exporting system writes. */
  #withLineBreaks(value: string): string {
    const unified = value.includes('\r') ? value.replace(/\r\n?/g, '\n') : value;
    if (this.#options.literal_newlines !== true || !unified.includes('\\n')) return unified;
    return unified.replace(/(?:\\r)?\\n/g, '\n');
  }
}

type ParsedRecord = FoundRecord & { readonly content: { readonly values: string[] } };
