import type { Cells } from '../../adapters/feed-reader.ts';
import { normaliseColumnPath } from '../../model/column.ts';
import { csvLine } from '../../model/csv.ts';
import type { ReportedRow } from './report.ts';
import { compileShowCell, type ShowCell } from './shown-cells.ts';

/** What the table says of a refused row before its own cells follow. */
const REASON_COLUMNS = ['row', 'line', 'code', 'field', 'value', 'reason', 'what_to_do'] as const;

/** Between the texts of one column, where a record has several (photos of an XML feed). */
const BETWEEN_TEXTS = '|';

/**
 * Refused rows as a CSV that can go back to the vendor: why, then the row as it came. Columns that are the
 * dealer's secret (cost, invoice) are left out, since nobody knows through whose hands the table goes.
 */
export class RejectsTable {
  readonly #columns: readonly { name: string; show: ShowCell }[];
  readonly #hasSecrets: boolean;

  /** `columns` are those of the file, as it spells them. */
  constructor(columns: readonly string[], isSecret: (column: string) => boolean) {
    const published = columns.filter((column) => !isSecret(column));
    const keys = new Set(columns.map(normaliseColumnPath));
    this.#columns = published.map((name) => ({ name, show: compileShowCell(name, keys, isSecret) }));
    this.#hasSecrets = published.length < columns.length;
  }

  header(): string {
    return csvLine([...REASON_COLUMNS, ...this.#columns.map(({ name }) => name)]);
  }

  /**
   * `hasSlipped`: the reader itself refused the row, so its values may stand under other columns than their own;
   * then a cost could stand under a harmless one, and the cells are shown only of files that have no such column.
   */
  line(rejected: ReportedRow, cells: Cells, hasSlipped: boolean): string {
    const { row, line, code, field = '', value = '', message, remedy = '' } = rejected;
    const reason = [String(row), String(line), code, field, value, message, remedy];
    const isHidden = hasSlipped && this.#hasSecrets;
    const original = this.#columns.map(({ show }) => (isHidden ? '' : show(cells).join(BETWEEN_TEXTS)));
    return csvLine([...reason, ...original]);
  }
}
