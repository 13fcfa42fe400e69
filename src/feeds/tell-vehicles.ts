import type { DuplicateRow, StagedRun } from '../model/intake.ts';
import type { RunReport } from './reporting/report.ts';
import type { Tally } from './reporting/tally.ts';

/** What the store knows of the staged rows only when all of them are there, told in the report. */

/** Rows that lost against another row of the same vehicle are refused after all; shared stock numbers are told. */
export async function tellDuplicates(staged: StagedRun, tally: Tally): Promise<void> {
  for (const duplicate of await staged.dropDuplicates()) {
    tally.withdraw(duplicate, { code: 'duplicate_vin', detail: duplicateDetail(duplicate) });
  }
  for (const shared of await staged.sharedStock()) {
    const detail = `also in row ${shared.otherRow}`;
    tally.warn(shared, { code: 'duplicate_stock', value: shared.stock, detail });
  }
  for (const removal of await staged.ambiguousRemovals()) {
    tally.warn(removal, { code: 'removal_ambiguous', detail: `${removal.matches} vehicles carry it` });
  }
}

/** Cars that another feed has at another rooftop: the older word loses, and each run tells its side. */
export async function tellElsewhere(staged: StagedRun, tally: Tally): Promise<void> {
  for (const row of await staged.settleElsewhere()) {
    const detail = `rooftop ${row.rooftopId}, feed ${row.feedId}`;
    if (row.isLost) tally.withdraw(row, { code: 'vin_at_other_rooftop', detail });
    else tally.warn(row, { code: 'vin_at_two_rooftops', detail });
  }
}

/** Rows of a file that has come late: another feed has said something else since, and that stays. */
export async function tellOutdated(staged: StagedRun, tally: Tally): Promise<void> {
  for (const row of await staged.settleOutdated()) {
    const detail = `feed ${row.feedId}`;
    if (row.isLost) tally.withdraw(row, { code: 'gone_since', detail });
    else tally.warn(row, { code: 'told_since', detail });
  }
}

/** Rows that mean two vehicles, one by the VIN and another by the stock number. */
export async function tellStockOfOthers(staged: StagedRun, tally: Tally): Promise<void> {
  for (const row of await staged.stockOfOthers()) {
    tally.warn(row, {
      code: 'stock_of_another',
      value: row.stock,
      detail: `that number is ${row.otherKey}'s`,
    });
  }
}

function duplicateDetail({ keptRow, reason, keptRooftopId }: DuplicateRow): string {
  const why = {
    identical: `identical to row ${keptRow}`,
    older: `row ${keptRow} has a newer date`,
    earlier_row: `row ${keptRow} comes later`,
  }[reason];
  return keptRooftopId === undefined ? why : `${why}, at rooftop ${keptRooftopId}`;
}

const NAMED_VEHICLES = 10;

/** A refused row is no listing, so its vehicle leaves as one that is absent: not what a person would expect. */
export async function tellRefusedAbsent(staged: StagedRun, tally: Tally): Promise<void> {
  const refused = new Set(tally.rejected.rows.map(({ key }) => key));
  const absent = await staged.absentAmong([...refused]);
  if (absent.length === 0) return;
  const more = absent.length > NAMED_VEHICLES ? ` and ${absent.length - NAMED_VEHICLES} more` : '';
  const detail = `${absent.slice(0, NAMED_VEHICLES).join(', ')}${more}`;
  tally.warnOfFile({ code: 'refused_and_removed', detail });
}

/** Of a companion feed: how many of its vehicles are on the lot. Rows that fit several or two of them are told. */
export async function tellJoins(staged: StagedRun, tally: Tally): Promise<RunReport['joined']> {
  const joins = await staged.joins();
  if (joins === undefined) return undefined;
  const { onLot, notOnLot, ambiguous, contradictory } = joins;
  for (const row of ambiguous) {
    tally.warn(row, {
      code: 'supplement_ambiguous',
      detail: `${row.matches} vehicles carry the stock number`,
    });
  }
  for (const row of contradictory) {
    const detail = `that number is ${row.stockVin}'s`;
    tally.warn(row, { code: 'supplement_contradictory', value: row.stock, detail });
  }
  return { onLot, notOnLot };
}
