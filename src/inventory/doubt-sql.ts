/** What is asked of the staged rows of one run (staging-sql.ts): which contradict each other, or what is on the lot. */

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
    COALESCE(vehicle.told_by, vehicle.feed_id) AS feedId, MAX(vehicle.told_at) > @confirmedAt AS isLost
  FROM staged_vehicle AS staged
  CROSS JOIN vehicle ON vehicle.identity = staged.identity AND vehicle.rooftop_id <> staged.rooftop_id
  WHERE staged.scope = '' AND COALESCE(vehicle.told_by, vehicle.feed_id) <> @feedId AND vehicle.left_at IS NULL
  GROUP BY staged.position`;

export const FIND_CONTENT = `SELECT content_hash FROM staged_vehicle WHERE row = ?`;

export const FIND_ROW_WITH_CONTENT = `SELECT 1 FROM staged_vehicle WHERE content_hash = ? AND row <> ? LIMIT 1`;

/** Whether a staged row says what is on the lot already. */
export const FIND_REPEATED = `
  SELECT 1 FROM staged_vehicle AS staged
  JOIN vehicle ON vehicle.identity = staged.identity AND vehicle.rooftop_id = staged.rooftop_id
  WHERE staged.row = ? AND vehicle.content_hash = staged.content_hash AND vehicle.left_at IS NULL`;

/** A price that is held back counts as one that the feed gave. What a delta brings may be another feed's. */
export const COUNT_LISTED_VALUES = `
  SELECT COUNT(*) AS vehicles, COALESCE(SUM(priced), 0) AS priced, COALESCE(SUM(stocked), 0) AS stocked,
    COALESCE(SUM(photographed), 0) AS photographed
  FROM (
    SELECT stock_key IS NOT NULL AS stocked, json_extract(listing.json, '$.photos[0]') IS NOT NULL AS photographed,
      COALESCE(json_extract(listing.json, '$.list_price'), json_extract(listing.json, '$.price'), remembered.list_price,
        remembered.price) IS NOT NULL AS priced
    FROM vehicle JOIN listing USING (row_id) LEFT JOIN remembered_price AS remembered USING (row_id)
    WHERE (feed_id = @feedId OR @mode = 'delta' AND row_id IN (SELECT listed_id FROM staged_vehicle))
      AND left_at IS NULL LIMIT 1000)`;

/** Of a larger lot every second vehicle is looked at, every third, … */
const MOST_COMPARED = 10_000;

const LISTED = `
  CROSS JOIN vehicle ON vehicle.row_id = staged.listed_id
  CROSS JOIN listing ON listing.row_id = vehicle.row_id`;

const IS_COMPARED = `
  vehicle.feed_id = @feedId AND vehicle.left_at IS NULL AND staged.is_outdated IS NULL
  AND staged.listed_id % (1 + (SELECT COUNT(listed_id) FROM staged_vehicle) / ${MOST_COMPARED}) = 0`;

const priceIn = (json: string): string =>
  `COALESCE(json_extract(${json}, '$.list_price'), json_extract(${json}, '$.price'))`;

/** How many vehicles are published with these values; once the staged rows have been looked up on the lot. */
export const COUNT_HAD_VALUES = `
  SELECT COALESCE(SUM(${priceIn('listing.json')} IS NOT NULL), 0) AS price, COUNT(vehicle.stock_key) AS stock
  FROM staged_vehicle AS staged ${LISTED}
  WHERE ${IS_COMPARED}`;

/** How many of them have none in the file. Recognised vehicles, which have no text here, have all that they had. */
export const COUNT_LOST_VALUES = `
  SELECT
    COALESCE(SUM(${priceIn('text.json')} IS NULL AND COALESCE(last.is_held, 0) = 0
      AND ${priceIn('listing.json')} IS NOT NULL), 0) AS price,
    COALESCE(SUM(staged.stock_key IS NULL AND vehicle.stock_key IS NOT NULL), 0) AS stock
  FROM staged_text AS text
  CROSS JOIN staged_vehicle AS staged ON staged.position = text.position ${LISTED}
  LEFT JOIN staged_last_price AS last ON last.position = staged.position
  WHERE ${IS_COMPARED}`;

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
