import type { Database } from 'better-sqlite3';
import type { LogOnDisk } from './log-on-disk.ts';

/** Bounds how long the first of a group waits for the work of the others. */
const MAX_GROUP = 128;

/** Bounds it as well: the turns of the event loop for which a group is kept open while it grows. */
const MAX_TURNS = 8;

/** How long patient work waits for the commit of somebody else before it makes one of its own. */
const PATIENCE_MS = 10;

/**
 * Does a piece of work inside a transaction; resolves with what it gave when that is on disk. Nobody waits at the other
 * end of `patient` work, such as the notes of a delivery: it rides on the next commit of a lead that comes in.
 */
export type Commit = <T>(work: () => T, patient?: 'patient') => Promise<T>;

export interface GroupCommit {
  commit: Commit;
  /** Resolves when all that can be read is on disk; rejects when the disk fails. */
  onDisk: () => Promise<void>;
}

interface Waiting {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (fault: unknown) => void;
}

type Done = { value: unknown } | { fault: unknown };

/** A piece of work, and what came of it. */
interface Written {
  waiting: Waiting;
  done: Done;
}

/**
 * Lets everything that asks for a commit while another one is on its way to the disk share the next: the disk is waited
 * for once. Nobody hears of success before that. The thread does not wait: a group is committed with
 * synchronous=NORMAL, then the log is synced, and meanwhile buyers are served and the next group gathers.
 *
 * A piece of work that fails undoes itself alone and hears its own fault: the group, which is undone as a whole, is
 * done again with a savepoint for each. Not so from the first, since savepoints cost a fifth of a lead: SQLite copies
 * every page that is first touched inside one. When the group cannot be committed that way either (the disk is full) each
 * piece is tried once more by itself: the large one must not take the small ones with it.
 */
export function groupCommit(database: Database, log: Omit<LogOnDisk, 'close'>): GroupCommit {
  const queue: Waiting[] = [];
  const alone = database.transaction((work: () => unknown) => work());
  let due: NodeJS.Immediate | undefined;
  let dueLater: NodeJS.Timeout | undefined;
  let syncing: Promise<void> | undefined;

  /** After a turn of the event loop that brought nobody else, whoever was on the way has come. */
  function gather(known: number, turns: number): void {
    const isGrowing = queue.length > known && queue.length < MAX_GROUP && turns < MAX_TURNS;
    due = isGrowing ? setImmediate(gather, queue.length, turns + 1) : undefined;
    if (!isGrowing) flush();
  }

  function flush(): void {
    clearImmediate(due);
    clearTimeout(dueLater);
    dueLater = due = undefined;
    const group = queue.splice(0, MAX_GROUP);
    const written = together(group, bare) ?? (group.length > 1 ? together(group, fenced) : undefined);
    if (written !== undefined) bringToDisk(written);
    else for (const waiting of group) settle({ waiting, done: attempt(waiting.work) });
    if (queue.length > 0 && syncing === undefined) due = setImmediate(flush);
  }

  /** Undefined when nothing of it was committed. */
  function together(group: readonly Waiting[], inside: (work: () => unknown) => Done): Written[] | undefined {
    try {
      database.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
      const written: Written[] = [];
      for (const waiting of group) {
        written.push({ waiting, done: inside(waiting.work) });
        // Some faults, such as a full disk, undo the whole transaction and not only the savepoint.
        if (!database.inTransaction) return undefined;
      }
      database.exec('COMMIT');
      return written;
    } catch {
      if (database.open && database.inTransaction) database.exec('ROLLBACK');
      return undefined;
    } finally {
      if (database.open) database.exec('PRAGMA synchronous = FULL');
    }
  }

  /** Throws what the work throws. */
  function bare(work: () => unknown): Done {
    return { value: work() };
  }

  /** In a savepoint, since a transaction is open. */
  function fenced(work: () => unknown): Done {
    try {
      return { value: alone(work) };
    } catch (fault) {
      return { fault };
    }
  }

  /** With synchronous=FULL, so that it is on disk when it comes back. */
  function attempt(work: () => unknown): Done {
    try {
      return { value: alone.immediate(work) };
    } catch (fault) {
      return { fault };
    }
  }

  function bringToDisk(written: readonly Written[]): void {
    // With nobody else about, waiting is the shorter way where the disk is quick.
    const isShort = written.length === 1 && queue.length === 0 && log.isQuick;
    syncing = isShort ? undefined : log.sync();
    if (syncing === undefined) end(written, faultOf(log.syncNow));
    else
      syncing.then(
        () => end(written),
        (fault: unknown) => end(written, { fault }),
      );
  }

  /** After a fault of the disk nobody knows what of it will last: as with a lost answer, the buyer's agent asks again. */
  function end(written: readonly Written[], broken?: Done): void {
    syncing = undefined;
    for (const { waiting, done } of written) settle({ waiting, done: broken ?? done });
    if (queue.length > 0) due ??= setImmediate(gather, 0, 1);
  }

  return {
    onDisk: () => syncing ?? Promise.resolve(),
    commit: <T>(work: () => T, patient?: 'patient') =>
      new Promise<T>((resolve, reject) => {
        queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
        // Not at once: whoever comes in the same turn of the event loop, or while the disk is waited for, is of the group.
        if (syncing !== undefined) return;
        if (patient === undefined) due ??= setImmediate(gather, 0, 1);
        else if (due === undefined) dueLater ??= setTimeout(flush, PATIENCE_MS);
      }),
  };
}

function faultOf(work: () => void): Done | undefined {
  try {
    work();
    return undefined;
  } catch (fault) {
    return { fault };
  }
}

function settle({ waiting: { resolve, reject }, done }: Written): void {
  if ('fault' in done) reject(done.fault);
  else resolve(done.value);
}
