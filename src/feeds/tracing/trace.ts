import type { FeedConfig } from '../../config/config.ts';
import type { RunStatus } from '../../model/intake.ts';
import type { IngestServices } from '../ingest-services.ts';
import type { RunReport } from '../reporting/report.ts';
import { readStoredReports, type StoredReport } from '../reporting/stored-reports.ts';
import { findInFile, type FoundRow } from './find-in-file.ts';
import { mentionsIn, type Mention } from './report-mentions.ts';
import { SoughtVehicle } from './sought-vehicle.ts';

/** A file in which the vehicle was looked for. */
export interface Sighting {
  runId: string;
  fileName: string;
  finishedAt: string;
  status: RunStatus;
  /** Empty: the file does not have it. */
  rows: FoundRow[];
}

/** What the files and reports of one feed say of a vehicle. */
export interface FeedTrace {
  feedId: string;
  /** Refused, removed or odd rows in the last reports, newest first. */
  mentions: Mention[];
  /** The newest file of those taken in that has it. */
  lastSeen?: Sighting;
  /** Files that wait for a person, newest first, whether they have it or not. */
  held: Sighting[];
  /** The reports that were looked through, newest first. */
  reports: RunReport[];
}

const REPORTS_A_FEED = 50;
/** Files taken in that are read through again; one that went off long ago is not looked for further back. */
const FILES_READ_AGAIN = 3;

/** Looks for a VIN or stock number in what the feed has left in done, failed and held. Changes nothing. */
export async function traceInFeed(
  asked: string,
  feed: FeedConfig,
  services: Pick<IngestServices, 'dataFolder' | 'rooftops'>,
): Promise<FeedTrace> {
  const sought = new SoughtVehicle(asked);
  const stored = await readStoredReports(services.dataFolder, feed.id, REPORTS_A_FEED);
  const look = async ({ report, file }: StoredReport): Promise<Sighting | undefined> => {
    const rows = await findInFile(file, feed, services, sought);
    if (rows === undefined) return undefined;
    const { runId, finishedAt, status } = report;
    return { runId, fileName: report.file.name, finishedAt, status, rows };
  };
  const held: Sighting[] = [];
  for (const each of stored.filter(({ report }) => report.status === 'held').slice(0, FILES_READ_AGAIN)) {
    held.push(...[await look(each)].filter((sighting) => sighting !== undefined));
  }
  const taken = stored.filter(({ report: { status } }) => status === 'ok' || status === 'partial');
  let lastSeen: Sighting | undefined;
  for (const each of taken.slice(0, FILES_READ_AGAIN)) {
    lastSeen = await look(each);
    if (lastSeen !== undefined && lastSeen.rows.length > 0) break;
  }
  return {
    feedId: feed.id,
    mentions: mentionsIn(stored, sought),
    ...(lastSeen === undefined || lastSeen.rows.length === 0 ? {} : { lastSeen }),
    held,
    reports: stored.map(({ report }) => report),
  };
}

/** The run that took a vehicle off the lot: leaving is stamped with the time of the file that no longer has it. */
export function leavingRun(reports: readonly RunReport[], leftAt: number): RunReport | undefined {
  const confirmedAt = ({ startedAt, file }: RunReport): number =>
    Math.min(Date.parse(startedAt), Date.parse(file.modifiedAt));
  return reports.find((report) => report.removed > 0 && Math.abs(confirmedAt(report) - leftAt) < 1000);
}
