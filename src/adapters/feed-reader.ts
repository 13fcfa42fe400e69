/**
 * What a feed reader implements: decoded text in, rows of text with their position out. A reader knows no
 * vehicle, types nothing and opens nothing: stock `00417` and `1E5` must arrive as they were written.
 */
export interface FeedReader<Options = unknown> {
  /**
   * Yields rows in file order. A fault of the whole file is told with `context.refuse`, after which the reader
   * stops; rows already yielded are then thrown away by the core. Memory must not grow with the file.
   */
  read(text: AsyncIterable<string>, options: Options, context: ReadContext): AsyncIterable<RawRow>;
}

/**
 * One record of the file. `cells` is keyed by the normalised column name (`normaliseColumn`) or, in XML, the
 * normalised path below the record (`photos/photo`, `mileage/@unit`); one column may hold several texts in XML.
 */
export interface RawRow {
  /** Data records counted from 1, as a careful person would: header and blank lines are no rows. */
  readonly row: number;
  /** Line of the file at which the record begins, from 1. */
  readonly line: number;
  readonly cells: Cells;
  /** Set when the reader could not make a sound row of it. The core reports it and does not map it. */
  readonly rejection?: RowNote;
  /** What the reader repaired or found odd. */
  readonly warnings?: readonly RowNote[];
}

export interface Cells {
  get(column: string): readonly string[] | undefined;
  keys(): Iterable<string>;
}

/** A code of the row table (feeds/problems.ts) with the facts of this case. */
export interface RowNote {
  readonly code: string;
  readonly detail?: string;
}

/** A code of the table of file warnings (feeds/problems.ts). */
export interface FileNote extends RowNote {
  /** The file may not hold everything (`possibly_truncated`): its rows count, but nothing is removed by it. */
  readonly incomplete?: boolean;
}

export interface ReadContext {
  readonly limits: ReadLimits;
  /** Facts for the report: the delimiter found, the columns as the file spells them (for the unknown ones). */
  describe(facts: { delimiter?: string; columns?: readonly string[] }): void;
  /** A warning about the whole file. */
  warn(note: FileNote): void;
  /** The whole file is unusable. `line` and `column` count from 1. */
  refuse(note: RowNote & { readonly line?: number; readonly column?: number }): void;
}

/** Bounds against hostile or broken files. */
export interface ReadLimits {
  readonly maxRows: number;
  readonly maxColumns: number;
  readonly maxCellCharacters: number;
  readonly maxDepth: number;
}
