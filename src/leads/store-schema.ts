import type { Database } from 'better-sqlite3';
import { migrateDatabase, type MigratedDatabase, type Migration } from '../model/database-migrations.ts';
import { moveConsentsIntoLedger } from './store-ledger-move.ts';
import { KEEP_REPEATS_BY_LEAD, keyRepeatsByBuyer } from './store-keys-by-buyer.ts';

/**
 * leads.db, step by step. A step that has been released never changes, which its checksum in the file would tell; a
 * new one is appended. `user_version` counts the steps taken.
 */
export const LEAD_MIGRATIONS: readonly Migration[] = [
  `
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
  `,
  `
  CREATE TABLE consent_ledger (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    lead_id TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    occasion TEXT NOT NULL CHECK (occasion IN ('lead', 'duplicate')),
    record_hash TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX consent_ledger_by_lead ON consent_ledger (lead_id);
  CREATE TRIGGER consent_ledger_never_changes BEFORE UPDATE ON consent_ledger
    BEGIN SELECT RAISE(ABORT, 'the consent ledger is append-only'); END;
  CREATE TRIGGER consent_ledger_never_shrinks BEFORE DELETE ON consent_ledger
    BEGIN SELECT RAISE(ABORT, 'the consent ledger is append-only'); END;

  -- Customer data, apart from the ledger: a row may be erased, and the ledger stays whole.
  CREATE TABLE consent_records (
    sequence INTEGER PRIMARY KEY REFERENCES consent_ledger,
    lead_id TEXT NOT NULL,
    salt TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX consent_records_by_lead ON consent_records (lead_id);
  CREATE TRIGGER consent_records_never_change BEFORE UPDATE ON consent_records
    BEGIN SELECT RAISE(ABORT, 'a consent record may be erased, never changed'); END;
  `,
  { name: 'moveConsentsIntoLedger', run: moveConsentsIntoLedger },
  `
  CREATE TABLE appointments (
    appointment_id TEXT PRIMARY KEY,
    lead_id TEXT NOT NULL REFERENCES leads,
    rooftop_id TEXT NOT NULL,
    appointment_type TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    freed_at INTEGER
  ) STRICT;
  CREATE INDEX appointments_by_time ON appointments (rooftop_id, appointment_type, ends_at)
    WHERE freed_at IS NULL;
  CREATE INDEX appointments_by_lead ON appointments (lead_id);
  `,
  // A state and a time of settling for deliveries: SQLite changes a check only by building the table anew.
  `
  CREATE TABLE deliveries_with_settling (
    delivery_id INTEGER PRIMARY KEY AUTOINCREMENT,
    lead_id TEXT NOT NULL REFERENCES leads,
    destination TEXT NOT NULL,
    state TEXT NOT NULL
      CHECK (state IN ('queued', 'sending', 'delivered', 'rejected', 'uncertain', 'dead', 'cancelled')),
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
    settled_at INTEGER,
    UNIQUE (lead_id, destination)
  ) STRICT;
  INSERT INTO deliveries_with_settling
    SELECT delivery_id, lead_id, destination, state, queued_at, next_attempt_at, last_attempt_at, attempts, retries,
      may_have_arrived, resent_by_hand, lease_until, lease_owner, reference, reason,
      CASE WHEN state IN ('delivered', 'rejected', 'dead') THEN COALESCE(last_attempt_at, queued_at) END
    FROM deliveries;
  DROP TABLE deliveries;
  ALTER TABLE deliveries_with_settling RENAME TO deliveries;
  CREATE INDEX deliveries_waiting ON deliveries (destination, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL;
  CREATE INDEX deliveries_sending ON deliveries (destination, lease_until) WHERE state = 'sending';
  CREATE INDEX deliveries_by_state ON deliveries (state);

  -- Finds the oldest due delivery without sorting, and without a look at any row, however long the queue is.
  CREATE INDEX deliveries_in_order
    ON deliveries (destination, delivery_id, next_attempt_at, last_attempt_at, queued_at)
    WHERE next_attempt_at IS NOT NULL;

  ALTER TABLE leads ADD COLUMN erased_at INTEGER;

  CREATE TABLE operations (
    operation_id INTEGER PRIMARY KEY AUTOINCREMENT,
    lead_id TEXT NOT NULL REFERENCES leads,
    destination TEXT,
    done_at INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('resend', 'replay', 'cancel', 'erase')),
    who TEXT NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX operations_by_lead ON operations (lead_id);

  CREATE TABLE told_alerts (
    channel TEXT NOT NULL,
    key TEXT NOT NULL,
    text TEXT NOT NULL,
    told_at INTEGER NOT NULL,
    PRIMARY KEY (channel, key)
  ) STRICT, WITHOUT ROWID;
  `,
  // Since when a destination refuses us; of one that does so already it is not known.
  'ALTER TABLE destination_pauses ADD COLUMN since INTEGER NOT NULL DEFAULT 0',
  { name: 'keyRepeatsByBuyer', run: keyRepeatsByBuyer },
  KEEP_REPEATS_BY_LEAD,
  // Whether a delivery waits for the end of its destination's pause alone.
  'ALTER TABLE deliveries ADD COLUMN waits_for_pause INTEGER NOT NULL DEFAULT 0',
];

/**
 * Brings the file up to date, all steps or none, while foreign keys are not enforced: a table that is built anew has
 * none for a moment. Throws when a newer bridge has written it.
 */
export function migrate(database: Database): void {
  migrateDatabase(database, leadForm(database.name));
}

/** The form that this program gives leads.db. */
function leadForm(file: string): MigratedDatabase {
  return {
    file,
    migrations: LEAD_MIGRATIONS,
    ifNewer:
      'Install that version or a later one, or restore the backup that was made before the upgrade; nothing was changed.',
  };
}
