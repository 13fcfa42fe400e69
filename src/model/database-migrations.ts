import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { OperatorFault } from './operator-fault.ts';

/** One step from a form of a database to the next: SQL, or a named function whose name stands for what it does. */
export type Migration = string | { name: string; run: (database: Database) => void };

/** How a database of ours is named to a person who must decide what to do about it. */
export interface MigratedDatabase {
  /** Path of the file. */
  file: string;
  migrations: readonly Migration[];
  /** What to do when a newer program has written the file, in sentences. */
  ifNewer: string;
}

/** Remembers by which text each step was taken: a text that is changed after its release would go unnoticed. */
const MEMORY = `CREATE TABLE IF NOT EXISTS migration_log (
  number     INTEGER PRIMARY KEY,
  checksum   TEXT    NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`;

/** The number of the last step that was taken, as SQLite keeps it in the head of the file. */
export function databaseForm(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/**
 * Takes the steps that are left, all of them or none, and only forward. Processes that start at once take turns.
 * Throws an OperatorFault when the file is of a newer program, or its earlier steps were taken by other texts.
 */
export function migrateDatabase(database: Database, about: MigratedDatabase, now = Date.now()): void {
  const { migrations } = about;
  refuseForeignForm(database, about);
  if (databaseForm(database) === migrations.length && isRemembered(database, migrations.length)) return;
  database
    .transaction(() => {
      refuseForeignForm(database, about);
      database.exec(MEMORY);
      const remember = database.prepare<[number, string, number]>(
        'INSERT OR IGNORE INTO migration_log (number, checksum, applied_at) VALUES (?, ?, ?)',
      );
      const form = databaseForm(database);
      for (const [index, migration] of migrations.entries()) {
        // Steps from before there was a memory are taken on trust.
        if (index >= form) takeStep(database, migration);
        remember.run(index + 1, migrationChecksum(migration), now);
      }
      if (form < migrations.length) database.pragma(`user_version = ${migrations.length}`);
    })
    .immediate();
}

/** Also for a connection that only reads. */
export function refuseForeignForm(database: Database, { file, migrations, ifNewer }: MigratedDatabase): void {
  const form = databaseForm(database);
  if (form > migrations.length) {
    throw new OperatorFault(
      `${file} was written by a newer dealer-bridge (its form is ${form}, this program knows ` +
        `${migrations.length}). ${ifNewer}`,
    );
  }
  const changed = rememberedSteps(database).find(({ number, checksum }) => {
    const migration = migrations[number - 1];
    return migration === undefined || migrationChecksum(migration) !== checksum;
  });
  if (changed === undefined) return;
  throw new OperatorFault(
    `${file} was brought to its form by another text of step ${changed.number} than this program has, so its tables ` +
      'may differ from what this program expects. Install the program that wrote it; nothing was changed.',
  );
}

/** SHA-256, hex. Line ends do not count: a text in the source has line feeds on every system. */
export function migrationChecksum(migration: Migration): string {
  const text = typeof migration === 'string' ? migration : `function ${migration.name}`;
  return createHash('sha256').update(text).digest('hex');
}

function takeStep(database: Database, migration: Migration): void {
  if (typeof migration === 'string') database.exec(migration);
  else migration.run(database);
}

function isRemembered(database: Database, steps: number): boolean {
  return rememberedSteps(database).length === steps;
}

function rememberedSteps(database: Database): { number: number; checksum: string }[] {
  const exists = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'migration_log'").get();
  if (exists === undefined) return [];
  return database
    .prepare<[], { number: number; checksum: string }>(
      'SELECT number, checksum FROM migration_log ORDER BY number',
    )
    .all();
}
