import type { FeedConfig } from '../config/config.ts';
import type { StagedRun } from '../model/intake.ts';
import type { Problem } from '../model/problem.ts';
import type { ClaimedFile } from './inbox/claim.ts';
import {
  doubtedLastRow,
  endsBefore,
  endsTooEarly,
  lackedEndOfLastFile,
  withdrawCutRow,
} from './cut-short.ts';
import { decode } from './reading/decode.ts';
import { fileFault } from './file-fault.ts';
import { fingerprint } from './fingerprint.ts';
import type { IngestServices } from './ingest-services.ts';
import {
  doubtOf,
  doubtOfDelta,
  doubtOfValues,
  looksLikeHalf,
  olderThanLast,
  recallLastRuns,
  stalenessOf,
} from './judge-file.ts';
import { tellLostPhotos } from './lost-values.ts';
import { limitsOf } from './limits.ts';
import { inspectFile, type PlainFile } from './reading/plain-file.ts';
import { prepareFeed, type PreparedFeed } from './prepare-feed.ts';
import { readRows } from './reading/read.ts';
import { recogniserOf } from './recognition.ts';
import { ProgressMeter, progressToLog } from './reporting/progress.ts';
import type { RunReport } from './reporting/report.ts';
import { RunDraft } from './reporting/run-draft.ts';
import { stageRows } from './stage-rows.ts';
import { Tally } from './reporting/tally.ts';
import {
  tellDuplicates,
  tellElsewhere,
  tellJoins,
  tellOutdated,
  tellRefusedAbsent,
  tellStockOfOthers,
} from './tell-vehicles.ts';
import { unpack } from './reading/unpack.ts';

export interface TakeInOptions {
  /** A held run that a person releases: it keeps its id, and the guard stays silent. */
  releasedRunId?: string;
  /** It only waited behind the one that was released: all else that speaks against it counts, and it keeps its turn. */
  waitedSince?: string;
  /** The file was met before and not finished: it cannot confirm itself. */
  again?: boolean;
  /** The file came to rest only a moment ago: if it looks like half of one, its uploader may only be pausing. */
  mayStillGrow?: boolean;
}

/**
 * One file from its bytes to the lot, step by step. Whatever is wrong with the file is told in the report and
 * leaves the lot as it was. Undefined when the file changed under our hands: its uploader is not done yet.
 */
export async function takeIn(
  claimed: ClaimedFile,
  feed: FeedConfig,
  services: IngestServices,
  options: TakeInOptions,
): Promise<RunReport | undefined> {
  const draft = new RunDraft(claimed.name, feed, services.clock, options.releasedRunId);
  const inspected = await inspectFile(claimed.path);
  if (!inspected.ok) return draft.failed(inspected.problems);
  const file = inspected.value;
  draft.describeFile(file);
  try {
    const report = await run(file, feed, services, options, draft);
    if (report?.status === 'held' && options.waitedSince !== undefined)
      return { ...report, startedAt: options.waitedSince };
    if (report?.status !== 'failed') return report;
    if (options.mayStillGrow === true && looksLikeHalf(report)) return undefined;
    return (await hasChanged(file)) ? undefined : report;
  } catch (error) {
    if (await hasChanged(file)) return undefined;
    throw error;
  }
}

/** The report of a file of which no second look can be taken. */
export function stillWritten(claimed: ClaimedFile, feed: FeedConfig, services: IngestServices): RunReport {
  const draft = new RunDraft(claimed.name, feed, services.clock);
  return draft.failed([fileFault('file_unreadable', 'it changed while it was read')]);
}

async function run(
  file: PlainFile,
  feed: FeedConfig,
  services: IngestServices,
  options: TakeInOptions,
  draft: RunDraft,
): Promise<RunReport | undefined> {
  draft.file.fingerprint = await fingerprint(file);
  const staleness = stalenessOf(file, feed, services.clock.now());
  // One that a person releases has grown old while it waited for them.
  if (staleness !== undefined && options.releasedRunId === undefined) return draft.failed([staleness]);
  const prepared = await prepareFeed(feed, services);
  if (!prepared.ok) return draft.failed(prepared.problems);
  const { reader, readerOptions, checkSettings, isSecret, supplements, profile } = prepared.value;
  const { mode } = checkSettings;
  draft.mode = mode;
  draft.tally = new Tally(isSecret);

  const limits = limitsOf(feed);
  const meter = new ProgressMeter(
    { feedId: feed.id, fileName: draft.file.name, bytes: file.size },
    services.clock,
    services.progress ?? progressToLog(services.log),
  );
  const unpacked = await unpack(file.path, limits.unpack, (bytes) => meter.read(bytes));
  if (!unpacked.ok) return draft.failed(unpacked.problems);
  draft.file.container = unpacked.value.container;
  const decoded = await decode(unpacked.value);
  if (!decoded.ok) return draft.failed(decoded.problems);
  draft.file.encoding = decoded.value.encoding;

  const { runId } = draft;
  const confirmedAt = Math.min(services.clock.now(), file.modifiedMs);
  const { intake, vehicleFeeds: keptFeeds } = services;
  const { grace_files: graceFiles = 0 } = feed;
  const staged = await intake.beginRun({
    ...{ runId, feedId: feed.id, mode, confirmedAt, graceFiles },
    ...(supplements && { supplements }),
    ...(keptFeeds && { keptFeeds }),
  });
  try {
    const [last] = await intake.listRuns({ feedId: feed.id, limit: 1, takenIn: true });
    checkSettings.dealers.begin(last?.dealer);
    const known = await staged.knownRecords?.();
    const reading = readRows(decoded.value, reader, readerOptions, limits.read, {
      mustEndWithLineBreak: decoded.value.endsInsideCharacter === true,
      recogniser: known && recogniserOf(known, prepared.value.settings),
    });
    meter.begin(() => draft.tally.rows);
    const ends = await endsBefore(feed, mode, intake);
    const refusal = await stageRows(reading, prepared.value, staged, draft, services.signal, ends.mustEnd);
    if (refusal !== undefined) return draft.failed([refusal]);
    const { isIncomplete, endsWithLineBreak, unterminated } = reading.facts();
    if (unterminated !== undefined) draft.unterminatedRow = (await staged.contentOf(unterminated.row)) ?? '';
    const doubted = unterminated && (await doubtedLastRow(ends, unterminated, staged));
    const rowIsCut = doubted !== undefined && (await withdrawCutRow(doubted, staged, draft.tally));
    await tellDuplicates(staged, draft.tally);
    await tellElsewhere(staged, draft.tally);
    await tellOutdated(staged, draft.tally);
    draft.joined = await tellJoins(staged, draft.tally);
    const isCut = doubted !== undefined && (await endsTooEarly(doubted, rowIsCut, staged, draft.tally));
    const isComplete = !isIncomplete && !isCut;
    const { rows, accepted, removals, dismissals } = draft.tally;
    const isEmpty = accepted + removals.total + dismissals === 0;
    if (isEmpty && rows > 0) return draft.failed([fileFault('no_vehicles', profile.sent_beside)]);

    const scope = { everywhere: isEmpty, rooftopIds: [...draft.tally.rooftopIds] };
    draft.rooftops = await staged.compare(scope);
    await tellStockOfOthers(staged, draft.tally);
    await recallLastRuns(draft, feed, intake, options);
    const doubt = await whyHeld(file, prepared.value, staged, draft, { feed, services, isEmpty, isComplete });
    const isLastWord = draft.releasedBy !== undefined;
    if (doubt !== undefined && !isLastWord && options.mayStillGrow !== true) return draft.held(doubt);
    const mayLackEnd = mode === 'full' && isComplete && !isEmpty && !isLastWord;
    const lackedEnd = mayLackEnd ? await lackedEndOfLastFile(feed, reading, staged, draft) : undefined;
    const isWhole = isComplete && lackedEnd === undefined;
    if (options.mayStillGrow === true && (doubt !== undefined || !isWhole)) return undefined;
    if (await hasChanged(file)) return undefined;
    services.signal?.throwIfAborted();
    // An end that may be no end does not show how the feed's files end.
    if (isWhole) draft.endsWithLineBreak = endsWithLineBreak;
    if (isWhole) await tellRefusedAbsent(staged, draft.tally);
    await tellLostPhotos(prepared.value, draft, staged);
    draft.rooftops = await staged.apply({
      ...scope,
      removeAbsent: isComplete,
      isLastWord,
      ...(lackedEnd && { spareLackedEnd: lackedEnd }),
    });
    return draft.finished(isWhole);
  } finally {
    await staged.discard();
  }
}

/** Why the file waits for a person, if it does. */
async function whyHeld(
  file: PlainFile,
  prepared: PreparedFeed,
  staged: StagedRun,
  draft: RunDraft,
  about: { feed: FeedConfig; services: IngestServices; isEmpty: boolean; isComplete: boolean },
): Promise<Problem | undefined> {
  const { feed, services } = about;
  return (
    (await olderThanLast(file, feed, draft, services)) ??
    (draft.mode === 'full'
      ? doubtOf(draft.rooftops, feed, about)
      : await doubtOfDelta(draft.rooftops, feed, services.intake, draft.runId)) ??
    (await doubtOfValues(prepared, staged, draft, services))
  );
}

async function hasChanged(file: PlainFile): Promise<boolean> {
  const now = await inspectFile(file.path);
  return !now.ok || now.value.size !== file.size || now.value.modifiedMs !== file.modifiedMs;
}
