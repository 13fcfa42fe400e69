import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { foreignCommits } from '../model/foreign-commits.ts';
import { CHECKPOINT_PAGES } from './store-database.ts';

/** Another connection to leads.db, for a thread on which nobody waits. */
export interface LogWriteBack {
  /**
   * Brings what was committed since the last time from the write-ahead log into the database file. Tells whether the log is
   * half full: then the next time had better come soon, or the rest falls to whoever commits.
   */
  writeBack(): { isHalfFull: boolean };
  close(): void;
}

/**
 * Somebody must write the log back before it grows without end, and wait for the disk twice while doing so. Left to the
 * connection that takes the leads that would be one of them, of five hundred, with all buyers waiting beside it: 0.1 s
 * on a quick disk. What is left to it is to begin the log anew, which only a writer can do.
 *
 * @param file leads.db; undefined as long as it is not there
 */
export function openLogWriteBack(file: string): LogWriteBack | undefined {
  if (!existsSync(file)) return undefined;
  const database = new Database(file, { fileMustExist: true });
  const commitsElsewhere = foreignCommits(database);
  let seen: number | undefined;
  let pages = 0;
  return {
    writeBack: () => {
      const commits = commitsElsewhere();
      if (commits !== seen) {
        // PASSIVE waits for nobody and lets nobody wait; what it cannot reach now is written back the next time.
        const [result] = database.pragma('wal_checkpoint(PASSIVE)') as { log: number }[];
        pages = result?.log ?? 0;
      }
      seen = commits;
      return { isHalfFull: pages > CHECKPOINT_PAGES / 2 };
    },
    close: () => void database.close(),
  };
}
