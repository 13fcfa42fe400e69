import { join } from 'node:path';
import Database from 'better-sqlite3';
import { OperatorFault } from '../../model/operator-fault.ts';
import type { Installation } from './installation.ts';

/**
 * One process at a time changes the versions of an installation. SQLite's lock on an empty database, as that of the
 * bridge: the system lets go of it when the process dies. Returns what lets go.
 */
export function lockInstallation({ folder }: Pick<Installation, 'folder'>): () => void {
  const file = join(folder, 'upgrade.lock');
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (fault) {
    database?.close();
    const code = fault instanceof Database.SqliteError ? fault.code : '';
    const reason =
      code === 'SQLITE_BUSY'
        ? `Another upgrade of ${folder} is under way. Wait until it is done.`
        : `This account cannot write into ${folder}. Run the upgrade as the one that installed the program ` +
          '(Windows: in a terminal that was opened as administrator; Linux: with sudo).';
    throw new OperatorFault(reason, { cause: fault });
  }
  const held = database;
  return () => void held.close();
}
