import type { FeedReader, FileNote, RawRow, ReadContext, ReadLimits } from '../../adapters/feed-reader.ts';
import type { Problem } from '../../model/problem.ts';
import { explain } from '../problems.ts';
import type { DecodedFile } from '../records.ts';

/** What a reader says about the file besides its rows. Complete once the rows have been read to their end. */
interface ReadFacts {
  readonly delimiter: string | undefined;
  /** As the file spells them. */
  readonly columns: readonly string[];
  readonly warnings: readonly FileNote[];
  /** The file may lack rows: nothing may be removed because it is not in it. */
  readonly isIncomplete: boolean;
  /** The whole file is unusable, and the rows already read with it. */
  readonly refusal: Problem | undefined;
}

export interface Reading {
  /** Read once. Ends early when the file is refused: look at `facts().refusal` afterwards. */
  readonly rows: AsyncIterable<RawRow>;
  facts(): ReadFacts;
}

/** Lets a reader loose on a file. `options` have been checked against the reader's schema. */
export function readRows(
  file: DecodedFile,
  reader: FeedReader,
  options: unknown,
  limits: ReadLimits,
): Reading {
  const notebook = new Notebook(limits);
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
    yield row;
  }
}

/** A reader that finds the same fault in every row must not fill the memory with it. */
const MOST_WARNINGS = 100;

class Notebook implements ReadContext {
  readonly limits: ReadLimits;
  #delimiter: string | undefined;
  #columns: readonly string[] = [];
  #isIncomplete = false;
  #refusal: Problem | undefined;
  readonly #warnings: FileNote[] = [];

  constructor(limits: ReadLimits) {
    this.limits = limits;
  }

  get isRefused(): boolean {
    return this.#refusal !== undefined;
  }

  describe(facts: { delimiter?: string; columns?: readonly string[] }): void {
    this.#delimiter = facts.delimiter ?? this.#delimiter;
    this.#columns = facts.columns ?? this.#columns;
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
      refusal: this.#refusal,
    };
  }
}
