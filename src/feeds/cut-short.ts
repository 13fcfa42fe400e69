import type { FeedConfig } from '../config/config.ts';
import type { InventoryIntake, StagedRun } from '../model/intake.ts';
import type { CheckedRow } from './records.ts';
import type { Reading, RowPosition } from './reading/read.ts';
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

/**
 * Whether the feed's files end with a line break, as those show that were taken in whole. One without may have lost
 * no more than that in a cut, so it takes two of them in a row to show that the sender writes otherwise now.
 */
export async function showsLineBreakAtEnd({ id }: FeedConfig, intake: InventoryIntake): Promise<boolean> {
  const runs = await intake.listRuns({ feedId: id, takenIn: true, limit: FILES_LOOKED_AT });
  const ends = runs.map(({ endsWithLineBreak }) => endsWithLineBreak);
  const lastWithOne = ends.indexOf(true);
  const since = ends.slice(0, Math.max(lastWithOne, 0));
  return lastWithOne !== -1 && !since.some((end, place) => end === false && since[place + 1] === false);
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
  { line }: RowPosition,
  rowIsCut: boolean,
  staged: StagedRun,
  tally: Tally,
): Promise<boolean> {
  if (!rowIsCut && (await staged.lackedEnd()) === 0) return false;
  const detail = `line ${line} has no line break at its end, as the files of this feed have`;
  tally.warnOfFile({ code: 'possibly_truncated', detail });
  return true;
}

/**
 * Whether the file lacks several vehicles that stood behind all others in the file before. They may all have been sold, but a
 * cut right behind a line looks the same, so another file has to say it, too. The last row is no surer then, unless a
 * line break ends it.
 */
export async function lacksEndOfLastFile(
  feed: FeedConfig,
  reading: Reading,
  staged: StagedRun,
  tally: Tally,
): Promise<boolean> {
  if (feed.guard.doubt_missing_end === false) return false;
  const vehicles = await staged.lackedEnd();
  const { unterminated } = reading.facts();
  if (vehicles < fewestDoubted(unterminated !== undefined)) return false;
  const detail = vehicles === 1 ? 'the last vehicle' : `the last ${vehicles} vehicles`;
  tally.warnOfFile({ code: 'end_missing', detail });
  if (unterminated !== undefined && (await staged.withdraw(unterminated.row))) {
    tally.withdraw({ ...unterminated, key: '' }, NO_LINE_BREAK);
  }
  return true;
}
