import path from 'node:path';
import type { ClaimedFile } from './claim.ts';
import { disk, writeWhole } from '../../files/patient-files.ts';
import { moveFile } from './move-file.ts';
import { freePath, placeFor, type Places } from './places.ts';
import { REPORT_ENDINGS } from './report-files.ts';
import type { RunReport } from '../reporting/report.ts';
import { reportText } from '../reporting/report-text.ts';

/**
 * Puts a finished file to done, failed or held, its reports beside it. The reports are written first: stopped
 * in between, the file is still in the work folder and is taken in again; it never lies there unexplained.
 * `rejects` is the text of the refused rows; it is not looked at when there are none.
 */
export async function fileAway(
  claimed: ClaimedFile,
  report: RunReport,
  rejects: AsyncIterable<string>,
  places: Places,
): Promise<string> {
  const target = await freePath(placeFor(report.status, places), path.basename(claimed.path));
  if (report.rejections.length > 0) await writeWhole(`${target}${REPORT_ENDINGS.rejects}`, rejects);
  else await disk.remove(`${target}${REPORT_ENDINGS.rejects}`);
  await writeWhole(`${target}${REPORT_ENDINGS.json}`, `${JSON.stringify(report, undefined, 2)}\n`);
  await writeWhole(`${target}${REPORT_ENDINGS.text}`, reportText(report));
  await moveFile(claimed.path, target);
  return target;
}
