import { BYTES_OF_HASH } from './record-hashes.ts';

/**
 * The SQL of one run (staged-run.ts), statement by statement: how rows are put beside the lot. What is asked of them is in
 * doubt-sql.ts, what they take off in removal-sql.ts, what becomes of the lot in apply-sql.ts.
 */

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

export const STAGE_LAST_PRICE = `
  INSERT INTO staged_last_price (position, list_price, price, is_held) VALUES (?, ?, ?, ?)`;

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

export const DROP_STAGED = `DELETE FROM staged_vehicle WHERE position = ?`;

export const DROP_STAGED_ROW = `DELETE FROM staged_vehicle WHERE row = ?`;

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

export const CLEAR_STAGING = `
  DROP INDEX IF EXISTS temp.staged_by_identity;
  DELETE FROM staged_vehicle; DELETE FROM staged_text; DELETE FROM staged_last_price;
  DELETE FROM staged_removal; DELETE FROM leaving`;
