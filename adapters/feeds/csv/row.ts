import type { Cells, RowNote } from '../../../src/adapters/index.ts';
import type { Header } from './header.ts';
import type { FoundRecord } from './record-source.ts';

/** What the file's shape says about one record. Undefined when it is no row: blank, or the header again. */
export interface JudgedRow {
  readonly cells: Cells;
  readonly rejection?: RowNote;
  readonly warnings?: readonly RowNote[];
}

const LONGEST_TEXT_SHOWN = 60;

export function judgeRow(
  record: FoundRecord,
  values: readonly string[],
  header: Header,
  maxCellCharacters: number,
): JudgedRow | undefined {
  const cells = new RowCells(header, values);
  if (record.rejection !== undefined) {
    const detail = record.rejection === 'row_truncated' ? 'file ends inside a quoted field' : undefined;
    return { cells, rejection: { code: record.rejection, ...(detail === undefined ? {} : { detail }) } };
  }
  if (values.every(isBlank) || isHeader(values, header)) return undefined;
  const rejection = rejectByShape(record, values, header, maxCellCharacters);
  if (rejection !== undefined) return { cells, rejection };
  const warnings: RowNote[] = [];
  if (record.wasRepaired) warnings.push({ code: 'quote_repaired' });
  if (values.length < header.namedWidth) warnings.push({ code: 'row_short', detail: widths(values, header) });
  return warnings.length === 0 ? { cells } : { cells, warnings };
}

function rejectByShape(
  record: FoundRecord,
  values: readonly string[],
  header: Header,
  maxCellCharacters: number,
): RowNote | undefined {
  if (record.isUnterminated && values.length < header.namedWidth) {
    return {
      code: 'row_truncated',
      detail: `file ends after ${values.length} of ${header.namedWidth} fields`,
    };
  }
  if (values.length === 1 && header.namedWidth >= 3) {
    return {
      code: 'row_not_a_vehicle',
      detail: `line '${(values[0] ?? '').trim().slice(0, LONGEST_TEXT_SHOWN)}'`,
    };
  }
  if (values.length > header.width && !values.slice(header.width).every(isBlank)) {
    return { code: 'row_too_long', detail: widths(values, header) };
  }
  const longest = values.findIndex((value) => value.length > maxCellCharacters);
  if (longest === -1) return undefined;
  const name = header.values[longest] ?? '';
  return { code: 'cell_too_large', detail: `${name}: ${values[longest]?.length ?? 0} characters` };
}

function widths(values: readonly string[], header: Header): string {
  return `${values.length} fields, header has ${header.width}`;
}

function isBlank(value: string): boolean {
  return value === '' || value.trim() === '';
}

function isHeader(values: readonly string[], header: Header): boolean {
  if (values.length !== header.values.length || values[0] !== header.values[0]) return false;
  return values.every((value, place) => value === header.values[place]);
}

/** A row's values seen through the header's places, which all rows share. */
class RowCells implements Cells {
  readonly #header: Header;
  readonly #values: readonly string[];

  constructor(header: Header, values: readonly string[]) {
    this.#header = header;
    this.#values = values;
  }

  get(column: string): readonly string[] | undefined {
    const value = this.text(column);
    return value === undefined ? undefined : [value];
  }

  text(column: string): string | undefined {
    const place = this.#header.places.get(column);
    return place === undefined ? undefined : this.#values[place];
  }

  keys(): Iterable<string> {
    return this.#header.places.keys();
  }
}
