import type { FeedConfig } from '../config/config.ts';
import { formatInstant } from '../model/clock.ts';
import type { InventoryIntake, RooftopChange, RunRecord } from '../model/intake.ts';
import type { Problem } from '../model/problem.ts';
import { fileFault } from './file-fault.ts';
import { describeShrinking, guard } from './guard.ts';
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
  const detail = `last changed ${formatInstant(modifiedMs)}, ${Math.floor(hours)} hours ago; at most ${limit}`;
  return fileFault('file_stale', detail);
}

/** Why a full file is not taken in before a person has looked at it, if there is a reason. */
export function doubtOf(
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

/** Held for shrinking, which the same file may confirm by coming again. */
const SHRUNK: ReadonlySet<string | undefined> = new Set<FileFaultCode>(['shrink_guard', 'companion_shrink']);

/**
 * What the feed's last runs say about this one: whether its bytes are those of the last file taken in, and who
 * overrules the guard. A file that was held and comes again unchanged, with nothing in between, is meant so, unless
 * the settings want a person's word; only an empty one may be the same fault again.
 */
export async function recallLastRuns(
  draft: RunDraft,
  feed: FeedConfig,
  intake: Pick<InventoryIntake, 'listRuns'>,
  options: { releasedRunId?: string; again?: boolean },
): Promise<void> {
  const runs = await intake.listRuns({ feedId: feed.id });
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
