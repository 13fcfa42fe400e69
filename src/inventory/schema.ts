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
  `
  -- Where a vehicle stood in the last file that had it, and how many full files in a row have lacked it since.
  ALTER TABLE vehicle ADD COLUMN position INTEGER;
  ALTER TABLE vehicle ADD COLUMN missing_files INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE vehicle ADD COLUMN missing_since TEXT; -- the run whose file was the first to lack it
  -- Whether the file's last row was ended by a line break; NULL where the format itself tells its end.
  ALTER TABLE run ADD COLUMN ends_with_break INTEGER;
  `,
  `
  -- Companion feeds as they are configured: whose vehicles they add to, which fields they own (JSON).
  CREATE TABLE supplement_rule (
    feed_id   TEXT PRIMARY KEY,
    rule      TEXT NOT NULL,
    rule_hash TEXT NOT NULL
  ) STRICT;

  -- What a companion feed says of one vehicle, whether that is on the lot or not: the fields that it owns, as JSON.
  CREATE TABLE supplement (
    supplement_id   INTEGER PRIMARY KEY AUTOINCREMENT,
    feed_id         TEXT    NOT NULL,
    rooftop_id      TEXT    NOT NULL, -- '*' where the file names none
    identity        TEXT    NOT NULL, -- as in vehicle
    vin             TEXT,
    stock_key       TEXT,
    json            TEXT    NOT NULL,
    content_hash    TEXT    NOT NULL,
    last_list_price INTEGER,          -- of a price that is held back: as in remembered_price
    last_price      INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX supplement_by_identity ON supplement (feed_id, identity, rooftop_id);

  -- The text that is published in place of the listing's, for vehicles that a companion feed adds to.
  CREATE TABLE supplemented (
    row_id    INTEGER PRIMARY KEY REFERENCES vehicle (row_id) ON DELETE CASCADE,
    json      TEXT NOT NULL,
    sources   TEXT NOT NULL, -- JSON: which feed gave which fields
    made_from TEXT NOT NULL  -- changes when the listing, a supplement or a rule does
  ) STRICT;
  `,
  `
  -- The few that wait for a person, among the many that ever came in.
  CREATE INDEX run_held ON run (feed_id) WHERE status = 'held';
  `,
  `
  -- Hash of the file's record, and of all that it was read with, that the vehicle's own listing was made from. NULL
  -- where the record must be looked at again each time.
  ALTER TABLE vehicle ADD COLUMN record_hash BLOB;
  `,
  `
  -- When the dealer's system wrote the file, never later than it was taken in. RFC 3339; NULL for runs before that.
  ALTER TABLE run ADD COLUMN file_at TEXT;
  `,
  `
  -- When the newest file that speaks of the vehicle was written, and the feed that it is of, where that is not the one
  -- that has the vehicle. updated_at may be later, by a companion file.
  ALTER TABLE vehicle ADD COLUMN told_at INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE vehicle ADD COLUMN told_by TEXT;
  UPDATE vehicle SET told_at = COALESCE(left_at, updated_at);
  -- The VIN of the vehicle that carried the stock number when the row came, for a row that gives no VIN itself.
  ALTER TABLE supplement ADD COLUMN meant_vin TEXT;
  `,
  `
  -- Content hash of the file's last row, where no line break ends it: the next file may show that it was whole.
  ALTER TABLE run ADD COLUMN unterminated_row TEXT;
  `,
  `
  -- By which terms of the settings (JSON) the stored prices of a feed at a rooftop were made: other terms, other prices.
  CREATE TABLE price_terms (
    feed_id    TEXT NOT NULL,
    rooftop_id TEXT NOT NULL,
    terms      TEXT NOT NULL,
    PRIMARY KEY (feed_id, rooftop_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The dealer that most rows name, of a feed of one rooftop: rows that are recognised are of that one.
  ALTER TABLE run ADD COLUMN dealer TEXT;
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
    content_hash   TEXT    NOT NULL,
    record_hash    BLOB,
    listed_id      INTEGER,             -- row id of the vehicle that it is, once that has been looked for
    is_outdated    INTEGER              -- 1: another feed has said something else since, and that stays
  );

  -- Apart from the rest, so that comparing need not walk through the texts. Recognised vehicles need none.
  CREATE TEMP TABLE IF NOT EXISTS staged_text (
    position INTEGER PRIMARY KEY,
    json     TEXT    NOT NULL
  );

  -- The few whose text has no price, with the prices that were published before.
  CREATE TEMP TABLE IF NOT EXISTS staged_last_price (
    position   INTEGER PRIMARY KEY,
    list_price INTEGER,
    price      INTEGER,
    is_held    INTEGER NOT NULL -- 1: the row gives a price, which is held back
  );

  CREATE TEMP TABLE IF NOT EXISTS staged_removal (
    row        INTEGER NOT NULL,
    line       INTEGER NOT NULL,
    key        TEXT    NOT NULL,
    rooftop_id TEXT    NOT NULL,
    identity   TEXT    NOT NULL,
    stock_key  TEXT,             -- what the row gives beside a VIN
    inventory_date TEXT
  );
  CREATE INDEX IF NOT EXISTS temp.removal_by_identity ON staged_removal (identity, rooftop_id);

  CREATE TEMP TABLE IF NOT EXISTS leaving (
    row_id     INTEGER PRIMARY KEY,
    rooftop_id TEXT    NOT NULL,
    is_absent  INTEGER NOT NULL, -- because the file lacks it, not because it says so
    stays      INTEGER NOT NULL  -- absent, and yet on the lot until more files have lacked it
  );
`;
