import { close, closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import type { Database } from 'better-sqlite3';

/** Waits for the disk beside SQLite, so that the thread need not. */
export interface LogOnDisk {
  /** Resolves when all that SQLite has written to the write-ahead log before is on the disk. One at a time. */
  sync: () => Promise<void>;
  /** The same, while the thread waits. */
  syncNow: () => void;
  /** The last time it took so little that others hardly notice a thread which waits. */
  readonly isQuick: boolean;
  close: () => void;
}

/** Of a solid-state disk that keeps power for what it holds; others take ten times as long, turning ones a hundred. */
const QUICK_MS = 0.5;

/**
 * The write-ahead log of a database, opened a second time: what a commit with synchronous=NORMAL has written there lasts
 * through a power cut as soon as that file is synced, which is all that synchronous=FULL does beyond it. SQLite sees to the
 * rest under either: the head of the log, its place in the folder, the order at a checkpoint. The file stays the same as
 * long as the database is open.
 */
export function openLogOnDisk(database: Database): LogOnDisk {
  // Windows syncs only what may be written.
  const descriptor = openSync(`${database.name}-wal`, 'r+');
  let isUnderWay = false;
  let isClosed = false;
  let lastMs = Infinity;
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        isUnderWay = true;
        fdatasync(descriptor, (fault) => {
          lastMs = performance.now() - began;
          isUnderWay = false;
          if (isClosed) close(descriptor);
          if (fault === null) resolve();
          else reject(fault);
        });
      }),
    syncNow: () => {
      const began = performance.now();
      fdatasyncSync(descriptor);
      lastMs = performance.now() - began;
    },
    get isQuick() {
      return lastMs < QUICK_MS;
    },
    close: () => {
      isClosed = true;
      if (!isUnderWay) closeSync(descriptor);
    },
  };
}
