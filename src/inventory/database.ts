import Database from 'better-sqlite3';
import { databaseFault } from '../model/database-fault.ts';
import { OperatorFault } from '../model/operator-fault.ts';
import { MIGRATIONS } from './schema.ts';

/** A reader or writer waits this long for another process's short write lock. */
const BUSY_TIMEOUT_MS = 10_000;
/** The WAL of one big import is cut back to this after its checkpoint. */
const JOURNAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;
/** Room for the index of identities of 100,000 vehicles, which a run looks up in no order. */
const PAGE_CACHE_KIBIBYTES = 16 * 1024;

export const IF_INVENTORY_DAMAGED =
  'Move it away together with its -wal and -shm files and start again, then drop the last file of each feed into ' +
  'its inbox (they lie in done): the lot is rebuilt from them.';

/**
 * Opens inventory.db and brings its tables up to date. synchronous=NORMAL is enough here: the file can be rebuilt
 * from the last feed files, and a power cut may lose the last run but never tear one.
 *
 * Throws when the file cannot be opened, was written by a newer program, or (read-only) has no tables yet.
 */
export function openDatabase(file: string, options: { readonly: boolean }): Database.Database {
  try {
    return open(file, options);
  } catch (fault) {
    throw databaseFault(fault, file, IF_INVENTORY_DAMAGED);
  }
}

function open(file: string, options: { readonly: boolean }): Database.Database {
  const database = new Database(file, { readonly: options.readonly, timeout: BUSY_TIMEOUT_MS });
  try {
    if (!options.readonly) {
      database.pragma('journal_mode = WAL');
      database.pragma(`journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES}`);
    }
    database.pragma('synchronous = NORMAL');
    database.pragma(`cache_size = -${PAGE_CACHE_KIBIBYTES}`);
    database.pragma('foreign_keys = ON');
    database.pragma('temp_store = FILE');
    refuseForeignVersion(database, file, options.readonly);
    if (!options.readonly) migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function refuseForeignVersion(database: Database.Database, file: string, readonly: boolean): void {
  const version = userVersion(database);
  if (version > MIGRATIONS.length) {
    throw new OperatorFault(
      `${file} was written by a newer dealer-bridge (inventory schema ${version}, this program knows ` +
        `${MIGRATIONS.length}). Start the newer program, or delete the file: it is rebuilt from the next feed files.`,
    );
  }
  if (readonly && version < MIGRATIONS.length) {
    throw new Error(
      `${file} has inventory schema ${version} and must be opened for writing once, to bring it to ` +
        `${MIGRATIONS.length}, before it can be read.`,
    );
  }
}

/** Each migration with its version number in one transaction; two processes that start at once take turns. */
function migrate(database: Database.Database): void {
  const applyNext = database.transaction((): boolean => {
    const version = userVersion(database);
    const migration = MIGRATIONS[version];
    if (migration === undefined) return false;
    database.exec(migration);
    database.pragma(`user_version = ${version + 1}`);
    return true;
  });
  while (userVersion(database) < MIGRATIONS.length && applyNext.immediate());
}

function userVersion(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}
