import path from 'node:path';
import type { FeedConfig } from '../config/config.ts';
import { formatInstant } from '../model/clock.ts';
import {
  DISCARDED_BY_HAND,
  type FeedMode,
  type InventoryIntake,
  type RooftopChange,
  type RunRecord,
  type StagedRun,
} from '../model/intake.ts';
import type { Problem } from '../model/problem.ts';
import { fileFault } from './file-fault.ts';
import { describeShrinking, guard } from './guard.ts';
import type { IngestServices } from './ingest-services.ts';
import { lostValues, suddenMoves } from './lost-values.ts';
import type { PreparedFeed } from './prepare-feed.ts';
import type { FileFaultCode } from './problems.ts';
import type { PlainFile } from './reading/plain-file.ts';
import type { RunReport } from './reporting/report.ts';
import type { RunDraft } from './reporting/run-draft.ts';

/** Whether a file as a whole is to be believed: its age, its first half, its gaps, and what was said of it before. */

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

/** Whether the reason why a file is refused may be that its uploader is not done yet. */
export function looksLikeHalf({ problem }: Pick<RunReport, 'problem'>): boolean {
  return SIGNS_OF_HALF_A_FILE.has(problem?.code ?? '');
}

const HOUR_MS = 3_600_000;

/** A file that lay about for days tells of cars that may be sold, whatever it says of them. */
export function stalenessOf(
  { modifiedMs }: PlainFile,
  { max_age_hours: limit }: FeedConfig,
  now: number,
): Problem | undefined {
  const hours = (now - modifiedMs) / HOUR_MS;
  if (limit === undefined || hours <= limit) return undefined;
  // Never less than it is: "48 hours; at most 48" would be no reason.
  const age = Math.floor(hours) > limit ? Math.floor(hours) : Math.ceil(hours * 10) / 10;
  const detail = `last changed ${formatInstant(modifiedMs)}, ${age} hours ago; at most ${limit}`;
  return fileFault('file_stale', detail);
}

/**
 * Clocks and file systems differ by a minute. A full export that is older by less than an hour is rather one that was
 * copied while another was edited by hand than one of yesterday.
 */
const SAME_TIME_MS: Record<FeedMode, number> = { delta: 60_000, full: HOUR_MS };

/**
 * A file that was written before the one taken in last tells of yesterday. Only times that are past are compared: one
 * in the future comes from a clock that was wrong. What a sample was last changed says nothing about real exports.
 */
export async function olderThanLast(
  { modifiedMs }: PlainFile,
  feed: FeedConfig,
  { mode, file: { fingerprint } }: Pick<RunDraft, 'mode' | 'file'>,
  { intake, clock }: Pick<IngestServices, 'intake' | 'clock'>,
): Promise<Problem | undefined> {
  const [last] = await intake.listRuns({ feedId: feed.id, limit: 1, takenIn: true });
  if (last?.fileAt === undefined || last.fingerprint === fingerprint) return undefined;
  if (feed.sample !== undefined && path.basename(feed.sample) === last.fileName) return undefined;
  const lastMs = Date.parse(last.fileAt);
  if (lastMs > clock.now() || modifiedMs >= lastMs - SAME_TIME_MS[mode]) return undefined;
  const detail = `last changed ${formatInstant(modifiedMs)}, ${last.fileName} ${last.fileAt}`;
  return fileFault(mode === 'full' ? 'older_than_last' : 'delta_older', detail);
}

/** A file whose vehicles all stay, and have lost what they had or stand elsewhere: a column was renamed. */
export async function doubtOfValues(
  prepared: PreparedFeed,
  staged: StagedRun,
  { tally, rooftops, file }: Pick<RunDraft, 'tally' | 'rooftops' | 'file'>,
  { rooftops: configured }: Pick<IngestServices, 'rooftops'>,
): Promise<Problem | undefined> {
  if (prepared.supplements !== undefined) return undefined;
  // Of XML only the paths that occur are known.
  const columns = file.delimiter === undefined ? undefined : file.columns;
  const lost = await lostValues(prepared, columns, staged, tally);
  const moves = suddenMoves(rooftops, (id) => configured.some((rooftop) => rooftop.id === id));
  const detail = [...lost, ...moves].join('; ');
  if (detail === '') return undefined;
  if (prepared.checkSettings.mode === 'delta') return fileFault('delta_changed', detail);
  return fileFault(lost.length > 0 ? 'values_gone' : 'rooftops_changed', detail);
}

/** Why a full file is not taken in before a person has looked at it, if there is a reason. */
export function doubtOf(
  rooftops: readonly RooftopChange[],
  feed: FeedConfig,
  { isEmpty, isComplete }: { isEmpty: boolean; isComplete: boolean },
): Problem | undefined {
  const isCompanion = feed.supplements !== undefined;
  if (isEmpty) return fileFault(isCompanion ? 'companion_empty' : 'no_rows');
  const detail = shrinking(isComplete ? rooftops : rooftops.map(onlyTold), feed);
  if (detail === undefined) return undefined;
  return fileFault(isCompanion ? 'companion_shrink' : 'shrink_guard', detail);
}

/** The same of a delta file: it takes off only what it names, and it waits behind others of its feed. */
export async function doubtOfDelta(
  rooftops: readonly RooftopChange[],
  feed: FeedConfig,
  intake: Pick<InventoryIntake, 'listRuns'>,
  runId: string,
): Promise<Problem | undefined> {
  // What a companion feed takes back is no vehicle.
  if (feed.supplements !== undefined) return undefined;
  const detail = shrinking(rooftops, feed);
  if (detail !== undefined) return fileFault('delta_shrink', detail);
  const first = await firstWaiting(feed, intake);
  return first === undefined || first.runId === runId
    ? undefined
    : fileFault('delta_waits', `${first.fileName}, run ${first.runId}`);
}

/** One that is older than others already taken in need not come before the next. */
const BARS_THE_WAY: ReadonlySet<string | undefined> = new Set<FileFaultCode>([
  ...(['delta_shrink', 'delta_changed', 'delta_waits'] as const),
]);

/** The oldest delta of the feed that waits for a person. One that came again and was taken in then waits no more. */
async function firstWaiting(
  { id }: FeedConfig,
  intake: Pick<InventoryIntake, 'listRuns'>,
): Promise<RunRecord | undefined> {
  const runs = await intake.listRuns({ feedId: id });
  const takenIn = new Set<string>();
  let first: RunRecord | undefined;
  for (const run of runs) {
    if (run.status === 'ok' || run.status === 'partial') takenIn.add(run.fingerprint);
    else if (run.status === 'held' && BARS_THE_WAY.has(run.code) && !takenIn.has(run.fingerprint))
      first = run;
  }
  return first;
}

function shrinking(rooftops: readonly RooftopChange[], { guard: settings }: FeedConfig): string | undefined {
  const suspicious = guard(rooftops, settings);
  if (suspicious.length === 0) return undefined;
  return suspicious.map((change) => describeShrinking(change, settings)).join('; ');
}

/** A file that was cut short takes off only what it names. */
function onlyTold({ missing: _, missedBefore: __, ...change }: RooftopChange): RooftopChange {
  return { ...change, removed: change.moved + (change.named ?? 0) };
}

/** Held for shrinking, which the same file may confirm by coming again. */
const SHRUNK: ReadonlySet<string | undefined> = new Set<FileFaultCode>([
  ...(['shrink_guard', 'delta_shrink', 'companion_shrink'] as const),
]);

/**
 * What the feed's last runs say about this one: whether its bytes are those of the last file taken in, and who
 * overrules the guard. A file that was held and comes again unchanged, with nothing in between, is meant so, unless
 * the settings want a person's word; only an empty one may be the same fault again. One that a person has discarded is
 * not meant so, however often it comes.
 */
export async function recallLastRuns(
  draft: RunDraft,
  feed: FeedConfig,
  intake: Pick<InventoryIntake, 'listRuns'>,
  options: { releasedRunId?: string; waitedSince?: string; again?: boolean },
): Promise<void> {
  const runs = await intake.listRuns({ feedId: feed.id });
  const [newest] = runs;
  const lastApplied = runs.find(({ status }) => status === 'ok' || status === 'partial');
  const isSame = (run: RunRecord | undefined): boolean => run?.fingerprint === draft.file.fingerprint;
  draft.sameAsLast = isSame(lastApplied);
  if (options.releasedRunId !== undefined) {
    if (options.waitedSince === undefined) draft.releasedBy = 'person';
    return;
  }
  const mayConfirm =
    feed.guard.confirm_by_repeat !== false && !runs.some((run) => isSame(run) && isDiscarded(run));
  if (mayConfirm && waitsForShrinking(newest) && isSame(newest) && options.again !== true)
    draft.releasedBy = 'same file again';
}

function isDiscarded({ status, message }: RunRecord): boolean {
  return status === 'failed' && message?.endsWith(DISCARDED_BY_HAND) === true;
}

function waitsForShrinking(run: RunRecord | undefined): boolean {
  return run?.status === 'held' && SHRUNK.has(run.code);
}
