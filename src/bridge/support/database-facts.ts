import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { databaseForm } from '../../model/database-migrations.ts';
import { countTables } from '../../runtime/backup/copy-database.ts';

/** Sizes and counts of the databases; nothing of what stands in them. */
export async function databaseFacts(dataFolder: string): Promise<object> {
  const facts: Record<string, object> = {};
  for (const name of ['leads.db', 'inventory.db']) {
    const file = join(dataFolder, name);
    const [bytes, walBytes] = await Promise.all([bytesOf(file), bytesOf(`${file}-wal`)]);
    if (bytes === undefined) facts[name] = { missing: true };
    else facts[name] = { bytes, ...(walBytes !== undefined && { wal_bytes: walBytes }), ...contents(file) };
  }
  return facts;
}

function contents(file: string): object {
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true, timeout: 10_000 });
    return {
      form: databaseForm(database),
      page_bytes: database.pragma('page_size', { simple: true }),
      free_pages: database.pragma('freelist_count', { simple: true }),
      rows: countTables(database),
    };
  } catch (fault) {
    return { fault: fault instanceof Error ? fault.message : String(fault) };
  } finally {
    database?.close();
  }
}

function bytesOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}
