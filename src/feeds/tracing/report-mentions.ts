import type { RunStatus } from '../../model/intake.ts';
import type { ReportedRow, RunReport } from '../reporting/report.ts';
import type { StoredReport } from '../reporting/stored-reports.ts';
import type { SoughtVehicle } from './sought-vehicle.ts';

/** What a report says of one row of the vehicle. */
export interface Mention {
  runId: string;
  feedId: string;
  fileName: string;
  finishedAt: string;
  /** Of the run. */
  status: RunStatus;
  /** `refused`: not taken in. `removal`: the row asked to take it off the lot. `warning`: taken in, but odd. */
  kind: 'refused' | 'removal' | 'warning';
  row: number;
  line: number;
  code: string;
  message: string;
  remedy?: string;
}

/** Every row of the reports that is about the vehicle, in the order of the reports. */
export function mentionsIn(reports: readonly StoredReport[], sought: SoughtVehicle): Mention[] {
  return reports.flatMap(({ report }) => [
    ...mentionsOf('refused', report, report.rejections, sought),
    ...mentionsOf('removal', report, report.removals, sought),
    ...mentionsOf('warning', report, report.warnings, sought),
  ]);
}

function mentionsOf(
  kind: Mention['kind'],
  report: RunReport,
  rows: readonly ReportedRow[],
  sought: SoughtVehicle,
): Mention[] {
  const { runId, feedId, file, finishedAt, status } = report;
  return rows
    .filter(({ key, value }) => sought.is(key) || sought.is(value))
    .map(({ row, line, code, message, remedy }) => ({
      ...{ runId, feedId, fileName: file.name, finishedAt, status, kind, row, line, code, message },
      ...(remedy === undefined ? {} : { remedy }),
    }));
}
