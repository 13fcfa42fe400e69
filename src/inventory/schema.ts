/**
 * The tables of inventory.db, as numbered migrations: the number of the last one applied is the file's
 * user_version. A migration that has been released is never edited, the next one is appended.
 *
 * `vehicle` is narrow and `listing` holds the text, because a full file confirms every vehicle (updated_at) but
 * changes few: confirming 100,000 vehicles rewrites 20 MB this way instead of 150 MB. Times are ms since 1970.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE vehicle (
    row_id         INTEGER PRIMARY KEY AUTOINCREMENT,
    rooftop_id     TEXT    NOT NULL,
    identity       TEXT    NOT NULL,
    feed_id        TEXT    NOT NULL, -- the feed that claimed it last: only its files can miss it
    vin            TEXT,
    stock_key      TEXT,             -- trimmed and upper case, as vehicle_id_key
    vehicle_id_key TEXT,
    content_hash   TEXT    NOT NULL,
    inventory_date TEXT,
    first_seen     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL, -- never lowered
    left_at        INTEGER           -- NULL while on the lot, else it is a tombstone
  ) STRICT;

  -- Also the order in which the lot reads: the fixed key that settles every tie.
  CREATE UNIQUE INDEX vehicle_by_identity ON vehicle (identity, rooftop_id);
  CREATE INDEX vehicle_by_vin ON vehicle (vin) WHERE vin IS NOT NULL;
  CREATE INDEX vehicle_by_stock ON vehicle (stock_key) WHERE stock_key IS NOT NULL;
  CREATE INDEX vehicle_by_vehicle_id ON vehicle (vehicle_id_key) WHERE vehicle_id_key IS NOT NULL;

  -- The vehicle as JSON text ready to publish, only updated_at is missing (listing-text.ts).
  CREATE TABLE listing (
    row_id INTEGER PRIMARY KEY REFERENCES vehicle (row_id) ON DELETE CASCADE,
    json   TEXT NOT NULL
  ) STRICT;

  CREATE TABLE run (
    run_id      TEXT PRIMARY KEY,
    feed_id     TEXT    NOT NULL,
    file_name   TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    status      TEXT    NOT NULL,
    code        TEXT,
    message     TEXT,
    started_at  TEXT    NOT NULL,
    finished_at TEXT    NOT NULL,
    rows        INTEGER NOT NULL,
    accepted    INTEGER NOT NULL,
    rejected    INTEGER NOT NULL,
    added       INTEGER NOT NULL,
    changed     INTEGER NOT NULL,
    unchanged   INTEGER NOT NULL,
    removed     INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX run_by_feed ON run (feed_id, started_at);
  `,
  `
  -- What was published before a price was held back, to compare the next one with. In dollars.
  CREATE TABLE remembered_price (
    row_id     INTEGER PRIMARY KEY REFERENCES vehicle (row_id) ON DELETE CASCADE,
    list_price INTEGER,
    price      INTEGER
  ) STRICT;
  `,
];

/**
 * One file on its way in, in TEMP tables: they belong to the connection, live in a temporary file rather than in
 * memory, and are gone with the process, so that a killed run leaves nothing behind.
 */
export const STAGING_TABLES = `
  CREATE TEMP TABLE IF NOT EXISTS staged_vehicle (
    position       INTEGER PRIMARY KEY, -- order of arrival, which is the order of the file
    row            INTEGER NOT NULL,
    line           INTEGER NOT NULL,
    key            TEXT    NOT NULL,
    rooftop_id     TEXT    NOT NULL,
    identity       TEXT    NOT NULL,
    scope          TEXT    NOT NULL,    -- where the identity is unique: '' everywhere (VIN), else the rooftop
    vin            TEXT,
    stock_key      TEXT,
    vehicle_id_key TEXT,
    inventory_date TEXT,
    content_hash   TEXT    NOT NULL
  );

  -- Apart from the rest, so that comparing need not walk through the texts.
  CREATE TEMP TABLE IF NOT EXISTS staged_text (
    position INTEGER PRIMARY KEY,
    json     TEXT    NOT NULL
  );

  -- The few whose text has no price, with the prices that were published before.
  CREATE TEMP TABLE IF NOT EXISTS staged_last_price (
    position   INTEGER PRIMARY KEY,
    list_price INTEGER,
    price      INTEGER
  );

  CREATE TEMP TABLE IF NOT EXISTS staged_removal (
    row        INTEGER NOT NULL,
    line       INTEGER NOT NULL,
    key        TEXT    NOT NULL,
    rooftop_id TEXT    NOT NULL,
    identity   TEXT    NOT NULL
  );
  CREATE INDEX IF NOT EXISTS temp.removal_by_identity ON staged_removal (identity, rooftop_id);

  CREATE TEMP TABLE IF NOT EXISTS leaving (
    row_id     INTEGER PRIMARY KEY,
    rooftop_id TEXT NOT NULL
  );
`;
