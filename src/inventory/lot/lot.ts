import type { Filters } from '../inventory.ts';
import { narrow } from './filters.ts';
import { type LotData, TERM_FIELDS, type TermField } from './lot-data.ts';
import { countRows, fillAll, type RowSet, rowSetWords } from './row-set.ts';
import { adoptTermColumn, type TermColumn } from './term-column.ts';

/** The rows that pass a request's filters. `rows` undefined = all of them. */
export interface Selection {
  readonly rows: RowSet | undefined;
  readonly total: number;
}

/**
 * The lot in service: the data, what is derived from it once, and scratch arrays that every call uses again. A
 * selection lies in that scratch: it is good until the next `select`, so nothing may be awaited in between.
 */
export interface Lot {
  readonly data: LotData;
  readonly terms: Readonly<Record<TermField, TermColumn>>;
  /** Room for every row number. */
  readonly rowScratch: Uint32Array;
  select(filters: Filters): Selection;
}

/** Takes over data that was built elsewhere; costs one map entry for each distinct value of a column. */
export function adoptLot(data: LotData): Lot {
  const selected = new Uint32Array(rowSetWords(data.rowCount));
  const scratch = new Uint32Array(rowSetWords(data.rowCount));
  const terms = Object.fromEntries(
    TERM_FIELDS.map((field) => [field, adoptTermColumn(data.terms[field])]),
  ) as Record<TermField, TermColumn>;
  return {
    data,
    terms,
    rowScratch: new Uint32Array(data.rowCount),
    select(filters) {
      fillAll(selected, data.rowCount);
      const narrowed = narrow({ data, terms }, filters, selected, scratch);
      return narrowed
        ? { rows: selected, total: countRows(selected) }
        : { rows: undefined, total: data.rowCount };
    },
  };
}
