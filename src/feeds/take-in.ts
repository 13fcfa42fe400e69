import type { FeedConfig } from '../config/config.ts';
import type { DuplicateRow, RooftopChange, RunRecord, StagedRun } from '../model/intake.ts';
import type { ClaimedFile } from './inbox/claim.ts';
import { lacksEndOfLastFile, mustEndWithLineBreak } from './cut-short.ts';
import { decode } from './reading/decode.ts';
import { fileFault } from './file-fault.ts';
import { fingerprint } from './fingerprint.ts';
import { describeShrinking, guard } from './guard.ts';
import { formatInstant } from '../model/clock.ts';
import type { Problem } from '../model/problem.ts';
import type { FileFaultCode } from './problems.ts';
import type { IngestServices } from './ingest-services.ts';
import { limitsOf } from './limits.ts';
import { inspectFile, type PlainFile } from './reading/plain-file.ts';
import { prepareFeed } from './prepare-feed.ts';
import { readRows } from './reading/read.ts';
import { recogniserOf } from './recognition.ts';
import { ProgressMeter, progressToLog } from './reporting/progress.ts';
import type { RunReport } from './reporting/report.ts';
import { RunDraft } from './reporting/run-draft.ts';
import { stageRows } from './stage-rows.ts';
import { Tally } from './reporting/tally.ts';
import { unpack } from './reading/unpack.ts';

export interface TakeInOptions {
  /** A held run that a person releases: it keeps its id, and the guard stays silent. */
  releasedRunId?: string;
  /** The file was met before and not finished: it cannot confirm itself. */
  again?: boolean;
  /** The file came to rest only a moment ago: if it looks like half of one, its uploader may only be pausing. */
  mayStillGrow?: boolean;
}

/** Held for shrinking, which the same file may confirm by coming again. */
const SHRUNK: ReadonlySet<string | undefined> = new Set<FileFaultCode>(['shrink_guard', 'companion_shrink']);

/** What is said of the first half of a file. */
const SIGNS_OF_HALF_A_FILE: ReadonlySet<string> = new Set<FileFaultCode>([
  'empty_file',
  'truncated_file',
  'archive_broken',
  'encoding_broken',
  'xml_not_well_formed',
  'missing_required_column',
  'no_vehicles',
]);

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
    if (report?.status !== 'failed') return report;
    if (options.mayStillGrow === true && SIGNS_OF_HALF_A_FILE.has(report.problem?.code ?? ''))
      return undefined;
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
  const { intake } = services;
  const { grace_files: graceFiles = 0 } = feed;
  const staged = await intake.beginRun({
    ...{ runId, feedId: feed.id, mode, confirmedAt, graceFiles },
    ...(supplements && { supplements }),
  });
  try {
    const known = await staged.knownRecords?.();
    const reading = readRows(decoded.value, reader, readerOptions, limits.read, {
      mustEndWithLineBreak: await mustEndWithLineBreak(feed, decoded.value, intake),
      recogniser: known && recogniserOf(known, prepared.value.settings),
    });
    meter.begin(() => draft.tally.rows);
    const refusal = await stageRows(reading, prepared.value, staged, draft, services.signal);
    if (refusal !== undefined) return draft.failed([refusal]);
    await tellDuplicates(staged, draft.tally);
    draft.joined = await tellJoins(staged, draft.tally);
    const { rows, accepted, removals } = draft.tally;
    const isEmpty = accepted + removals.total === 0;
    if (isEmpty && rows > 0) return draft.failed([fileFault('no_vehicles', profile.sent_beside)]);

    const { isIncomplete, endsWithLineBreak } = reading.facts();
    const isComplete = !isIncomplete;
    draft.endsWithLineBreak = endsWithLineBreak;
    draft.rooftops = await staged.compare({ everywhere: isEmpty });
    await recallLastRuns(draft, feed, services, options);
    const doubt = mode === 'full' ? doubtOf(draft.rooftops, feed, { isEmpty, isComplete }) : undefined;
    const isLastWord = draft.releasedBy !== undefined;
    if (doubt !== undefined && !isLastWord && options.mayStillGrow !== true) return draft.held(doubt);
    const mayLackEnd = mode === 'full' && isComplete && !isEmpty && !isLastWord;
    const spareLackedEnd = mayLackEnd && (await lacksEndOfLastFile(feed, reading, staged, draft.tally));
    if (options.mayStillGrow === true && (doubt !== undefined || !isComplete || spareLackedEnd))
      return undefined;
    if (await hasChanged(file)) return undefined;
    services.signal?.throwIfAborted();
    if (isComplete && !spareLackedEnd) await tellRefusedAbsent(staged, draft.tally);
    const everywhere = isEmpty;
    draft.rooftops = await staged.apply({ removeAbsent: isComplete, everywhere, spareLackedEnd, isLastWord });
    return draft.finished(isComplete && !spareLackedEnd);
  } finally {
    await staged.discard();
  }
}

const HOUR_MS = 3_600_000;

/** A file that lay about for days tells of cars that may be sold, whatever it says of them. */
function stalenessOf(
  { modifiedMs }: PlainFile,
  { max_age_hours: limit }: FeedConfig,
  now: number,
): Problem | undefined {
  const hours = (now - modifiedMs) / HOUR_MS;
  if (limit === undefined || hours <= limit) return undefined;
  const detail = `last changed ${formatInstant(modifiedMs)}, ${Math.floor(hours)} hours ago; at most ${limit}`;
  return fileFault('file_stale', detail);
}

/** Rows that lost against another row of the same vehicle are refused after all; shared stock numbers are told. */
async function tellDuplicates(staged: StagedRun, tally: Tally): Promise<void> {
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
async function tellRefusedAbsent(staged: StagedRun, tally: Tally): Promise<void> {
  const refused = new Set(tally.rejected.rows.map(({ key }) => key));
  const absent = await staged.absentAmong([...refused]);
  if (absent.length === 0) return;
  const more = absent.length > NAMED_VEHICLES ? ` and ${absent.length - NAMED_VEHICLES} more` : '';
  const detail = `${absent.slice(0, NAMED_VEHICLES).join(', ')}${more}`;
  tally.warnOfFile({ code: 'refused_and_removed', detail });
}

/** Of a companion feed: how many of its vehicles are on the lot. Rows that fit several or two of them are told. */
async function tellJoins(staged: StagedRun, tally: Tally): Promise<RunReport['joined']> {
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

/** Why a full file is not taken in before a person has looked at it, if there is a reason. */
function doubtOf(
  rooftops: readonly RooftopChange[],
  feed: FeedConfig,
  { isEmpty, isComplete }: { isEmpty: boolean; isComplete: boolean },
): Problem | undefined {
  const isCompanion = feed.supplements !== undefined;
  if (isEmpty) return fileFault(isCompanion ? 'companion_empty' : 'no_rows');
  const suspicious = isComplete ? guard(rooftops, feed.guard) : [];
  if (suspicious.length === 0) return undefined;
  const detail = suspicious.map((change) => describeShrinking(change, feed.guard)).join('; ');
  return fileFault(isCompanion ? 'companion_shrink' : 'shrink_guard', detail);
}

/**
 * What the feed's last runs say about this one: whether its bytes are those of the last file taken in, and who
 * overrules the guard. A file that was held and comes again unchanged, with nothing in between, is meant so, unless
 * the settings want a person's word; only an empty one may be the same fault again.
 */
async function recallLastRuns(
  draft: RunDraft,
  feed: FeedConfig,
  services: IngestServices,
  options: TakeInOptions,
): Promise<void> {
  const runs = await services.intake.listRuns({ feedId: feed.id });
  const [newest] = runs;
  const lastApplied = runs.find(({ status }) => status === 'ok' || status === 'partial');
  const isSame = (run: RunRecord | undefined): boolean => run?.fingerprint === draft.file.fingerprint;
  draft.sameAsLast = isSame(lastApplied);
  const mayConfirm = feed.guard.confirm_by_repeat !== false;
  if (options.releasedRunId !== undefined) draft.releasedBy = 'person';
  else if (mayConfirm && waitsForShrinking(newest) && isSame(newest) && options.again !== true)
    draft.releasedBy = 'same file again';
}

/** One that a person has discarded keeps its code: they said no, and the file coming again is no yes. */
function waitsForShrinking(run: RunRecord | undefined): boolean {
  return run?.status === 'held' && SHRUNK.has(run.code);
}

async function hasChanged(file: PlainFile): Promise<boolean> {
  const now = await inspectFile(file.path);
  return !now.ok || now.value.size !== file.size || now.value.modifiedMs !== file.modifiedMs;
}
