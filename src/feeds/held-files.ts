import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FeedConfig } from '../config/config.ts';
import { unstampedName } from './inbox/file-name.ts';
import { ingestClaimed } from './ingest.ts';
import type { IngestServices } from './ingest-services.ts';
import type { TakeInOptions } from './take-in.ts';
import type { RunRecord } from '../model/intake.ts';
import { namesIn } from '../files/names-in.ts';
import { moveFile } from './inbox/move-file.ts';
import { freePath, placesOf } from './inbox/places.ts';
import { moveReports, removeReports, REPORT_ENDINGS } from './inbox/report-files.ts';
import type { RunReport } from './reporting/report.ts';

/** Path of the file that a held run waits with; undefined when the run is not held, or no more. */
export async function findHeldFile(
  runId: string,
  feedId: string,
  dataFolder: string,
): Promise<string | undefined> {
  const { held } = placesOf(dataFolder, feedId);
  for (const name of await namesIn(held)) {
    if (!name.endsWith(REPORT_ENDINGS.json)) continue;
    if ((await runIdIn(path.join(held, name))) === runId)
      return path.join(held, name.slice(0, -REPORT_ENDINGS.json.length));
  }
  return undefined;
}

/**
 * A person has said yes: the held file is taken in as it is, whatever the shrink guard says. It stays where it
 * lies until it is done, so that a stop in the middle leaves it held.
 */
export async function releaseHeldFile(
  file: string,
  runId: string,
  feed: FeedConfig,
  services: IngestServices,
  options: Pick<TakeInOptions, 'waitedSince'> = {},
): Promise<RunReport | undefined> {
  const claimed = { path: file, name: unstampedName(path.basename(file)), origin: file };
  const report = await ingestClaimed(claimed, feed, services, { ...options, releasedRunId: runId });
  // It has new reports beside it in its new place; the old ones say "held".
  await removeReports(file);
  return report;
}

/**
 * Deltas that only waited behind one that a person has released follow it, in the order in which they came, up to the
 * first that waits for a reason of its own: nobody has said yes to that. One that is older than what has been taken in
 * goes on waiting and keeps back no other. `held`: the runs that wait, oldest first.
 */
export async function releaseThoseBehind(
  held: readonly RunRecord[],
  feed: FeedConfig,
  services: IngestServices,
): Promise<RunReport[]> {
  const reports: RunReport[] = [];
  for (const { runId, feedId, code, startedAt: waitedSince } of held) {
    if (feedId !== feed.id || code === 'delta_older') continue;
    const file = code === 'delta_waits' ? await findHeldFile(runId, feedId, services.dataFolder) : undefined;
    if (file === undefined) break;
    const report = await releaseHeldFile(file, runId, feed, services, { waitedSince });
    if (report === undefined) break;
    reports.push(report);
    if (report.status === 'held' && report.problem?.code !== 'delta_older') break;
  }
  return reports;
}

/** A person has said no: the file goes to failed, its reports with it. */
export async function discardHeldFile(file: string, feedId: string, dataFolder: string): Promise<string> {
  const { failed } = placesOf(dataFolder, feedId);
  const target = await freePath(failed, path.basename(file));
  await moveReports(file, target);
  await moveFile(file, target);
  return target;
}

/** Undefined for a report that was cut short or edited: it must not stand in the way of the others. */
async function runIdIn(reportFile: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(reportFile, 'utf8')) as Partial<RunReport> | null)?.runId;
  } catch {
    return undefined;
  }
}
