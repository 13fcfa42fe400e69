import type { Database } from 'better-sqlite3';

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

interface Waiting {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (fault: unknown) => void;
}

type Done = { value: unknown } | { fault: unknown };

/**
 * Lets everything that asks for a commit while another one is under way share the next: the disk is waited for once.
 * Nobody hears of success before the commit has returned. A piece of work that fails undoes itself alone and hears its
 * own fault: the group, which is undone as a whole, is done again with a savepoint for each. Not so from the first,
 * since savepoints cost a fifth of a lead: SQLite copies every page that is first touched inside one. When the group
 * cannot be committed that way either (the disk is full) each piece is tried once more by itself: the large one must
 * not take the small ones with it.
 */
export function groupCommit(database: Database): Commit {
  const queue: Waiting[] = [];
  const alone = database.transaction((work: () => unknown) => work());
  let due: NodeJS.Immediate | undefined;
  let dueLater: NodeJS.Timeout | undefined;

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
    if (queue.length > 0) due = setImmediate(flush);
    const done = group.length === 1 ? undefined : (together(group, bare) ?? together(group, fenced));
    for (const [index, waiting] of group.entries()) settle(waiting, done?.[index] ?? attempt(waiting.work));
  }

  /** Undefined when nothing of it is on disk. */
  function together(group: readonly Waiting[], inside: (work: () => unknown) => Done): Done[] | undefined {
    try {
      database.exec('BEGIN IMMEDIATE');
      const done: Done[] = [];
      for (const { work } of group) {
        done.push(inside(work));
        // Some faults, such as a full disk, undo the whole transaction and not only the savepoint.
        if (!database.inTransaction) return undefined;
      }
      database.exec('COMMIT');
      return done;
    } catch {
      if (database.open && database.inTransaction) database.exec('ROLLBACK');
      return undefined;
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

  function attempt(work: () => unknown): Done {
    try {
      return { value: alone.immediate(work) };
    } catch (fault) {
      return { fault };
    }
  }

  return <T>(work: () => T, patient?: 'patient') =>
    new Promise<T>((resolve, reject) => {
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      // Not at once: whoever comes in the same turn of the event loop, or while the thread waits for the disk, is of
      // the group.
      if (patient === undefined) due ??= setImmediate(gather, 0, 1);
      else if (due === undefined) dueLater ??= setTimeout(flush, PATIENCE_MS);
    });
}

function settle({ resolve, reject }: Waiting, done: Done): void {
  if ('fault' in done) reject(done.fault);
  else resolve(done.value);
}
