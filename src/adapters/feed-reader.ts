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
  /**
   * Only in formats whose rows end with a line break: the file ends right behind this row, without one. Whether that
   * is a fault depends on how the feed's other files end, which the core knows.
   */
  readonly isUnterminated?: boolean;
  /** What `recogniser` said of this row's record. Where it is known, the row may come without cells. */
  readonly mark?: RecordMark;
}

/** Whether the core knows a record from the feed's last file, character by character, and what it means. */
export interface RecordMark {
  readonly isKnown: boolean;
}

export interface Cells {
  get(column: string): readonly string[] | undefined;
  /** Of readers whose columns hold one text each: the same without a list around it. */
  text?(column: string): string | undefined;
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

export interface ReaderFacts {
  readonly delimiter?: string;
  readonly columns?: readonly string[];
  /** Rows of this format end with a line break: one that does not (`isUnterminated`) may have been cut. */
  readonly rowsEndWithLineBreak?: boolean;
  /** The file proves by what stands in it that its end is there: its root is closed, a last line counts its rows. */
  readonly provesItsEnd?: boolean;
}

export interface ReadContext {
  readonly limits: ReadLimits;
  /** Facts for the report: the delimiter found, the columns as the file spells them (for the unknown ones). */
  describe(facts: ReaderFacts): void;
  /**
   * For readers that see a record as it stands in the file before they take it apart: most records of an export are
   * those of the export before, and need not be taken apart again. `setting` is all that decides about a record's
   * meaning beside its text and the reader's options: header, delimiter. Only for records that nothing else in the
   * file has a say in, as a repair may. Absent when the core has no use for it.
   */
  recogniser?(setting: string): (record: string) => RecordMark;
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
  /** Of all cells of a row together. */
  readonly maxRowCharacters: number;
  readonly maxDepth: number;
}
