import type { Filters } from '../inventory.ts';
import { narrow } from './filters.ts';
import { TERM_FIELDS, type TermField } from './fields.ts';
import type { LotData } from './lot-data.ts';
import { Narrowing } from './narrowing.ts';
import { narrowByPlace, queryScratch } from './query.ts';
import { countRows, dropRows, type RowSet, rowSetWords } from './row-set.ts';
import type { Synonyms } from './synonyms.ts';
import { adoptTermColumn, type TermColumn } from './term-column.ts';
import { queryWords } from './words.ts';

/** Some of the lot's rows. */
interface SelectedRows {
  readonly rows: RowSet;
  readonly total: number;
}

/** The rows that pass a request's filters. `rows` undefined = all of them. */
export type Selection = SelectedRows | { readonly rows: undefined; readonly total: number };

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
  /**
   * The rows of the selection by how well they match its free text, best first: those that have every word in make,
   * model, trim, year or stock number, then in colours, features and other facts as well, then in the description as
   * well. Without free text all are alike. Good until the next `select`.
   */
  rank(selection: Selection, filters: Filters): readonly Selection[];
}

/** Takes over data that was built elsewhere; costs one map entry for each distinct value of a column. */
export function adoptLot(data: LotData, synonyms: Synonyms): Lot {
  const words = rowSetWords(data.rowCount);
  const narrowing = new Narrowing(new Uint32Array(words));
  const scratch = { rows: new Uint32Array(words), query: queryScratch(words) };
  const ranked = {
    inNames: new Uint32Array(words),
    inDetails: new Uint32Array(words),
    others: new Uint32Array(words),
  };
  const terms = Object.fromEntries(
    TERM_FIELDS.map((field) => [field, adoptTermColumn(data.terms[field])]),
  ) as Record<TermField, TermColumn>;
  return {
    data,
    terms,
    rowScratch: new Uint32Array(data.rowCount),
    select(filters) {
      narrowing.begin();
      narrow({ data, terms, synonyms }, filters, narrowing, scratch);
      return narrowing.isNarrowed
        ? { rows: narrowing.rows, total: narrowing.total }
        : { rows: undefined, total: data.rowCount };
    },
    rank(selection, { query }) {
      const isText = query !== undefined && queryWords(query).length > 0;
      if (!isText || selection.rows === undefined || selection.total === 0) return [selection];
      const { inNames, inDetails, others } = ranked;
      for (const set of [inNames, inDetails, others]) set.set(selection.rows);
      narrowByPlace({ data, terms, synonyms }, query, ranked, scratch.query);
      dropRows(others, inDetails);
      dropRows(inDetails, inNames);
      return [inNames, inDetails, others].map((rows) => ({ rows, total: countRows(rows) }));
    },
  };
}
