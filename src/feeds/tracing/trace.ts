import type { FeedConfig } from '../../config/config.ts';
import type { RunStatus } from '../../model/intake.ts';
import type { IngestServices } from '../ingest-services.ts';
import type { RunReport } from '../reporting/report.ts';
import { readStoredReports, type StoredReport } from '../reporting/stored-reports.ts';
import { findInFile, type FoundRow } from './find-in-file.ts';
import { mentionsIn, type Mention } from './report-mentions.ts';
import type { SoughtVehicle } from './sought-vehicle.ts';

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
  /** The feed's newest file, where it was refused as a whole: whatever it says has not come to the lot. */
  refusedFile?: RefusedFile;
  /** The reports that were looked through, newest first. */
  reports: RunReport[];
}

export interface RefusedFile {
  runId: string;
  fileName: string;
  finishedAt: string;
  code: string;
  message: string;
  remedy?: string;
}

const REPORTS_A_FEED = 50;
/** Files taken in that are read through again; one that went off long ago is not looked for further back. */
const FILES_READ_AGAIN = 3;

/** Looks for a vehicle in what the feed has left in done, failed and held. Changes nothing. */
export async function traceInFeed(
  sought: SoughtVehicle,
  feed: FeedConfig,
  services: Pick<IngestServices, 'dataFolder' | 'rooftops'>,
): Promise<FeedTrace> {
  const stored = await readStoredReports(services.dataFolder, feed.id, REPORTS_A_FEED);
  const look = async ({ report, file }: StoredReport): Promise<Sighting | undefined> => {
    const rows = await findInFile(file, feed, services, sought);
    if (rows === undefined) return undefined;
    const { runId, finishedAt, status } = report;
    return { runId, fileName: report.file.name, finishedAt, status, rows };
  };
  const held: Sighting[] = [];
  for (const each of waitingOf(stored).slice(0, FILES_READ_AGAIN)) {
    held.push(...[await look(each)].filter((sighting) => sighting !== undefined));
  }
  const taken = stored.filter(({ report: { status } }) => status === 'ok' || status === 'partial');
  let lastSeen: Sighting | undefined;
  for (const each of taken.slice(0, FILES_READ_AGAIN)) {
    lastSeen = await look(each);
    if (lastSeen !== undefined && lastSeen.rows.length > 0) break;
  }
  const refusedFile = refusedAsNewest(stored.map(({ report }) => report));
  return {
    feedId: feed.id,
    mentions: mentionsIn(stored, sought),
    ...(lastSeen === undefined || lastSeen.rows.length === 0 ? {} : { lastSeen }),
    held,
    ...(refusedFile === undefined ? {} : { refusedFile }),
    reports: stored.map(({ report }) => report),
  };
}

/**
 * The held files that can still be released: those that came after the last file taken in. A discarded one has been
 * put to the failed ones with its report, which goes on saying "held".
 */
function waitingOf(newestFirst: readonly StoredReport[]): StoredReport[] {
  const lastTaken = newestFirst.findIndex(
    ({ report: { status } }) => status === 'ok' || status === 'partial',
  );
  const since = lastTaken < 0 ? newestFirst : newestFirst.slice(0, lastTaken);
  return since.filter(({ report, isDiscarded }) => report.status === 'held' && !isDiscarded);
}

function refusedAsNewest([newest]: readonly RunReport[]): RefusedFile | undefined {
  if (newest?.status !== 'failed' || newest.problem === undefined) return undefined;
  const { runId, file, finishedAt, problem } = newest;
  const { code, message, remedy } = problem;
  const advice = remedy === undefined ? {} : { remedy };
  return { runId, fileName: file.name, finishedAt, code, message, ...advice };
}

/** The run that took a vehicle off the lot: leaving is stamped with the time of the file that no longer has it. */
export function leavingRun(reports: readonly RunReport[], leftAt: number): RunReport | undefined {
  const confirmedAt = ({ startedAt, file }: RunReport): number =>
    Math.min(Date.parse(startedAt), Date.parse(file.modifiedAt));
  return reports.find((report) => report.removed > 0 && Math.abs(confirmedAt(report) - leftAt) < 1000);
}
