import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { databaseFault } from '../model/database-fault.ts';
import { OperatorFault } from '../model/operator-fault.ts';

const LOCK = 'bridge.lock';

/** Whether a bridge holds the lock of the data folder now. */
export function isBridgeRunning(dataFolder: string): boolean {
  const file = join(dataFolder, LOCK);
  if (!existsSync(file)) return false;
  const database = new Database(file, { readonly: true, timeout: 0 });
  try {
    database.prepare('SELECT COUNT(*) FROM sqlite_master').get();
    return false;
  } catch (fault) {
    if (fault instanceof Database.SqliteError && fault.code === 'SQLITE_BUSY') return true;
    throw databaseFault(fault, file, 'Delete it; it holds nothing.');
  } finally {
    database.close();
  }
}

/**
 * Makes this process the only bridge of the data folder until it calls what is returned, or ends in any way. Two
 * bridges would take each other's files out of the work folder. Commands beside a running bridge need no lock.
 *
 * The lock is SQLite's own on an empty database: the system lets go of it when the process dies, so that none is
 * ever left behind, which a file with a process id cannot promise. Throws when another bridge holds it.
 */
export function lockDataFolder(dataFolder: string): () => void {
  const file = join(dataFolder, LOCK);
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (fault) {
    database?.close();
    if (fault instanceof Database.SqliteError && fault.code === 'SQLITE_BUSY') {
      throw new OperatorFault(
        `Another dealer-bridge is running on the data folder ${dataFolder}. Stop it first, or give this one a ` +
          'folder of its own with --data.',
        { cause: fault },
      );
    }
    throw databaseFault(fault, file, 'Delete it; it holds nothing.');
  }
  const held = database;
  return () => void held.close();
}
