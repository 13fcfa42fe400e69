import { ANY_ROOFTOP } from '../model/supplement.ts';
import { ambiguitiesOf, broughtBefore, contradictionsOf, joinsOf } from './supplement-joins.ts';

/** The SQL of one run of a companion feed (supplement-run.ts). Named parameters: @feedId, @feeds (JSON), @absent. */

export const SUPPLEMENT_STAGING_TABLES = `
  CREATE TEMP TABLE IF NOT EXISTS staged_supplement (
    position        INTEGER PRIMARY KEY,
    row             INTEGER NOT NULL,
    line            INTEGER NOT NULL,
    key             TEXT    NOT NULL,
    rooftop_id      TEXT    NOT NULL,
    identity        TEXT    NOT NULL,
    vin             TEXT,
    stock_key       TEXT,
    inventory_date  TEXT,
    sequence        REAL,
    json            TEXT    NOT NULL,
    content_hash    TEXT    NOT NULL,
    last_list_price INTEGER,
    last_price      INTEGER
  );
  CREATE TEMP TABLE IF NOT EXISTS staged_supplement_removal (
    rooftop_id TEXT    NOT NULL,
    identity   TEXT    NOT NULL,
    row        INTEGER NOT NULL
  );
  CREATE TEMP TABLE IF NOT EXISTS leaving_supplement (
    supplement_id INTEGER PRIMARY KEY
  )`;

export const STAGE_SUPPLEMENT = `
  INSERT INTO staged_supplement (row, line, key, rooftop_id, identity, vin, stock_key, inventory_date, sequence, json,
    content_hash, last_list_price, last_price)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export const STAGE_SUPPLEMENT_REMOVAL = `
  INSERT INTO staged_supplement_removal (rooftop_id, identity, row) VALUES (@rooftopId, @identity, @row)`;

export const INDEX_STAGED = `
  CREATE INDEX IF NOT EXISTS temp.staged_supplement_by_identity ON staged_supplement (identity, rooftop_id);
  CREATE INDEX IF NOT EXISTS temp.staged_supplement_by_stock ON staged_supplement (stock_key)`;

/** Rows that lose against another row of the same vehicle: newest date first, then last in the file. */
export const FIND_REPEATED = `
  WITH ranked AS (
    SELECT position, FIRST_VALUE(position) OVER (
      PARTITION BY identity, rooftop_id ORDER BY COALESCE(inventory_date, '') DESC, position DESC
    ) AS kept_position
    FROM staged_supplement
  )
  SELECT lost.position, lost.row, lost.line, lost.key, kept.row AS keptRow,
    CASE
      WHEN lost.content_hash = kept.content_hash THEN 'identical'
      WHEN COALESCE(lost.inventory_date, '') < COALESCE(kept.inventory_date, '') THEN 'older'
      ELSE 'earlier_row'
    END AS reason
  FROM ranked
  JOIN staged_supplement AS lost USING (position)
  JOIN staged_supplement AS kept ON kept.position = ranked.kept_position
  WHERE ranked.position <> ranked.kept_position
  ORDER BY lost.position`;

/** Calls the functions of supplement-run.ts. The first row of a vehicle takes up the others, which then go. */
export const GATHER_PIECES = `
  UPDATE staged_supplement SET json = whole.json, content_hash = supplement_hash(whole.json)
  FROM (
    SELECT MIN(position) AS position, gathered_json(json ORDER BY sequence IS NULL, sequence, position) AS json
    FROM staged_supplement GROUP BY identity, rooftop_id HAVING COUNT(*) > 1
  ) AS whole
  WHERE whole.position = staged_supplement.position`;

export const DROP_GATHERED = `
  DELETE FROM staged_supplement WHERE position NOT IN (
    SELECT MIN(position) FROM staged_supplement GROUP BY identity, rooftop_id)`;

export const DROP_STAGED_SUPPLEMENT = `DELETE FROM staged_supplement WHERE position = ?`;

/** Whether a staged row says what its feed has said of the vehicle before. */
export const FIND_REPEATED_SUPPLEMENT = `
  SELECT 1 FROM staged_supplement AS staged JOIN supplement
    ON supplement.feed_id = @feedId AND supplement.identity = staged.identity
      AND supplement.rooftop_id = staged.rooftop_id
  WHERE staged.row = @row AND supplement.content_hash = staged.content_hash`;

export const FIND_CONTENT = `SELECT content_hash FROM staged_supplement WHERE row = ?`;

export const FIND_ROW_WITH_CONTENT = `
  SELECT 1 FROM staged_supplement WHERE content_hash = ? AND row <> ? LIMIT 1`;

export const WITHDRAW_ROW = `DELETE FROM staged_supplement WHERE row = ?`;

/** A file that brings and removes the same vehicle means what it says last. */
export const DROP_SUPPLEMENTS_REMOVED_LATER = `
  DELETE FROM staged_supplement WHERE EXISTS (
    SELECT 1 FROM staged_supplement_removal AS removal
    WHERE removal.identity = staged_supplement.identity AND removal.rooftop_id = staged_supplement.rooftop_id
      AND removal.row > staged_supplement.row)`;

export const DROP_SUPPLEMENT_REMOVALS_BROUGHT_LATER = `
  DELETE FROM staged_supplement_removal WHERE EXISTS (
    SELECT 1 FROM staged_supplement AS staged
    WHERE staged.identity = staged_supplement_removal.identity
      AND staged.rooftop_id = staged_supplement_removal.rooftop_id)`;

const STAGED = 'SELECT position AS id, rooftop_id, vin, stock_key, @feeds AS feeds FROM staged_supplement';

export const COUNT_JOINED = `SELECT COUNT(DISTINCT id) FROM (${joinsOf(STAGED)})`;

export const COUNT_STAGED = `SELECT COUNT(*) FROM staged_supplement`;

export const FIND_AMBIGUOUS = `
  SELECT row, line, key, matches FROM (${ambiguitiesOf(STAGED)}) AS found
  JOIN staged_supplement ON staged_supplement.position = found.id ORDER BY position`;

export const FIND_CONTRADICTORY = `
  SELECT row, line, key, found.stock_key AS stock, stock_vin AS stockVin FROM (${contradictionsOf(STAGED)}) AS found
  JOIN staged_supplement ON staged_supplement.position = found.id ORDER BY position`;

/** What is published for the vehicle that a row adds to, and what was until the price was held back. */
export const FIND_KNOWN_PRICES = `
  WITH text AS (
    SELECT COALESCE(supplemented.json, listing.json) AS json
    FROM (${joinsOf(
      'SELECT 1 AS id, @rooftopId AS rooftop_id, @vin AS vin, @stockKey AS stock_key, @feeds AS feeds',
    )}) AS joined
    JOIN listing USING (row_id) LEFT JOIN supplemented USING (row_id)
    LIMIT 1
  ),
  held AS (
    SELECT last_list_price, last_price FROM supplement
    WHERE feed_id = @feedId AND identity = @identity AND rooftop_id = @rooftopId
  )
  SELECT COALESCE((SELECT json_extract(json, '$.list_price') FROM text), (SELECT last_list_price FROM held)) AS list_price,
    COALESCE((SELECT json_extract(json, '$.price') FROM text), (SELECT last_price FROM held)) AS price,
    (SELECT json_extract(json, '$.msrp') FROM text) AS msrp,
    (SELECT json_extract(json, '$.condition') FROM text) AS condition`;

export const FORGET_LEAVING_SUPPLEMENTS = `DELETE FROM leaving_supplement`;

/**
 * What a run takes back: absent rows (@absent = 1) of the rooftops that the file names, and rows it removes by name.
 * A file that names no rooftop speaks for all, and what names no rooftop is spoken for by every file; else rows
 * would stay for good once the rooftop is added to the settings, or taken out.
 */
export const COLLECT_LEAVING_SUPPLEMENTS = `
  INSERT OR IGNORE INTO leaving_supplement (supplement_id)
  SELECT supplement_id FROM supplement
  WHERE @absent = 1 AND feed_id = @feedId
    AND (@everywhere = 1 OR rooftop_id = '${ANY_ROOFTOP}'
      OR NOT EXISTS (SELECT 1 FROM staged_supplement WHERE rooftop_id <> '${ANY_ROOFTOP}')
      OR rooftop_id IN (SELECT rooftop_id FROM staged_supplement))
    AND NOT EXISTS (
      SELECT 1 FROM staged_supplement AS staged
      WHERE staged.identity = supplement.identity AND staged.rooftop_id = supplement.rooftop_id)
  UNION ALL
  SELECT supplement_id FROM staged_supplement_removal AS removal
  JOIN supplement ON supplement.identity = removal.identity AND supplement.rooftop_id = removal.rooftop_id
  WHERE feed_id = @feedId
  UNION ALL
  SELECT MIN(supplement_id) FROM staged_supplement_removal AS removal
  JOIN supplement ON supplement.stock_key = substr(removal.identity, 7) AND supplement.rooftop_id = removal.rooftop_id
  WHERE feed_id = @feedId AND removal.identity GLOB 'stock:*'
  GROUP BY removal.rowid HAVING COUNT(*) = 1`;

/**
 * Counted are the rows that bring something: one that has become empty takes its fields back as one that is gone
 * does. A row that added to no vehicle on the lot, or that the file only calls by another number or rooftop, is
 * no loss for the lot.
 */
export const COUNT_SUPPLEMENT_CHANGES = `
  WITH
    brought AS (
      SELECT staged.rooftop_id,
        SUM(staged.json <> '{}' AND COALESCE(known.json, '{}') = '{}') AS added,
        SUM(staged.json <> '{}' AND known.json <> '{}' AND known.content_hash <> staged.content_hash) AS changed,
        SUM(known.content_hash IS staged.content_hash) AS unchanged
      FROM staged_supplement AS staged
      LEFT JOIN supplement AS known ON known.feed_id = @feedId AND known.identity = staged.identity
        AND known.rooftop_id = staged.rooftop_id
      GROUP BY staged.rooftop_id
    ),
    lost AS (
      SELECT supplement.supplement_id, supplement.rooftop_id, supplement.identity, supplement.stock_key
      FROM leaving_supplement JOIN supplement USING (supplement_id)
      WHERE supplement.json <> '{}'
      UNION ALL
      SELECT known.supplement_id, known.rooftop_id, known.identity, NULL
      FROM staged_supplement AS staged
      JOIN supplement AS known ON known.feed_id = @feedId AND known.identity = staged.identity
        AND known.rooftop_id = staged.rooftop_id
      WHERE staged.json = '{}' AND known.json <> '{}'
    ),
    felt AS (
      SELECT id FROM (${joinsOf(`
        ${broughtBefore('@feeds')}
        WHERE supplement_id IN (SELECT supplement_id FROM lost)`)})
    ),
    removed AS (
      SELECT lost.rooftop_id, COUNT(*) AS removed,
        SUM(lost.supplement_id NOT IN (SELECT id FROM felt) OR EXISTS (
          SELECT 1 FROM staged_supplement AS staged
          WHERE staged.json <> '{}' AND (staged.identity = lost.identity OR staged.stock_key = lost.stock_key)
        )) AS moved
      FROM lost GROUP BY lost.rooftop_id
    ),
    held AS (
      SELECT rooftop_id, COUNT(*) AS before FROM supplement
      WHERE feed_id = @feedId AND json <> '{}' GROUP BY rooftop_id
    ),
    touched AS (
      SELECT rooftop_id FROM brought
      UNION SELECT rooftop_id FROM staged_supplement_removal
      UNION SELECT rooftop_id FROM removed
    )
  SELECT rooftop_id AS rooftopId, COALESCE(before, 0) AS before, COALESCE(added, 0) AS added,
    COALESCE(changed, 0) AS changed, COALESCE(unchanged, 0) AS unchanged, COALESCE(removed, 0) AS removed,
    COALESCE(moved, 0) AS moved
  FROM touched
  LEFT JOIN brought USING (rooftop_id)
  LEFT JOIN removed USING (rooftop_id)
  LEFT JOIN held USING (rooftop_id)
  ORDER BY rooftop_id`;

/** What apply does, in this order, inside one transaction; merging follows. */
export const APPLY_SUPPLEMENT_STEPS: readonly string[] = [
  `DELETE FROM supplement WHERE supplement_id IN (SELECT supplement_id FROM leaving_supplement)`,

  `INSERT INTO supplement (feed_id, rooftop_id, identity, vin, stock_key, json, content_hash, last_list_price,
     last_price)
   SELECT @feedId, rooftop_id, identity, vin, stock_key, json, content_hash, last_list_price, last_price
   FROM staged_supplement WHERE true ORDER BY position
   ON CONFLICT (feed_id, identity, rooftop_id) DO UPDATE SET
     vin = excluded.vin,
     stock_key = excluded.stock_key,
     meant_vin = NULL,
     json = excluded.json,
     content_hash = excluded.content_hash,
     last_list_price = excluded.last_list_price,
     last_price = excluded.last_price`,
];

export const CLEAR_SUPPLEMENT_STAGING = `
  DROP INDEX IF EXISTS temp.staged_supplement_by_identity;
  DROP INDEX IF EXISTS temp.staged_supplement_by_stock;
  DELETE FROM staged_supplement; DELETE FROM staged_supplement_removal; DELETE FROM leaving_supplement`;
