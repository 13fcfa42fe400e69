import Database from 'better-sqlite3';
import { databaseFault } from '../model/database-fault.ts';
import {
  databaseForm,
  migrateDatabase,
  refuseForeignForm,
  type MigratedDatabase,
} from '../model/database-migrations.ts';
import { MIGRATIONS } from './schema.ts';

/** A reader or writer waits this long for another process's short write lock. */
const BUSY_TIMEOUT_MS = 10_000;
/** The WAL of one big import is cut back to this after its checkpoint. */
const JOURNAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;
/** Room for the index of identities of 100,000 vehicles, which a run looks up in no order. */
const PAGE_CACHE_KIBIBYTES = 16 * 1024;
/**
 * Of new files and of the staging tables; a file keeps the size that it was made with. A listing of 1.4 KB fills pages
 * of 4 KB by two thirds only, and every page has its price when 100,000 of them are written.
 */
const PAGE_BYTES = 16 * 1024;

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
    database.pragma(`temp.page_size = ${PAGE_BYTES}`);
    if (!options.readonly) {
      database.pragma(`page_size = ${PAGE_BYTES}`);
      database.pragma('journal_mode = WAL');
      database.pragma(`journal_size_limit = ${JOURNAL_SIZE_LIMIT_BYTES}`);
    }
    database.pragma('synchronous = NORMAL');
    database.pragma(`cache_size = -${PAGE_CACHE_KIBIBYTES}`);
    database.pragma('foreign_keys = ON');
    database.pragma('temp_store = FILE');
    if (options.readonly) refuseToRead(database, inventoryForm(file));
    else migrateDatabase(database, inventoryForm(file));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function inventoryForm(file: string): MigratedDatabase {
  return {
    file,
    migrations: MIGRATIONS,
    ifNewer: 'Start the newer program, or move the file away: it is rebuilt from the next feed files.',
  };
}

function refuseToRead(database: Database.Database, about: MigratedDatabase): void {
  refuseForeignForm(database, about);
  const form = databaseForm(database);
  if (form === MIGRATIONS.length) return;
  throw new Error(
    `${about.file} has the form ${form} and must be opened for writing once, to bring it to ${MIGRATIONS.length}, ` +
      'before it can be read.',
  );
}
