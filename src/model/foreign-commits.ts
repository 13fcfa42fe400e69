import type { Database } from 'better-sqlite3';

/**
 * Gives what tells SQLite's count of the commits that other connections have made: another number, others have written.
 * Looks at shared memory only.
 */
export function foreignCommits(database: Database): () => number {
  const count = database.prepare<[], number>('PRAGMA data_version').pluck();
  return () => count.get() ?? 0;
}
