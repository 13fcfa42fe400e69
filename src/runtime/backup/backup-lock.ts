import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { OperatorFault } from '../../model/operator-fault.ts';

/**
 * One process at a time makes, copies or takes away backups of a data folder. SQLite's lock on an empty database, as
 * that of the bridge: the system lets go of it when the process dies. Returns what lets go; throws when it is held.
 */
export function lockBackups(dataFolder: string): () => void {
  mkdirSync(dataFolder, { recursive: true });
  const database = new Database(join(dataFolder, 'backup.lock'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (fault) {
    database.close();
    if (!(fault instanceof Database.SqliteError) || fault.code !== 'SQLITE_BUSY') throw fault;
    throw new OperatorFault('Another backup of this data folder is under way. Wait until it is done.', {
      cause: fault,
    });
  }
  return () => void database.close();
}
