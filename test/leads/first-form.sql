  CREATE TABLE leads (
    lead_id TEXT PRIMARY KEY,
    received_at INTEGER NOT NULL,
    rooftop_id TEXT NOT NULL,
    request TEXT NOT NULL,
    listing TEXT,
    appointment TEXT,
    reply TEXT NOT NULL
  ) STRICT;
  CREATE INDEX leads_by_receipt ON leads (received_at);

  CREATE TABLE consents (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    lead_id TEXT NOT NULL REFERENCES leads,
    recorded_at INTEGER NOT NULL,
    occasion TEXT NOT NULL CHECK (occasion IN ('lead', 'duplicate')),
    record TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX consents_by_lead ON consents (lead_id);
  CREATE TRIGGER consents_never_change BEFORE UPDATE ON consents
    BEGIN SELECT RAISE(ABORT, 'the consent ledger is append-only'); END;
  CREATE TRIGGER consents_never_leave BEFORE DELETE ON consents
    BEGIN SELECT RAISE(ABORT, 'the consent ledger is append-only'); END;

  CREATE TABLE idempotency (
    key TEXT PRIMARY KEY,
    payload_hash TEXT NOT NULL,
    reply TEXT NOT NULL,
    lead_id TEXT NOT NULL REFERENCES leads,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE duplicate_keys (
    key TEXT NOT NULL,
    lead_id TEXT NOT NULL REFERENCES leads,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (key, lead_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE deliveries (
    delivery_id INTEGER PRIMARY KEY AUTOINCREMENT,
    lead_id TEXT NOT NULL REFERENCES leads,
    destination TEXT NOT NULL,
    state TEXT NOT NULL
      CHECK (state IN ('queued', 'sending', 'delivered', 'rejected', 'uncertain', 'dead')),
    queued_at INTEGER NOT NULL,
    next_attempt_at INTEGER,
    last_attempt_at INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    retries INTEGER NOT NULL DEFAULT 0,
    may_have_arrived INTEGER NOT NULL DEFAULT 0,
    resent_by_hand INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER,
    lease_owner TEXT,
    reference TEXT,
    reason TEXT,
    UNIQUE (lead_id, destination)
  ) STRICT;
  CREATE INDEX deliveries_waiting ON deliveries (destination, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL;
  CREATE INDEX deliveries_sending ON deliveries (destination, lease_until) WHERE state = 'sending';
  CREATE INDEX deliveries_by_state ON deliveries (state);

  CREATE TABLE attempts (
    attempt_id INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery_id INTEGER NOT NULL REFERENCES deliveries,
    started_at INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    stage TEXT NOT NULL,
    sent TEXT NOT NULL CHECK (sent IN ('no', 'maybe', 'yes')),
    verdict TEXT NOT NULL,
    reason TEXT NOT NULL,
    reference TEXT
  ) STRICT;
  CREATE INDEX attempts_by_delivery ON attempts (delivery_id);

  CREATE TABLE destination_pauses (
    destination TEXT PRIMARY KEY,
    until INTEGER NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;
PRAGMA user_version = 1;
