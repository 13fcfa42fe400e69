/** Which vehicles the rows mean that take one off the lot (staging-sql.ts). */

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
