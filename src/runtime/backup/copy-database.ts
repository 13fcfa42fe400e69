import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { databaseForm } from '../../model/database-migrations.ts';
import type { StoredDatabase } from './manifest.ts';

const BUSY_TIMEOUT_MS = 10_000;
/** 1 MB of 4 KB pages: between two steps the event loop goes on. */
const STEP_PAGES = 256;
const STEPS_A_FLUSH = 4;

/**
 * Copies a database that others are writing to: the copy is the state of one instant. All the while this connection
 * holds one reading transaction, which makes nobody wait (write-ahead log) and keeps SQLite from beginning the copy
 * anew with each commit of the others. What is written is flushed in small portions, since a great flush at the end
 * would hold up the commits of the leads. Returns what that state counts, read from the original.
 */
export async function copyDatabase(from: string, to: string): Promise<Omit<StoredDatabase, 'name'>> {
  const source = new Database(from, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    source.exec('BEGIN');
    const counts = { form: databaseForm(source), tables: countTables(source) };
    await copyPages(source, to);
    source.exec('COMMIT');
    return counts;
  } finally {
    source.close();
  }
}

async function copyPages(source: Database.Database, to: string): Promise<void> {
  let steps = 0;
  let handle: number | undefined;
  try {
    await source.backup(to, {
      progress: () => {
        steps += 1;
        if (steps % STEPS_A_FLUSH === 0) {
          handle ??= openSync(to, 'r+');
          fdatasyncSync(handle);
        }
        return STEP_PAGES;
      },
    });
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Rows of each table that holds data. */
export function countTables(database: Database.Database): Record<string, number> {
  const names = database
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  return Object.fromEntries(
    names.map(({ name }) => {
      const quoted = `"${name.replaceAll('"', '""')}"`;
      const row = database.prepare<[], { rows: number }>(`SELECT COUNT(*) AS rows FROM ${quoted}`).get();
      return [name, row?.rows ?? 0];
    }),
  );
}
