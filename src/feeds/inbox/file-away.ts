import path from 'node:path';
import type { ClaimedFile } from './claim.ts';
import { moveFile, writeWhole } from './move-file.ts';
import { freePath, placeFor, type Places } from './places.ts';
import type { RunReport } from '../reporting/report.ts';
import { reportText } from '../reporting/report-text.ts';

/**
 * Puts a finished file to done, failed or held, its two reports beside it. The reports are written first: stopped
 * between the two, the file is still in the work folder and is taken in again; it never lies there unexplained.
 */
export async function fileAway(claimed: ClaimedFile, report: RunReport, places: Places): Promise<string> {
  const target = await freePath(placeFor(report.status, places), path.basename(claimed.path));
  await writeWhole(`${target}.report.json`, `${JSON.stringify(report, undefined, 2)}\n`);
  await writeWhole(`${target}.report.txt`, reportText(report));
  await moveFile(claimed.path, target);
  return target;
}
