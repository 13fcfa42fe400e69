import type { FeedConfig } from '../config/config.ts';
import type { ApplyOptions, FeedMode, InventoryIntake, RunRecord, StagedRun } from '../model/intake.ts';
import type { CheckedRow } from './records.ts';
import type { Reading, RowPosition } from './reading/read.ts';
import type { RunDraft } from './reporting/run-draft.ts';
import type { Tally } from './reporting/tally.ts';

/**
 * Signs that a file was cut short which do not stand in the file itself. XML, archives and open quotes tell of a cut
 * by themselves; a table of plain lines reads well wherever it ends.
 */

/** Older files say nothing about how the feed's files end today. */
const FILES_LOOKED_AT = 20;

/**
 * A single vehicle that is gone from the end was sold: a cut that loses one whole row and nothing else is rarer. Where
 * no line break ends the last row, that row may be clipped as well, and one is enough.
 */
const fewestDoubted = (isUnterminated: boolean): number => (isUnterminated ? 1 : 2);

/** How the feed's files have ended so far. */
export interface EndsBefore {
  /** With a line break, so that a last row without one may be half a row. */
  readonly mustEnd: boolean;
  /** `contentOf` the last row of the file taken in last, where none ended it. */
  readonly unterminatedRow?: string;
}

/**
 * Whether the feed's files end with a line break, as those show that were taken in whole. One without may have lost
 * no more than that in a cut, so it takes two of them in a row to show that the sender writes otherwise now. What a delta
 * says is not said again, so that none would ever be shown to be whole: two that end so with a sound row are enough.
 */
export async function endsBefore(
  { id }: FeedConfig,
  mode: FeedMode,
  intake: Pick<InventoryIntake, 'listRuns'>,
): Promise<EndsBefore> {
  const runs = await lastFiles(id, mode, intake);
  const lastWithOne = runs.findIndex(({ endsWithLineBreak }) => endsWithLineBreak === true);
  const endsWithout = ({ endsWithLineBreak, unterminatedRow }: RunRecord): boolean =>
    endsWithLineBreak === false || (mode === 'delta' && unterminatedRow !== undefined);
  const since = runs.slice(0, Math.max(lastWithOne, 0)).map(endsWithout);
  const mustEnd = lastWithOne !== -1 && !since.some((without, place) => without && since[place + 1] === true);
  const unterminatedRow = runs[0]?.unterminatedRow;
  return { mustEnd, ...(unterminatedRow !== undefined && { unterminatedRow }) };
}

/**
 * Newest first. A delta of one row that may be half a row is refused, and tells how it ends all the same; the same delta
 * once more tells nothing.
 */
async function lastFiles(
  feedId: string,
  mode: FeedMode,
  intake: Pick<InventoryIntake, 'listRuns'>,
): Promise<RunRecord[]> {
  if (mode === 'full') return intake.listRuns({ feedId, takenIn: true, limit: FILES_LOOKED_AT });
  const runs = await intake.listRuns({ feedId, limit: FILES_LOOKED_AT });
  const byContent = Map.groupBy(
    runs.filter(
      ({ status, unterminatedRow }) =>
        status === 'ok' || status === 'partial' || (status === 'failed' && unterminatedRow !== undefined),
    ),
    ({ fingerprint }) => fingerprint,
  );
  return [...byContent.values()].flatMap(([newest]) => newest ?? []);
}

/**
 * The last row, where it may be half a row. It is not where the file before ended without a line break, too, and its last
 * row is in this one, word for word: that one was whole, so the sender writes so now.
 */
export async function doubtedLastRow(
  { mustEnd, unterminatedRow = '' }: EndsBefore,
  last: RowPosition,
  staged: StagedRun,
): Promise<RowPosition | undefined> {
  if (!mustEnd || (unterminatedRow !== '' && (await staged.hasContent(unterminatedRow, last.row))))
    return undefined;
  return last;
}

const NO_LINE_BREAK = { code: 'row_truncated', detail: 'no line break ends it' } as const;

/**
 * What becomes of a last row that no line break ends, in a feed whose files end with one: it may be half a row, unless
 * it says of its vehicle exactly what the lot says. The first digits of a price read as well as all of them.
 */
export function refusedIfCut(checked: CheckedRow): CheckedRow {
  if (checked.kind === 'accepted') return checked;
  const { row, line, key } = checked;
  return { kind: 'rejected', row, line, key, rejection: NO_LINE_BREAK, warnings: [] };
}

/** Takes that row back where it says anything new, before duplicates are looked for. Returns whether it does. */
export async function withdrawCutRow(
  { row, line }: RowPosition,
  staged: StagedRun,
  tally: Tally,
): Promise<boolean> {
  if (await staged.repeatsListed(row)) return false;
  if (await staged.withdraw(row)) tally.withdraw({ row, line, key: '' }, NO_LINE_BREAK);
  return true;
}

/** Whether the file was cut short in that row or right behind it, where vehicles stood in the file before. */
export async function endsTooEarly(
  unterminated: RowPosition,
  rowIsCut: boolean,
  staged: StagedRun,
  tally: Tally,
): Promise<boolean> {
  if (!rowIsCut && (await staged.lackedEnd(refusedKeys(tally, unterminated))) === 0) return false;
  const detail = `line ${unterminated.line} has no line break at its end, as the files of this feed have`;
  tally.warnOfFile({ code: 'possibly_truncated', detail });
  return true;
}

/**
 * Which vehicles are to stay for now, because the file lacks several that stood behind all others in the file before.
 * They may all have been sold, but a cut right behind a line looks the same, so another file has to say it, too. The last
 * row is no surer then, unless a line break ends it. A file that proves to be whole is believed at once.
 */
export async function lackedEndOfLastFile(
  { guard }: FeedConfig,
  reading: Reading,
  staged: StagedRun,
  { file, tally }: Pick<RunDraft, 'file' | 'tally'>,
): Promise<ApplyOptions['spareLackedEnd']> {
  const { unterminated, provesItsEnd } = reading.facts();
  if (guard.doubt_missing_end === false || provesItsEnd || isArchive(file)) return undefined;
  const refused = refusedKeys(tally, unterminated);
  const vehicles = await staged.lackedEnd(refused);
  if (vehicles < fewestDoubted(unterminated !== undefined)) return undefined;
  const detail = vehicles === 1 ? 'the last vehicle' : `the last ${vehicles} vehicles`;
  tally.warnOfFile({ code: 'end_missing', detail });
  if (unterminated !== undefined && (await staged.withdraw(unterminated.row))) {
    tally.withdraw({ ...unterminated, key: '' }, NO_LINE_BREAK);
  }
  return { refusedKeys: refused };
}

/** Unpacking has compared what the archive holds with its checksum. */
function isArchive({ container = 'none' }: RunDraft['file']): boolean {
  return container !== 'none';
}

/** Of rows that are there and do not count. One that no line break ends may be half of one. */
function refusedKeys({ rejected }: Tally, unterminated: RowPosition | undefined): string[] {
  return rejected.rows.flatMap(({ row, key }) => (key === '' || row === unterminated?.row ? [] : [key]));
}
