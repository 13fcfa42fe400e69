import type { Database } from 'better-sqlite3';
import type { OutdatedRow } from '../model/intake.ts';
import { TOLD_SINCE_BY_ANOTHER } from './claim-sql.ts';
import { DROP_STAGED } from './staging-sql.ts';

/**
 * What the file says of vehicles about which another feed has said something else by a newer file: a bulk file that comes
 * late, after deltas that were written later. That the newer file says the same is no matter.
 */

const TELLER = 'COALESCE(vehicle.told_by, vehicle.feed_id)';

/** The row can not stand for the vehicle where that is gone, or goes by another identity since: it has got its VIN. */
const FIND_OUTDATED = `
  SELECT staged.position, staged.row, staged.line, staged.key, ${TELLER} AS feedId,
    vehicle.left_at IS NOT NULL OR vehicle.identity <> staged.identity AS isLost
  FROM staged_vehicle AS staged
  CROSS JOIN vehicle ON vehicle.row_id = staged.listed_id
  WHERE ${TOLD_SINCE_BY_ANOTHER} AND (vehicle.left_at IS NOT NULL OR vehicle.content_hash <> staged.content_hash)
  UNION ALL
  SELECT staged.position, staged.row, staged.line, staged.key, ${TELLER}, 1
  FROM staged_vehicle AS staged
  CROSS JOIN vehicle ON vehicle.stock_key = staged.stock_key AND vehicle.rooftop_id = staged.rooftop_id
  WHERE staged.scope <> '' AND staged.listed_id IS NULL AND vehicle.vin IS NOT NULL AND vehicle.left_at IS NULL
    AND ${TOLD_SINCE_BY_ANOTHER}
  GROUP BY staged.position
  ORDER BY 1`;

/** Says again what is on the lot. */
const REPEAT_LISTED = `
  UPDATE staged_vehicle SET is_outdated = 1, record_hash = NULL,
    content_hash = (SELECT content_hash FROM vehicle WHERE row_id = staged_vehicle.listed_id)
  WHERE position = ?`;

const FORGET_LAST_PRICE = `DELETE FROM staged_last_price WHERE position = ?`;

const FIND_OUTDATED_REMOVALS = `
  SELECT removal.rowid AS position, removal.row, removal.line, removal.key,
    ${TELLER} AS feedId
  FROM staged_removal AS removal
  CROSS JOIN vehicle ON vehicle.identity = removal.identity AND vehicle.rooftop_id = removal.rooftop_id
  WHERE vehicle.left_at IS NULL AND ${TOLD_SINCE_BY_ANOTHER}
  ORDER BY removal.row`;

const DROP_REMOVAL = `DELETE FROM staged_removal WHERE rowid = ?`;

interface Words {
  feedId: string;
  confirmedAt: number;
}

interface FoundOutdated {
  position: number;
  row: number;
  line: number;
  key: string;
  feedId: string;
  isLost: 0 | 1;
}

/**
 * Takes back what the staged rows say against newer files of other feeds, and tells which these are. Rows of vehicles that
 * are there still say so. Once the staged rows have been looked up on the lot.
 */
export function settleOutdated(database: Database, words: Words): OutdatedRow[] {
  const rows = database.prepare<[Words], FoundOutdated>(FIND_OUTDATED).all(words);
  const removals = database
    .prepare<[Words], Omit<FoundOutdated, 'isLost'>>(FIND_OUTDATED_REMOVALS)
    .all(words);
  const drop = database.prepare(DROP_STAGED);
  const repeat = database.prepare(REPEAT_LISTED);
  const forgetPrice = database.prepare(FORGET_LAST_PRICE);
  const dropRemoval = database.prepare(DROP_REMOVAL);
  for (const { position, isLost } of rows) {
    if (isLost === 1) drop.run(position);
    else {
      repeat.run(position);
      forgetPrice.run(position);
    }
  }
  for (const { position } of removals) dropRemoval.run(position);
  return [
    ...rows.map(({ position: _, isLost, ...row }) => ({ ...row, isLost: isLost === 1 })),
    ...removals.map(({ position: _, ...row }) => ({ ...row, isLost: false })),
  ];
}
