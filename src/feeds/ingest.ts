import path from 'node:path';
import type { FeedConfig } from '../config/config.ts';
import type { Log } from '../model/log.ts';
import { claim, claimCopy, giveBack, type ClaimedFile } from './inbox/claim.ts';
import { fileAway } from './inbox/file-away.ts';
import { fileFault } from './file-fault.ts';
import type { IngestServices } from './ingest-services.ts';
import { placesOf } from './inbox/places.ts';
import { rejectsText } from './rejects-file.ts';
import { toRunRecord, type RunReport } from './reporting/report.ts';
import { RunDraft } from './reporting/run-draft.ts';
import { stillWritten, takeIn, type TakeInOptions } from './take-in.ts';
import { visibleText } from './reporting/visible-text.ts';

/**
 * The way in of one file: claim → take in (fingerprint, unpack, decode, read, map, check, compare, guard, apply) →
 * record → file away with its reports. Undefined when the file is not to be had yet: gone, held by its uploader,
 * or still being written. Throws when disk or database fail; the file then waits in the work folder.
 */
export async function ingestFile(
  file: string,
  feed: FeedConfig,
  services: IngestServices,
  options: TakeInOptions = {},
): Promise<RunReport | undefined> {
  const places = placesOf(services.dataFolder, feed.id);
  const claimed = await claim(file, feed, places, services.clock.now());
  return claimed === undefined ? undefined : ingestClaimed(claimed, feed, services, options);
}

/** Takes a file in on a person's word: the original stays where it is, a copy goes the way of all files. */
export async function ingestCopy(
  file: string,
  feed: FeedConfig,
  services: IngestServices,
): Promise<RunReport> {
  const places = placesOf(services.dataFolder, feed.id);
  const claimed = await claimCopy(file, places, services.clock.now());
  const outcome = await takeIn(claimed, feed, services, {});
  return finish(claimed, outcome ?? stillWritten(claimed, feed, services), feed, services);
}

/** The same for a file that is ours already: one that an earlier stop left over, or a held one that is released. */
export async function ingestClaimed(
  claimed: ClaimedFile,
  feed: FeedConfig,
  services: IngestServices,
  options: TakeInOptions = {},
): Promise<RunReport | undefined> {
  const outcome = await takeIn(claimed, feed, services, options);
  if (outcome !== undefined) return finish(claimed, outcome, feed, services);
  services.log.info(
    { feed: feed.id, file: claimed.name },
    'file is not finished, as it seems, and is looked at again',
  );
  if (await giveBack(claimed, feed)) return undefined;
  return finish(claimed, stillWritten(claimed, feed, services), feed, services);
}

/** Refuses a file whose runs break off again and again, so that the feed can go on. */
export async function giveUp(
  claimed: ClaimedFile,
  feed: FeedConfig,
  services: IngestServices,
): Promise<RunReport> {
  const draft = new RunDraft(claimed.name, feed, services.clock);
  return finish(claimed, draft.failed([fileFault('internal_error')]), feed, services);
}

async function finish(
  claimed: ClaimedFile,
  report: RunReport,
  feed: FeedConfig,
  services: IngestServices,
): Promise<RunReport> {
  await services.intake.recordRun(toRunRecord(report));
  const rejects = rejectsText(claimed.path, report, feed, services);
  const target = await fileAway(claimed, report, rejects, placesOf(services.dataFolder, report.feedId));
  logRun(report, path.basename(target), services.log);
  return report;
}

function logRun(report: RunReport, filedAs: string, log: Log): void {
  const { rows, accepted, rejected, added, changed, unchanged, removed } = toRunRecord(report);
  const facts = {
    run_id: report.runId,
    feed: report.feedId,
    file: visibleText(filedAs),
    status: report.status,
    ...(report.problem === undefined ? {} : { code: report.problem.code }),
    ...{ rows, accepted, rejected, added, changed, unchanged, removed },
    duration_ms: report.durationMs,
  };
  const message = `feed run ${report.status}`;
  if (report.status === 'ok' || report.status === 'partial') log.info(facts, message);
  else log.warn(facts, message);
}
