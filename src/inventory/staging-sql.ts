import { BYTES_OF_HASH } from './record-hashes.ts';

/** The SQL of one run (staged-run.ts), statement by statement. Named parameters: @feedId, @runId, @confirmedAt, @absent. */

/** Parameters by place, which binds in half the time: this runs once a row. */
export const STAGE_VEHICLE = `
  INSERT INTO staged_vehicle (row, line, key, rooftop_id, identity, scope, vin, stock_key, vehicle_id_key,
    inventory_date, content_hash, record_hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The vehicle says of itself what its row would say again. */
export const STAGE_RECOGNISED = `
  INSERT INTO staged_vehicle (row, line, key, rooftop_id, identity, scope, vin, stock_key, vehicle_id_key,
    inventory_date, content_hash, record_hash, listed_id)
  SELECT ?, ?, vin, rooftop_id, identity, '', vin, stock_key, vehicle_id_key, inventory_date, content_hash, record_hash,
    row_id
  FROM vehicle WHERE row_id = ? AND record_hash = ? AND left_at IS NULL`;

/**
 * By VIN only: what else names a vehicle is looked up in another spelling than the file's. Many in one row, as one text
 * of hashes and one of row ids, because handing over each vehicle by itself takes longer than finding them all.
 */
export const FIND_KNOWN_RECORDS = `
  SELECT group_concat(hex(record_hash), '') AS hashes, json_group_array(row_id) AS rowIds FROM (
    SELECT record_hash, row_id FROM vehicle
    WHERE feed_id = ? AND left_at IS NULL AND record_hash IS NOT NULL AND identity GLOB 'vin:*'
      AND length(record_hash) = ${BYTES_OF_HASH})
  GROUP BY row_id / 1000`;

/** Recognised vehicles that another process has changed since, so that their text would be needed after all. */
export const COUNT_UNRECOGNISED = `
  SELECT COUNT(*) FROM staged_vehicle AS staged
  LEFT JOIN vehicle ON vehicle.identity = staged.identity AND vehicle.rooftop_id = staged.rooftop_id
  WHERE staged.content_hash IS NOT vehicle.content_hash
    AND NOT EXISTS (SELECT 1 FROM staged_text AS text WHERE text.position = staged.position)`;

export const STAGE_TEXT = `INSERT INTO staged_text (position, json) VALUES (?, ?)`;

export const STAGE_LAST_PRICE = `INSERT INTO staged_last_price (position, list_price, price) VALUES (?, ?, ?)`;

/**
 * What a price of the vehicle is compared with: the feed's own last one, see remembered_price, else what a companion
 * feed has published in its place. A price that a companion covers is not published, so it is not held against it.
 */
export const FIND_LAST_PRICES = `
  SELECT COALESCE(json_extract(listing.json, '$.list_price'), remembered.list_price,
      json_extract(supplemented.json, '$.list_price')) AS listPrice,
    COALESCE(json_extract(listing.json, '$.price'), remembered.price,
      json_extract(supplemented.json, '$.price')) AS price
  FROM vehicle JOIN listing USING (row_id) LEFT JOIN remembered_price AS remembered USING (row_id)
    LEFT JOIN supplemented USING (row_id)
  WHERE identity = ? AND rooftop_id = ? AND left_at IS NULL`;

export const STAGE_REMOVAL = `
  INSERT INTO staged_removal (row, line, key, rooftop_id, identity, stock_key, inventory_date)
  VALUES (@row, @line, @key, @rooftopId, @identity, @stockKey, @inventoryDate)`;

/** Made once all rows are there, in a tenth of the time that keeping it up to date row by row takes. */
export const INDEX_IDENTITIES = `
  CREATE INDEX IF NOT EXISTS temp.staged_by_identity ON staged_vehicle (identity, rooftop_id)`;

/** Rows that lose against another row of the same vehicle: newest date first, then last in the file. */
export const FIND_DUPLICATES = `
  WITH ranked AS (
    SELECT position, FIRST_VALUE(position) OVER (
      PARTITION BY identity, scope ORDER BY COALESCE(inventory_date, '') DESC, position DESC
    ) AS kept_position
    FROM staged_vehicle
    WHERE identity IN (SELECT identity FROM staged_vehicle GROUP BY identity HAVING COUNT(*) > 1)
  )
  SELECT lost.position, lost.row, lost.line, lost.key, kept.row AS keptRow,
    CASE
      WHEN lost.content_hash = kept.content_hash AND lost.rooftop_id = kept.rooftop_id THEN 'identical'
      WHEN COALESCE(lost.inventory_date, '') < COALESCE(kept.inventory_date, '') THEN 'older'
      ELSE 'earlier_row'
    END AS reason,
    CASE WHEN lost.rooftop_id <> kept.rooftop_id THEN kept.rooftop_id END AS keptRooftopId
  FROM ranked
  JOIN staged_vehicle AS lost USING (position)
  JOIN staged_vehicle AS kept ON kept.position = ranked.kept_position
  WHERE ranked.position <> ranked.kept_position
  ORDER BY lost.position`;

/** Most dealers have one feed, and need not look for cars of others. */
export const FIND_OTHER_FEED = `
  SELECT 1 FROM run WHERE feed_id <> @feedId AND status IN ('ok', 'partial') LIMIT 1`;

/** The row loses where the other feed has confirmed the car by a file that was written later. */
export const FIND_ELSEWHERE = `
  SELECT staged.position, staged.row, staged.line, staged.key, vehicle.rooftop_id AS rooftopId,
    vehicle.feed_id AS feedId, MAX(vehicle.updated_at) > @confirmedAt AS isLost
  FROM staged_vehicle AS staged
  CROSS JOIN vehicle ON vehicle.identity = staged.identity AND vehicle.rooftop_id <> staged.rooftop_id
  WHERE staged.scope = '' AND vehicle.feed_id <> @feedId AND vehicle.left_at IS NULL
  GROUP BY staged.position`;

export const DROP_STAGED = `DELETE FROM staged_vehicle WHERE position = ?`;

export const DROP_STAGED_ROW = `DELETE FROM staged_vehicle WHERE row = ?`;

/** Whether a staged row says what is on the lot already. */
export const FIND_REPEATED = `
  SELECT 1 FROM staged_vehicle AS staged
  JOIN vehicle ON vehicle.identity = staged.identity AND vehicle.rooftop_id = staged.rooftop_id
  WHERE staged.row = ? AND vehicle.content_hash = staged.content_hash AND vehicle.left_at IS NULL`;

/** A price that is held back counts as one that the feed gave. */
export const COUNT_LISTED_VALUES = `
  SELECT COUNT(*) AS vehicles, COALESCE(SUM(priced), 0) AS priced, COALESCE(SUM(stocked), 0) AS stocked FROM (
    SELECT stock_key IS NOT NULL AS stocked,
      COALESCE(json_extract(listing.json, '$.list_price'), json_extract(listing.json, '$.price'), remembered.list_price,
        remembered.price) IS NOT NULL AS priced
    FROM vehicle JOIN listing USING (row_id) LEFT JOIN remembered_price AS remembered USING (row_id)
    WHERE feed_id = @feedId AND left_at IS NULL LIMIT 1000)`;

/**
 * Each later vehicle is told together with the first that carries the same stock number at that rooftop. The numbers
 * that are shared are found first, because sorting all the rest of the rows takes longer than finding them.
 */
export const FIND_SHARED_STOCK = `
  WITH shared AS (
    SELECT rooftop_id, stock_key FROM staged_vehicle
    WHERE stock_key IS NOT NULL GROUP BY rooftop_id, stock_key HAVING COUNT(*) > 1
  ),
  numbered AS (
    SELECT position, row, line, key, stock_key AS stock, FIRST_VALUE(row) OVER same_stock AS other_row,
      ROW_NUMBER() OVER same_stock AS place
    FROM staged_vehicle
    WHERE (rooftop_id, stock_key) IN (SELECT rooftop_id, stock_key FROM shared)
    WINDOW same_stock AS (PARTITION BY rooftop_id, stock_key ORDER BY position)
  )
  SELECT row, line, key, stock, other_row AS otherRow FROM numbered WHERE place > 1 ORDER BY position`;

/**
 * Only where a number is new to its vehicle, so that nothing is looked up for the many that are as they were. Of a row
 * that removes, the number is the vehicle's own when it is listed with it.
 */
export const FIND_STOCK_OF_OTHERS = `
  SELECT staged.row, staged.line, staged.key, staged.stock_key AS stock, COALESCE(other.vin, other.identity) AS otherKey
  FROM staged_vehicle AS staged
  LEFT JOIN vehicle AS own ON own.row_id = staged.listed_id
  CROSS JOIN vehicle AS other ON other.stock_key = staged.stock_key AND other.rooftop_id = staged.rooftop_id
  WHERE staged.scope = '' AND staged.stock_key IS NOT NULL
    AND (own.row_id IS NULL OR own.left_at IS NOT NULL OR own.stock_key IS NOT staged.stock_key)
    AND other.left_at IS NULL AND other.vin <> staged.vin
    AND (own.left_at IS NULL AND own.row_id IS NOT NULL
      OR NOT EXISTS (SELECT 1 FROM leaving WHERE leaving.row_id = other.row_id AND stays = 0))
    AND NOT EXISTS (
      SELECT 1 FROM staged_vehicle AS brought
      WHERE brought.identity = other.identity AND brought.rooftop_id = other.rooftop_id)
  UNION ALL
  SELECT removal.row, removal.line, removal.key, removal.stock_key, other.vin
  FROM staged_removal AS removal
  JOIN vehicle AS own ON own.identity = removal.identity AND own.rooftop_id = removal.rooftop_id
  JOIN vehicle AS other ON other.stock_key = removal.stock_key AND other.rooftop_id = removal.rooftop_id
  WHERE removal.identity GLOB 'vin:*' AND own.left_at IS NULL AND own.stock_key IS NOT removal.stock_key
    AND other.left_at IS NULL AND other.vin <> own.vin
  ORDER BY 1`;

const IS_KNOWN_BY_VIN = `(
      EXISTS (
        SELECT 1 FROM vehicle AS known
        WHERE known.identity = removal.identity AND known.rooftop_id = removal.rooftop_id AND known.left_at IS NULL)
      OR EXISTS (
        SELECT 1 FROM staged_vehicle AS known
        WHERE known.identity = removal.identity AND known.rooftop_id = removal.rooftop_id))`;

/**
 * For removals that give only a stock number or an id of the dealer: the identities at that rooftop, listed or in
 * this file, that carry it. The vehicle may be kept under its VIN.
 *
 * For removals that give a VIN and a stock number: where no vehicle goes by the VIN, those without one that carry the
 * number. One with another VIN has only inherited the number of the car that is gone.
 */
const NAMESAKES = `
  namesake AS (
    SELECT removal.rowid AS removal_id, vehicle.identity FROM staged_removal AS removal
    JOIN vehicle ON vehicle.rooftop_id = removal.rooftop_id AND vehicle.stock_key = substr(removal.identity, 7)
    WHERE removal.identity GLOB 'stock:*' AND vehicle.left_at IS NULL
    UNION
    SELECT removal.rowid, vehicle.identity FROM staged_removal AS removal
    JOIN vehicle ON vehicle.rooftop_id = removal.rooftop_id AND vehicle.vehicle_id_key = substr(removal.identity, 4)
    WHERE removal.identity GLOB 'id:*' AND vehicle.left_at IS NULL
    UNION
    SELECT removal.rowid, staged.identity FROM staged_removal AS removal
    JOIN staged_vehicle AS staged
      ON staged.rooftop_id = removal.rooftop_id AND staged.stock_key = substr(removal.identity, 7)
    WHERE removal.identity GLOB 'stock:*'
    UNION
    SELECT removal.rowid, staged.identity FROM staged_removal AS removal
    JOIN staged_vehicle AS staged
      ON staged.rooftop_id = removal.rooftop_id AND staged.vehicle_id_key = substr(removal.identity, 4)
    WHERE removal.identity GLOB 'id:*'
    UNION
    SELECT removal.rowid, vehicle.identity FROM staged_removal AS removal
    JOIN vehicle ON vehicle.rooftop_id = removal.rooftop_id AND vehicle.stock_key = removal.stock_key
    WHERE vehicle.vin IS NULL AND vehicle.left_at IS NULL AND NOT ${IS_KNOWN_BY_VIN}
    UNION
    SELECT removal.rowid, staged.identity FROM staged_removal AS removal
    JOIN staged_vehicle AS staged
      ON staged.rooftop_id = removal.rooftop_id AND staged.stock_key = removal.stock_key
    WHERE staged.vin IS NULL AND NOT ${IS_KNOWN_BY_VIN}
  )`;

/** Looked through once for each removal; only delta files have any, so the other files need not pay for these. */
export const INDEX_NAMESAKES = `
  CREATE INDEX IF NOT EXISTS temp.staged_by_stock ON staged_vehicle (stock_key, rooftop_id);
  CREATE INDEX IF NOT EXISTS temp.staged_by_vehicle_id ON staged_vehicle (vehicle_id_key, rooftop_id)`;

/** A removal whose number only one vehicle carries means that vehicle. */
export const RESOLVE_REMOVALS = `
  WITH ${NAMESAKES}
  UPDATE staged_removal SET identity = meant.identity
  FROM (SELECT removal_id, MIN(identity) AS identity FROM namesake GROUP BY removal_id HAVING COUNT(*) = 1) AS meant
  WHERE staged_removal.rowid = meant.removal_id`;

/** Of several vehicles none is kept under the number itself: which one is meant, nobody can tell. */
export const FIND_AMBIGUOUS_REMOVALS = `
  WITH ${NAMESAKES}
  SELECT removal.row, removal.line, removal.key, removal.rooftop_id AS rooftopId, removal.identity, COUNT(*) AS matches
  FROM namesake JOIN staged_removal AS removal ON removal.rowid = namesake.removal_id
  GROUP BY namesake.removal_id
  HAVING COUNT(*) > 1 AND NOT MAX(namesake.identity = removal.identity)
  ORDER BY removal.row`;

/** A file that brings and removes the same vehicle means what it says last: by date where both have one, else by row. */
export const DROP_VEHICLES_REMOVED_LATER = `
  DELETE FROM staged_vehicle WHERE position IN (
    SELECT staged.position FROM staged_removal AS removal
    CROSS JOIN staged_vehicle AS staged
      ON staged.identity = removal.identity AND staged.rooftop_id = removal.rooftop_id
    WHERE CASE
      WHEN removal.inventory_date <> staged.inventory_date THEN removal.inventory_date > staged.inventory_date
      ELSE removal.row > staged.row END)`;

export const DROP_REMOVALS_BROUGHT_LATER = `
  DELETE FROM staged_removal WHERE EXISTS (
    SELECT 1 FROM staged_vehicle AS staged
    WHERE staged.identity = staged_removal.identity AND staged.rooftop_id = staged_removal.rooftop_id)`;

/**
 * Looked up once for all that compares and applies, because identities lie in no order. Recognised vehicles are not looked
 * up, and nothing is written where the vehicle is new.
 */
export const FIND_LISTED = `
  UPDATE staged_vehicle SET listed_id = (
    SELECT row_id FROM vehicle
    WHERE vehicle.identity = staged_vehicle.identity AND vehicle.rooftop_id = staged_vehicle.rooftop_id)
  WHERE listed_id IS NULL AND EXISTS (
    SELECT 1 FROM vehicle
    WHERE vehicle.identity = staged_vehicle.identity AND vehicle.rooftop_id = staged_vehicle.rooftop_id)`;

export const FORGET_LISTED = `UPDATE staged_vehicle SET listed_id = NULL WHERE listed_id IS NOT NULL`;

export const FORGET_LEAVING = `DELETE FROM leaving`;

/**
 * The vehicles that the run takes off the lot because the file says so: those that it removes by name, whoever
 * brought them, and cars that it places at another rooftop than this feed did, or another feed by an older file. A car
 * is in one place; without that rule a transfer would list it twice.
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
    AND (vehicle.feed_id = @feedId OR vehicle.updated_at <= @confirmedAt)`;

/**
 * The vehicles of this feed that the file lacks, at rooftops that it names, or at all with @everywhere = 1. Those
 * that fewer than @grace files in a row have lacked before this one stay.
 */
export const COLLECT_ABSENT = `
  INSERT OR IGNORE INTO leaving (row_id, rooftop_id, is_absent, stays)
  SELECT row_id, rooftop_id, 1, missing_files < @grace FROM vehicle
  WHERE feed_id = @feedId AND left_at IS NULL
    AND (@everywhere = 1
      OR rooftop_id IN (
        SELECT rooftop_id FROM staged_vehicle UNION SELECT rooftop_id FROM staged_removal
        UNION SELECT value FROM json_each(@rooftopIds)))
    AND NOT EXISTS (
      SELECT 1 FROM staged_vehicle AS staged
      WHERE staged.identity = vehicle.identity AND staged.rooftop_id = vehicle.rooftop_id)`;

/** Behind the last vehicle of the file before that this file still has. */
const BEHIND_THE_LAST_KEPT = `
  missing_files = 0 AND vehicle.position > (
    SELECT MAX(kept.position) FROM staged_vehicle AS staged
    JOIN vehicle AS kept ON kept.row_id = staged.listed_id
    WHERE kept.feed_id = @feedId AND kept.left_at IS NULL AND kept.missing_files = 0)`;

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

/** One row a rooftop that the file names or that a vehicle leaves. A vehicle that comes back counts as added. */
export const COUNT_CHANGES = `
  WITH
    brought AS (
      SELECT staged.rooftop_id,
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
      SELECT rooftop_id, COUNT(*) AS before FROM vehicle
      WHERE feed_id = @feedId AND left_at IS NULL GROUP BY rooftop_id
    ),
    touched AS (
      SELECT rooftop_id FROM brought
      UNION SELECT rooftop_id FROM staged_removal
      UNION SELECT rooftop_id FROM removed
    )
  SELECT rooftop_id AS rooftopId, COALESCE(before, 0) AS before, COALESCE(added, 0) AS added,
    COALESCE(changed, 0) AS changed, COALESCE(unchanged, 0) AS unchanged, COALESCE(removed, 0) AS removed,
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

/** A vehicle that keeps a date which its row does not tell cannot say again what the row says. */
const RECORD_HASH = `
  CASE WHEN staged.inventory_date IS NOT NULL OR vehicle.inventory_date IS NULL THEN staged.record_hash END`;

/** What apply does, in this order, inside one transaction. */
export const APPLY_STEPS: readonly string[] = [
  `UPDATE vehicle SET left_at = MAX(updated_at, @confirmedAt) WHERE row_id IN (SELECT row_id FROM leaving WHERE stays = 0)`,

  // Missing vehicles that stay are not confirmed.
  `UPDATE vehicle SET missing_files = missing_files + 1, missing_since = COALESCE(missing_since, @runId)
   WHERE row_id IN (SELECT row_id FROM leaving WHERE stays = 1)`,

  // Unchanged vehicles: confirmed, and claimed by this feed.
  `UPDATE vehicle SET feed_id = @feedId, updated_at = MAX(updated_at, @confirmedAt), position = staged.position,
     missing_files = 0, missing_since = NULL, record_hash = ${RECORD_HASH}
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
     inventory_date, first_seen, updated_at, position, record_hash)
   SELECT rooftop_id, identity, @feedId, vin, stock_key, vehicle_id_key, content_hash, inventory_date,
     @confirmedAt, @confirmedAt, position, record_hash
   FROM staged_vehicle AS staged
   WHERE NOT EXISTS (
     SELECT 1 FROM vehicle AS listed
     WHERE listed.row_id = staged.listed_id AND listed.content_hash = staged.content_hash
       AND listed.left_at IS NULL)
   ORDER BY position
   ON CONFLICT (identity, rooftop_id) DO UPDATE SET
     feed_id = excluded.feed_id,
     vin = excluded.vin,
     stock_key = excluded.stock_key,
     vehicle_id_key = excluded.vehicle_id_key,
     content_hash = excluded.content_hash,
     inventory_date = COALESCE(excluded.inventory_date, inventory_date),
     updated_at = MAX(updated_at, excluded.updated_at),
     position = excluded.position,
     record_hash = CASE WHEN excluded.inventory_date IS NOT NULL OR vehicle.inventory_date IS NULL
       THEN excluded.record_hash END,
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
       ON staged.identity = vehicle.identity AND staged.rooftop_id = vehicle.rooftop_id)`,

  `INSERT INTO remembered_price (row_id, list_price, price)
   SELECT vehicle.row_id, last.list_price, last.price FROM staged_last_price AS last
   CROSS JOIN staged_vehicle AS staged USING (position)
   CROSS JOIN vehicle ON vehicle.identity = staged.identity AND vehicle.rooftop_id = staged.rooftop_id`,
];

export const CLEAR_STAGING = `
  DROP INDEX IF EXISTS temp.staged_by_identity;
  DELETE FROM staged_vehicle; DELETE FROM staged_text; DELETE FROM staged_last_price;
  DELETE FROM staged_removal; DELETE FROM leaving`;
