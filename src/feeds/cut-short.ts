import type { FeedConfig } from '../config/config.ts';
import type { InventoryIntake, StagedRun } from '../model/intake.ts';
import type { DecodedFile } from './records.ts';
import type { Reading } from './reading/read.ts';
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
 * Whether a last row without a line break is half a row: when the text breaks off inside of a character, or when the
 * last file of the feed that was taken in, and that told, ended with a line break.
 */
export async function mustEndWithLineBreak(
  { id }: FeedConfig,
  decoded: DecodedFile,
  intake: InventoryIntake,
): Promise<boolean> {
  if (decoded.endsInsideCharacter === true) return true;
  const runs = await intake.listRuns({ feedId: id, takenIn: true, limit: FILES_LOOKED_AT });
  return runs.find(({ endsWithLineBreak }) => endsWithLineBreak !== undefined)?.endsWithLineBreak === true;
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
    tally.withdraw({ ...unterminated, key: '' }, { code: 'row_truncated', detail: 'no line break ends it' });
  }
  return true;
}
