import Database from 'better-sqlite3';
import { databaseForm } from '../../model/database-migrations.ts';
import { countTables } from './copy-database.ts';
import type { StoredDatabase } from './manifest.ts';

/** What only the room of a database knows to check, such as the chain of the consent ledger. Gives faults in words. */
export type DatabaseCheck = (database: Database.Database) => Promise<string[]>;

/** By file name, such as leads.db. */
export type DatabaseChecks = Readonly<Record<string, DatabaseCheck>>;

/** Makes the copy one file that needs no write-ahead log: it is to be carried away, and read where nobody may write. */
export function makeOneFile(file: string): void {
  const database = new Database(file, { fileMustExist: true });
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/** Whether the copy is whole and holds what the original counted. Faults in words; none = good. Writes nothing. */
export async function checkCopy(
  file: string,
  expected: StoredDatabase,
  check?: DatabaseCheck,
): Promise<string[]> {
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true });
    const damage = pages(database);
    // What a damaged file counts means nothing.
    if (damage.length > 0) return damage.map((fault) => `${expected.name} is damaged: ${fault}`);
    return [...countFaults(database, expected), ...((await check?.(database)) ?? [])].map(
      (fault) => `${expected.name}: ${fault}`,
    );
  } catch (error) {
    return [`${expected.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    database?.close();
  }
}

function pages(database: Database.Database): string[] {
  const verdicts = database.pragma('integrity_check(5)') as { integrity_check: string }[];
  return verdicts.map(({ integrity_check: verdict }) => verdict).filter((verdict) => verdict !== 'ok');
}

function countFaults(database: Database.Database, expected: StoredDatabase): string[] {
  const form = databaseForm(database);
  if (form !== expected.form) return [`its form is ${form} in place of ${expected.form}`];
  const tables = countTables(database);
  const names = [...new Set([...Object.keys(expected.tables), ...Object.keys(tables)])];
  return names
    .filter((name) => tables[name] !== expected.tables[name])
    .map((name) => `${name} has ${tables[name] ?? 'no'} rows in place of ${expected.tables[name] ?? 'none'}`);
}
