import type { Cells } from '../../../adapters/feed-reader.ts';
import { UNKNOWN_VEHICLE, type AttributeValue, type Vehicle } from '../../../model/vehicle.ts';
import { holdsRecord } from '../fields/json-cell.ts';
import type { CellSource } from './cell-source.ts';
import type { RowRejectionCode, RowWarningCode } from '../../problems.ts';
import type { Rejection, RowWarning } from '../../records.ts';

/** A row on its way from cells to a vehicle. Field mappers fill it, one after the other. */
export class RowDraft {
  readonly cells: Cells;
  readonly vehicle: Vehicle = { ...UNKNOWN_VEHICLE };
  readonly warnings: RowWarning[];

  constructor(cells: Cells, warnings: readonly RowWarning[]) {
    this.cells = cells;
    this.warnings = [...warnings];
  }

  warn(code: RowWarningCode, source?: CellSource, value?: string, detail?: string): void {
    this.warnings.push({ code, ...this.#facts(source, value, detail) });
  }

  rejection(code: RowRejectionCode, source?: CellSource, value?: string, detail?: string): Rejection {
    return { code, ...this.#facts(source, value, detail) };
  }

  setAttribute(name: string, value: AttributeValue): void {
    this.vehicle.other_attributes ??= {};
    this.vehicle.other_attributes[name] ??= value;
  }

  #facts(source: CellSource | undefined, value: string | undefined, detail: string | undefined) {
    return {
      ...(source === undefined ? {} : { field: source.columnOf(this.cells) }),
      // A record of its own may hold what the vehicle cost.
      ...(value === undefined ? {} : { value: holdsRecord(value) ? '{…}' : value }),
      ...(detail === undefined ? {} : { detail }),
    };
  }
}

/** Reads its columns and writes its field; leaves the field absent when there is nothing sound to write. */
export type FieldMapper = (draft: RowDraft) => void;
