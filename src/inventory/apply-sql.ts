import type { FeedMode } from '../model/intake.ts';
import { claimedIn, newOwner, TOLD_SINCE_BY_ANOTHER, toldBy } from './claim-sql.ts';

/**
 * What one run does to the lot (staging-sql.ts): who leaves, what changes, and the steps that apply it. Named parameters:
 * @feedId, @runId, @confirmedAt, @mode, @keptFeeds (JSON list or NULL).
 */

export const FORGET_LEAVING = `DELETE FROM leaving`;

/**
 * The vehicles that the run takes off the lot because the file says so: those that it removes by name, whoever
 * brought them, and cars that it places at another rooftop than this feed did, or another feed by an older file. A car
 * is in one place; without that rule a transfer would list it twice. Removals that a newer file of another feed
 * contradicts have been taken out before (outdated-rows.ts).
 */
export const COLLECT_DISMISSED = `
  INSERT OR IGNORE INTO leaving (row_id, rooftop_id, is_absent, stays)
  SELECT vehicle.row_id, vehicle.rooftop_id, 0, 0 FROM staged_removal AS removal
  JOIN vehicle ON vehicle.identity = removal.identity AND vehicle.rooftop_id = removal.rooftop_id
  WHERE vehicle.left_at IS NULL
  UNION ALL
  SELECT vehicle.row_id, vehicle.rooftop_id, 0, 0 FROM staged_vehicle AS staged
  JOIN vehicle ON vehicle.identity = staged.identity AND vehicle.rooftop_id <> staged.rooftop_id
  WHERE staged.scope = '' AND vehicle.left_at IS NULL
    AND NOT (${TOLD_SINCE_BY_ANOTHER})`;

/**
 * The vehicles of this feed that the file lacks, at rooftops that it names, or at all with @everywhere = 1. Those
 * that fewer than @grace files in a row have lacked before this one stay, and those that a newer delta speaks of are
 * none: the file could not know it.
 */
export const COLLECT_ABSENT = `
  INSERT OR IGNORE INTO leaving (row_id, rooftop_id, is_absent, stays)
  SELECT row_id, rooftop_id, 1, missing_files < @grace FROM vehicle
  WHERE feed_id = @feedId AND left_at IS NULL AND (told_by IS NULL OR told_at <= @confirmedAt)
    AND (@everywhere = 1
      OR rooftop_id IN (
        SELECT rooftop_id FROM staged_vehicle UNION SELECT rooftop_id FROM staged_removal
        UNION SELECT value FROM json_each(@rooftopIds)))
    AND NOT EXISTS (
      SELECT 1 FROM staged_vehicle AS staged
      WHERE staged.identity = vehicle.identity AND staged.rooftop_id = vehicle.rooftop_id)`;

/** Vehicles that are there under another identity, in addition to the rule above (takeover.ts). */
export const KEEP_TAKEN_OVER = `
  DELETE FROM leaving WHERE is_absent = 1 AND row_id IN (SELECT listed_id FROM staged_vehicle)`;

/** A vehicle or two that were changed may stand elsewhere in an order that is still the same. */
const LAST_ROWS = 3;

const KEPT = `
  FROM staged_vehicle AS staged CROSS JOIN vehicle AS kept ON kept.row_id = staged.listed_id
  WHERE kept.feed_id = @feedId AND kept.left_at IS NULL AND kept.missing_files = 0`;

/**
 * Behind the last vehicle of the file before that this file still has, or has in a row that is refused (@refused, a JSON
 * list), if that vehicle is among the last ones of this file, too.
 */
const BEHIND_THE_LAST_KEPT = `
  missing_files = 0
  AND vehicle.position > (SELECT MAX(kept.position) ${KEPT})
  AND (SELECT MAX(kept.position) ${KEPT}) =
    (SELECT MAX(position) FROM (SELECT kept.position ${KEPT} ORDER BY staged.position DESC LIMIT ${LAST_ROWS}))
  AND vehicle.position > COALESCE((
    SELECT MAX(refused.position) FROM leaving CROSS JOIN vehicle AS refused USING (row_id)
    WHERE EXISTS (
      SELECT 1 FROM json_each(@refused) AS sought
      WHERE sought.value IN (refused.vin, refused.stock_key, refused.vehicle_id_key))), -1)`;

/** How many vehicles the file is the first to lack that a cut at its end would explain. */
export const COUNT_LACKED_END = `
  SELECT COUNT(*) FROM leaving JOIN vehicle USING (row_id)
  WHERE leaving.is_absent = 1 AND ${BEHIND_THE_LAST_KEPT}`;

/** Those stay. */
export const SPARE_LACKED_END = `
  UPDATE leaving SET stays = 1
  WHERE is_absent = 1 AND row_id IN (SELECT row_id FROM vehicle WHERE ${BEHIND_THE_LAST_KEPT})`;

/** Of a JSON list of looked-up keys those of vehicles that leave because the file lacks them. */
export const FIND_ABSENT_AMONG = `
  SELECT sought.value FROM json_each(?) AS sought
  WHERE EXISTS (
    SELECT 1 FROM leaving JOIN vehicle USING (row_id)
    WHERE is_absent = 1 AND stays = 0 AND sought.value IN (vehicle.vin, vehicle.stock_key, vehicle.vehicle_id_key))`;

/**
 * One row a rooftop that the file names or that a vehicle leaves. A vehicle that comes back counts as added.
 *
 * `before` is what the feed's last file had there. Where feeds overlap, another one has some of that by now: of those
 * vehicles the ones count that this file has again, up to the number that the last file had.
 */
export const COUNT_CHANGES = `
  WITH
    brought AS (
      SELECT staged.rooftop_id,
        SUM(vehicle.feed_id <> @feedId) AS shared,
        SUM(vehicle.row_id IS NULL) AS added,
        SUM(vehicle.row_id IS NOT NULL AND vehicle.content_hash <> staged.content_hash) AS changed,
        SUM(vehicle.row_id IS NOT NULL AND vehicle.content_hash = staged.content_hash) AS unchanged
      FROM staged_vehicle AS staged
      LEFT JOIN vehicle ON vehicle.row_id = staged.listed_id AND vehicle.left_at IS NULL
      GROUP BY staged.rooftop_id
    ),
    removed AS (
      SELECT leaving.rooftop_id, SUM(NOT stays) AS removed, SUM(stays) AS missing,
        SUM(is_absent AND missing_files > 0) AS missedBefore,
        SUM(EXISTS (
          SELECT 1 FROM staged_vehicle AS staged
          WHERE staged.scope = '' AND staged.identity = vehicle.identity)) AS moved,
        SUM(NOT is_absent) AS told
      FROM leaving JOIN vehicle ON vehicle.row_id = leaving.row_id
      GROUP BY leaving.rooftop_id
    ),
    held AS (
      SELECT rooftop_id, COUNT(*) AS own FROM vehicle
      WHERE feed_id = @feedId AND left_at IS NULL GROUP BY rooftop_id
    ),
    last_file AS (
      SELECT MAX(0, accepted - (SELECT COALESCE(SUM(own), 0) FROM held)) AS others FROM run
      WHERE feed_id = @feedId AND status IN ('ok', 'partial') AND @mode = 'full'
      ORDER BY started_at DESC, rowid DESC LIMIT 1
    ),
    touched AS (
      SELECT rooftop_id FROM brought
      UNION SELECT rooftop_id FROM staged_removal
      UNION SELECT rooftop_id FROM removed
    )
  SELECT rooftop_id AS rooftopId,
    COALESCE(own, 0) + MIN(COALESCE(shared, 0), COALESCE((SELECT others FROM last_file), 0)) AS before,
    COALESCE(added, 0) AS added, COALESCE(changed, 0) AS changed, COALESCE(unchanged, 0) AS unchanged, COALESCE(removed, 0) AS removed,
    COALESCE(moved, 0) AS moved, COALESCE(told - moved, 0) AS named, COALESCE(missing, 0) AS missing,
    COALESCE(missedBefore, 0) AS missedBefore
  FROM touched
  LEFT JOIN brought USING (rooftop_id)
  LEFT JOIN removed USING (rooftop_id)
  LEFT JOIN held USING (rooftop_id)
  ORDER BY rooftop_id`;

/** Vehicles of all feeds at each rooftop of a JSON list. */
export const COUNT_STANDING = `
  SELECT rooftop_id AS rooftopId, COUNT(*) AS standing FROM vehicle
  WHERE left_at IS NULL AND rooftop_id IN (SELECT value FROM json_each(?)) GROUP BY rooftop_id`;

/** What apply does, in this order, inside one transaction. */
export const applySteps = (mode: FeedMode): readonly string[] => [
  `UPDATE vehicle SET left_at = MAX(updated_at, @confirmedAt), ${toldBy('feed_id')}
   WHERE row_id IN (SELECT row_id FROM leaving WHERE stays = 0)`,

  // That a vehicle which is gone already is named as gone is news, too, for older files that still have it.
  `UPDATE vehicle SET ${toldBy('feed_id')}
   WHERE row_id IN (
     SELECT gone.row_id FROM staged_removal AS removal
     CROSS JOIN vehicle AS gone ON gone.identity = removal.identity AND gone.rooftop_id = removal.rooftop_id
     WHERE gone.left_at IS NOT NULL AND gone.told_at < @confirmedAt)`,

  // Missing vehicles that stay are not confirmed.
  `UPDATE vehicle SET missing_files = missing_files + 1, missing_since = COALESCE(missing_since, @runId)
   WHERE row_id IN (SELECT row_id FROM leaving WHERE stays = 1)`,

  // Unchanged vehicles: confirmed. Outdated rows say no more than that they are there, and are older anyway.
  `UPDATE vehicle SET updated_at = MAX(updated_at, @confirmedAt),
     missing_files = 0, missing_since = NULL, ${claimedIn(mode, 'staged')}
   FROM staged_vehicle AS staged
   WHERE staged.listed_id = vehicle.row_id AND staged.content_hash = vehicle.content_hash
     AND vehicle.left_at IS NULL`,

  // New text of vehicles that we know. A date once known is kept when the file no longer tells it.
  `UPDATE listing SET json = changed.json
   FROM (
     SELECT vehicle.row_id, CASE
         WHEN staged.inventory_date IS NULL AND vehicle.inventory_date IS NOT NULL
         THEN json_set(text.json, '$.inventory_date', vehicle.inventory_date)
         ELSE text.json
       END AS json
     FROM staged_vehicle AS staged
     CROSS JOIN vehicle ON vehicle.row_id = staged.listed_id
     CROSS JOIN staged_text AS text USING (position)
     WHERE vehicle.content_hash <> staged.content_hash
   ) AS changed
   WHERE changed.row_id = listing.row_id`,

  // New, changed and returning vehicles. New ones in the order of the file, so that their texts follow in row order.
  `INSERT INTO vehicle (rooftop_id, identity, feed_id, vin, stock_key, vehicle_id_key, content_hash,
     inventory_date, first_seen, updated_at, position, record_hash, told_at, told_by)
   SELECT rooftop_id, identity, ${newOwner(mode)}, vin, stock_key, vehicle_id_key, content_hash, inventory_date,
     @confirmedAt, @confirmedAt, position, record_hash, @confirmedAt, ${mode === 'full' ? 'NULL' : `NULLIF(@feedId, ${newOwner(mode)})`}
   FROM staged_vehicle AS staged
   WHERE NOT EXISTS (
     SELECT 1 FROM vehicle AS listed
     WHERE listed.row_id = staged.listed_id AND listed.content_hash = staged.content_hash
       AND listed.left_at IS NULL)
   ORDER BY position
   ON CONFLICT (identity, rooftop_id) DO UPDATE SET
     vin = excluded.vin,
     stock_key = excluded.stock_key,
     vehicle_id_key = excluded.vehicle_id_key,
     content_hash = excluded.content_hash,
     inventory_date = COALESCE(excluded.inventory_date, inventory_date),
     updated_at = MAX(updated_at, excluded.updated_at),
     ${claimedIn(mode, 'excluded')},
     missing_files = 0,
     missing_since = NULL,
     left_at = NULL`,

  // Text of vehicles that are new: row ids only grow, and every vehicle before had its text. Their place in the file
  // leads to it.
  `INSERT INTO listing (row_id, json)
   SELECT vehicle.row_id, text.json FROM vehicle
   CROSS JOIN staged_text AS text ON text.position = vehicle.position
   WHERE vehicle.row_id > (SELECT COALESCE(MAX(row_id), 0) FROM listing)
   ORDER BY vehicle.row_id`,

  // A vehicle of this file keeps in mind only what this file says to keep.
  `DELETE FROM remembered_price WHERE row_id IN (
     SELECT vehicle.row_id FROM remembered_price
     CROSS JOIN vehicle USING (row_id)
     CROSS JOIN staged_vehicle AS staged
       ON staged.identity = vehicle.identity AND staged.rooftop_id = vehicle.rooftop_id
     WHERE staged.is_outdated IS NULL)`,

  `INSERT INTO remembered_price (row_id, list_price, price)
   SELECT vehicle.row_id, last.list_price, last.price FROM staged_last_price AS last
   CROSS JOIN staged_vehicle AS staged USING (position)
   CROSS JOIN vehicle ON vehicle.identity = staged.identity AND vehicle.rooftop_id = staged.rooftop_id`,
];
