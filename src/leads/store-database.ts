import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { OperatorFault } from '../model/operator-fault.ts';
import { migrate } from './store-schema.ts';

/** How long a connection waits for another process (the command line) that is writing. */
const BUSY_TIMEOUT_MS = 10_000;
const SYNCHRONOUS_FULL = 2;
export const IF_LEADS_DAMAGED =
  'It holds the leads: restore it from a backup ("dealer-bridge backup list", then "backup restore NAME"). Nothing was changed.';
/** 128 MB of 4 KB pages: more than comes between two looks of the thread that writes the log back (log-write-back.ts). */
export const CHECKPOINT_PAGES = 32_000;

/** Opens leads.db so that what is committed survives a power cut. Throws when it is damaged or too new. */
export function openLeadDatabase(file: string): Database.Database {
  createPrivately(file);
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    makeDurable(database, file);
    // A lead touches a dozen pages, the same ones again and again: written back seldom, they are written back once.
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    // What is deleted is overwritten with zeros: erased customer data must be gone from the file, too.
    database.pragma('secure_delete = ON');
    checkIntegrity(database, file);
    database.pragma('foreign_keys = OFF');
    migrate(database);
    database.pragma('foreign_keys = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Customer data: only the account that runs the bridge may read it. SQLite gives its WAL the same mode. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, 'a', 0o600));
}

function makeDurable(database: Database.Database, file: string): void {
  const mode = database.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') {
    throw new Error(
      `${file} cannot keep a write-ahead log (journal mode is ${String(mode)}). Is it on a network drive?`,
    );
  }
  // Setting WAL makes better-sqlite3 fall back to NORMAL, which may lose the last commits in a power cut.
  database.pragma('synchronous = FULL');
  // Apple's fsync leaves data in the drive's cache; elsewhere this changes nothing.
  database.pragma('fullfsync = ON');
  if (database.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL) {
    throw new Error(`${file} refused synchronous=FULL: a lead could be lost after it was acknowledged.`);
  }
}

function checkIntegrity(database: Database.Database, file: string): void {
  const verdict = database.pragma('quick_check(1)', { simple: true });
  if (verdict !== 'ok') {
    throw new OperatorFault(`${file} is damaged (${String(verdict)}). ${IF_LEADS_DAMAGED}`);
  }
}
