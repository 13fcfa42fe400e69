import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../files/patience.ts';
import { placesOf } from '../inbox/places.ts';
import type { RunReport } from './report.ts';

const ENDING = '.report.json';
/** A report lists ten thousand rows of each kind at most; what is larger was not written by the bridge. */
const LARGEST_REPORT_BYTES = 32 * 1024 * 1024;

/** A report that lies beside its file in done, failed or held. */
export interface StoredReport {
  report: RunReport;
  /** Absolute path of the file it tells of; it may have been taken away. */
  file: string;
  /** A person said no to the held run that the report tells of. */
  isDiscarded: boolean;
}

/** The feed's newest reports, newest first. What cannot be read as a report is passed over. */
export async function readStoredReports(
  dataFolder: string,
  feedId: string,
  most: number,
): Promise<StoredReport[]> {
  const { done, failed, held } = placesOf(dataFolder, feedId);
  const files = (await Promise.all([done, failed, held].map(reportsIn))).flat();
  // Names begin with the time at which the file was claimed.
  const newest = files.sort((a, b) => (path.basename(a) < path.basename(b) ? 1 : -1)).slice(0, most);
  const reports = await Promise.all(newest.map((file) => readReport(file, failed)));
  return reports.filter((report) => report !== undefined);
}

async function reportsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(ENDING)).map((name) => path.join(folder, name));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function readReport(file: string, failed: string): Promise<StoredReport | undefined> {
  try {
    const facts = await stat(file);
    if (!facts.isFile() || facts.size > LARGEST_REPORT_BYTES) return undefined;
    const report = JSON.parse(await readFile(file, 'utf8')) as Partial<RunReport> | null;
    if (report?.runId === undefined || report.rejections === undefined || report.file === undefined)
      return undefined;
    const isDiscarded = report.status === 'held' && path.dirname(file) === failed;
    return { report: report as RunReport, file: file.slice(0, -ENDING.length), isDiscarded };
  } catch (error) {
    // Moved or taken away since the folder was read, or no JSON.
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
