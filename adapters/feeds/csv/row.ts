import type { Cells, RowNote } from '../../../src/adapters/index.ts';
import { announcedCount, type AnnouncedCount } from './announced-count.ts';
import { judgeAsHeader } from './header-again.ts';
import { isBlank, type Header } from './header.ts';
import type { FoundRecord } from './record-source.ts';

/** What the file's shape says about one record. */
export interface JudgedRow {
  readonly cells: Cells;
  readonly rejection?: RowNote;
  readonly warnings?: readonly RowNote[];
  /** It is a line that tells how many vehicles there are. */
  readonly announced?: AnnouncedCount;
  /** It is a line that says that the file ends here. */
  readonly isLastLine?: boolean;
}

const LONGEST_TEXT_SHOWN = 60;
/** Below the rows of some exports; no half row, though no line break may end it. */
const LAST_LINE = /^[^a-z0-9]{0,20}(?:end|eof|end of (?:file|data|report|export|inventory))[^a-z0-9]{0,20}$/i;

export function judgeRow(
  record: FoundRecord,
  values: readonly string[],
  header: Header,
  maxCellCharacters: number,
): JudgedRow | 'no-row' | 'other-header' {
  const cells = new RowCells(header, values);
  if (record.rejection !== undefined) {
    const { rejection: code, line, lines } = record;
    if (code === 'row_truncated')
      return { cells, rejection: { code, detail: 'file ends inside a quoted field' } };
    const detail = { detail: `lines ${line} to ${line + lines - 1}` };
    return { cells, rejection: { code, ...(lines > 1 && detail) } };
  }
  if (values.every(isBlank)) return 'no-row';
  const headerAgain = judgeAsHeader(values, header);
  if (headerAgain !== undefined) return headerAgain === 'same' ? 'no-row' : 'other-header';
  const announced = header.namedWidth >= 3 ? announcedCount(values) : undefined;
  if (announced !== undefined) {
    const line = values.filter((value) => !isBlank(value)).map((value) => value.trim());
    return { cells, announced, rejection: noVehicle(line.join(' ')) };
  }
  if (isLastLine(values, header))
    return { cells, isLastLine: true, rejection: noVehicle((values[0] ?? '').trim()) };
  const rejection = rejectByShape(record, values, header, maxCellCharacters);
  if (rejection !== undefined) return { cells, rejection };
  const warnings: RowNote[] = [];
  if (record.wasRepaired) warnings.push({ code: 'quote_repaired' });
  if (values.length < header.namedWidth) warnings.push({ code: 'row_short', detail: widths(values, header) });
  return warnings.length === 0 ? { cells } : { cells, warnings };
}

function isLastLine(values: readonly string[], header: Header): boolean {
  return header.namedWidth >= 3 && LAST_LINE.test(values[0] ?? '') && values.slice(1).every(isBlank);
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
    return noVehicle((values[0] ?? '').trim());
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

function noVehicle(line: string): RowNote {
  return { code: 'row_not_a_vehicle', detail: `line '${line.slice(0, LONGEST_TEXT_SHOWN)}'` };
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
