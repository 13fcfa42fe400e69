import type { RowNote } from '../../adapters/feed-reader.ts';
import type { Vehicle } from '../../model/vehicle.ts';
import { explain } from '../problems.ts';
import type { Rejection, RowWarning } from '../records.ts';
import type { FileWarning, ReportedRow } from './report.ts';
import { visibleText } from './visible-text.ts';

/** Rows told one by one, of each kind; the counts go on. Keeps the report of a hopeless file readable and small. */
const LISTED_ROWS = 10_000;

export interface RowPlace {
  row: number;
  line: number;
  key: string;
}

/** Rows that share a fate: all of them counted by code, the first of them listed. */
class RowList {
  total = 0;
  readonly counts: Record<string, number> = {};
  readonly rows: ReportedRow[] = [];

  add(code: string, describe: () => ReportedRow): void {
    this.total += 1;
    this.counts[code] = (this.counts[code] ?? 0) + 1;
    if (this.rows.length < LISTED_ROWS) this.rows.push(describe());
  }
}

/** Counts what became of the rows while they pass by. */
export class Tally {
  rows = 0;
  accepted = 0;
  rejected = new RowList();
  warned = new RowList();
  /** Rows of a delta feed that ask to take a vehicle off the lot. */
  removals = new RowList();
  /** What the accepted rows have, before those are taken back of which a vehicle has another. */
  readonly accepts = { vehicles: 0, priced: 0, stocked: 0 };
  /** Refused rows that say of their vehicle that it is gone. */
  dismissals = 0;
  /** Rooftops that such rows name: a rooftop of which the file says nothing that can be read is left as it is. */
  readonly rooftopIds = new Set<string>();
  readonly fileWarnings: FileWarning[] = [];
  readonly #isSecret: (column: string) => boolean;

  /** `isSecret` knows the columns (cost, invoice) whose values no report may show. */
  constructor(isSecret: (column: string) => boolean) {
    this.#isSecret = isSecret;
  }

  noteDismissal({ rooftopId }: { rooftopId: string }): void {
    this.dismissals += 1;
    this.rooftopIds.add(rooftopId);
  }

  /** A row of which nothing is told but that it is there, with all that it had before. */
  countRecognised(): void {
    this.rows += 1;
    this.accepted += 1;
    this.accepts.vehicles += 1;
    this.accepts.priced += 1;
    this.accepts.stocked += 1;
  }

  accept({ list_price, price, stock }: Vehicle): void {
    this.accepted += 1;
    this.accepts.vehicles += 1;
    if (list_price !== undefined || price !== undefined) this.accepts.priced += 1;
    if (stock !== undefined) this.accepts.stocked += 1;
  }

  reject(place: RowPlace, rejection: Rejection): void {
    this.rejected.add(rejection.code, () => this.#describe(place, rejection));
  }

  /** A row that was accepted and is refused after all. */
  withdraw(place: RowPlace, rejection: Rejection): void {
    this.accepted -= 1;
    this.reject(place, rejection);
  }

  warn(place: RowPlace, warning: RowWarning): void {
    this.warned.add(warning.code, () => this.#describe(place, warning));
  }

  askRemoval(place: RowPlace): void {
    this.removals.add('delta_delete', () => this.#describe(place, { code: 'delta_delete' }));
  }

  warnOfFile({ code, detail }: RowNote): void {
    this.fileWarnings.push({
      code,
      ...explain(code, detail === undefined ? {} : { detail: visibleText(detail) }),
    });
  }

  forgetRows(): void {
    this.accepted = 0;
    this.rejected = new RowList();
    this.warned = new RowList();
    this.removals = new RowList();
  }

  #describe(
    { row, line, key }: RowPlace,
    { code, field, value, detail }: Rejection | RowWarning,
  ): ReportedRow {
    const secret = field !== undefined && this.#isSecret(field);
    const facts = {
      ...(field === undefined ? {} : { field: visibleText(field) }),
      ...(value === undefined || secret ? {} : { value: visibleText(value) }),
    };
    const more = detail === undefined || secret ? {} : { detail: visibleText(detail) };
    return { row, line, key: visibleText(key), code, ...facts, ...explain(code, { ...facts, ...more }) };
  }
}
