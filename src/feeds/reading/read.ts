import type {
  FeedReader,
  FileNote,
  RawRow,
  ReadContext,
  ReaderFacts,
  ReadLimits,
} from '../../adapters/feed-reader.ts';
import type { Problem } from '../../model/problem.ts';
import { explain } from '../problems.ts';
import type { DecodedFile } from '../records.ts';

export interface RowPosition {
  readonly row: number;
  readonly line: number;
}

/** What a reader says about the file besides its rows. Complete once the rows have been read to their end. */
interface ReadFacts {
  readonly delimiter: string | undefined;
  /** As the file spells them. */
  readonly columns: readonly string[];
  readonly warnings: readonly FileNote[];
  /** The file may lack rows: nothing may be removed because it is not in it. */
  readonly isIncomplete: boolean;
  /** Whether the last row was ended by a line break; undefined where the format itself tells its end. */
  readonly endsWithLineBreak: boolean | undefined;
  /** What stands in the file proves that its end is there. */
  readonly provesItsEnd: boolean;
  /** The last row, if it is sound and no line break ends it. */
  readonly unterminated: RowPosition | undefined;
  /** The whole file is unusable, and the rows already read with it. */
  readonly refusal: Problem | undefined;
}

export interface Reading {
  /** Read once. Ends early when the file is refused: look at `facts().refusal` afterwards. */
  readonly rows: AsyncIterable<RawRow>;
  facts(): ReadFacts;
}

export interface ReadingOptions {
  mustEndWithLineBreak?: boolean;
  recogniser?: ReadContext['recogniser'] | undefined;
}

/**
 * Lets a reader loose on a file. `options` have been checked against the reader's schema. `mustEndWithLineBreak`: a
 * row that should be ended by one and is not has been cut short, and so has the file.
 */
export function readRows(
  file: DecodedFile,
  reader: FeedReader,
  options: unknown,
  limits: ReadLimits,
  { mustEndWithLineBreak = false, recogniser }: ReadingOptions = {},
): Reading {
  const notebook = new Notebook(limits, mustEndWithLineBreak, recogniser);
  for (const note of file.notes ?? []) notebook.warn(note);
  return { rows: rowsOf(file, reader, options, notebook), facts: () => notebook.facts() };
}

async function* rowsOf(
  file: DecodedFile,
  reader: FeedReader,
  options: unknown,
  notebook: Notebook,
): AsyncGenerator<RawRow> {
  const { maxRows } = notebook.limits;
  for await (const row of reader.read(file.open(), options, notebook)) {
    if (notebook.isRefused) return;
    if (row.row > maxRows) {
      notebook.refuse({ code: 'too_many_rows', detail: `at most ${maxRows}`, line: row.line });
      return;
    }
    yield notebook.judgeEnd(row);
  }
}

/** A reader that finds the same fault in every row must not fill the memory with it. */
const MOST_WARNINGS = 100;

class Notebook implements ReadContext {
  readonly limits: ReadLimits;
  readonly recogniser?: NonNullable<ReadContext['recogniser']>;
  #delimiter: string | undefined;
  #columns: readonly string[] = [];
  #isIncomplete = false;
  #refusal: Problem | undefined;
  #rowsEndWithLineBreak = false;
  #provesItsEnd = false;
  #endsWithLineBreak: boolean | undefined;
  #unterminated: RowPosition | undefined;
  readonly #mustEndWithLineBreak: boolean;
  readonly #warnings: FileNote[] = [];

  constructor(limits: ReadLimits, mustEndWithLineBreak: boolean, recogniser: ReadContext['recogniser']) {
    if (recogniser !== undefined) this.recogniser = recogniser;
    this.limits = limits;
    this.#mustEndWithLineBreak = mustEndWithLineBreak;
  }

  get isRefused(): boolean {
    return this.#refusal !== undefined;
  }

  describe(facts: ReaderFacts): void {
    this.#delimiter = facts.delimiter ?? this.#delimiter;
    this.#columns = facts.columns ?? this.#columns;
    this.#provesItsEnd = facts.provesItsEnd ?? this.#provesItsEnd;
    this.#rowsEndWithLineBreak = facts.rowsEndWithLineBreak ?? this.#rowsEndWithLineBreak;
  }

  /** Remembers how the file ends, which only its last row decides, and refuses that row where it is half of one. */
  judgeEnd(row: RawRow): RawRow {
    if (!this.#rowsEndWithLineBreak) return row;
    // One that is refused anyway says nothing about how the feed's files end when they are whole.
    if (row.rejection !== undefined) {
      this.#endsWithLineBreak = row.isUnterminated === true ? undefined : true;
      return row;
    }
    this.#endsWithLineBreak = row.isUnterminated !== true;
    if (this.#endsWithLineBreak) return row;
    if (!this.#mustEndWithLineBreak) {
      this.#unterminated = { row: row.row, line: row.line };
      return row;
    }
    const detail = `line ${row.line} has no line break at its end, as the files of this feed have`;
    this.warn({ code: 'possibly_truncated', detail, incomplete: true });
    return { ...row, rejection: { code: 'row_truncated', detail: 'no line break ends it' } };
  }

  warn(note: FileNote): void {
    this.#isIncomplete ||= note.incomplete === true;
    if (this.#warnings.length < MOST_WARNINGS) this.#warnings.push(note);
  }

  /** The first refusal counts: what follows from it says less. */
  refuse(note: Parameters<ReadContext['refuse']>[0]): void {
    const { code, detail, line, column } = note;
    const where = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
    this.#refusal ??= { code, ...explain(code, { detail }), where };
  }

  facts(): ReadFacts {
    return {
      delimiter: this.#delimiter,
      columns: this.#columns,
      warnings: this.#warnings,
      isIncomplete: this.#isIncomplete,
      endsWithLineBreak: this.#endsWithLineBreak,
      provesItsEnd: this.#provesItsEnd,
      unterminated: this.#unterminated,
      refusal: this.#refusal,
    };
  }
}
