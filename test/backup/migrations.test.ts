import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/inventory/database.ts';
import { MIGRATIONS } from '../../src/inventory/schema.ts';
import { openLeadDatabase } from '../../src/leads/store-database.ts';
import { LEAD_MIGRATIONS } from '../../src/leads/store-schema.ts';
import { migrateDatabase, migrationChecksum, type Migration } from '../../src/model/database-migrations.ts';
import { OperatorFault } from '../../src/model/operator-fault.ts';
import { temporaryFolder } from '../leads/lead-harness.ts';

const about = (migrations: readonly Migration[]) => ({ file: 'x.db', migrations, ifNewer: 'Install it.' });
const tables = (database: Database.Database): unknown[] =>
  database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all();

describe('the steps of a database', () => {
  it('are taken once, in order, and remembered with their checksums', () => {
    const database = new Database(':memory:');
    const first = 'CREATE TABLE a (x)';
    const second: Migration = { name: 'fill', run: (db) => void db.exec('INSERT INTO a VALUES (1)') };
    migrateDatabase(database, about([first]), 5);
    migrateDatabase(database, about([first, second]), 6);
    migrateDatabase(database, about([first, second]), 7);
    expect(database.prepare('SELECT x FROM a').pluck().all()).toEqual([1]);
    expect(database.prepare('SELECT * FROM migration_log').all()).toEqual([
      { number: 1, checksum: migrationChecksum(first), applied_at: 5 },
      { number: 2, checksum: migrationChecksum(second), applied_at: 6 },
    ]);
  });

  it('are all taken or none', () => {
    const database = new Database(':memory:');
    migrateDatabase(database, about(['CREATE TABLE a (x)']));
    const more = ['CREATE TABLE a (x)', 'CREATE TABLE b (x)', 'CREATE TABLE b (y)'];
    expect(() => migrateDatabase(database, about(more))).toThrow('table b already exists');
    expect(tables(database)).toEqual(['a', 'migration_log']);
    expect(database.pragma('user_version', { simple: true })).toBe(1);
  });

  it('are refused when one of them was another text at its time', () => {
    const database = new Database(':memory:');
    migrateDatabase(database, about(['CREATE TABLE a (x)']));
    expect(() => migrateDatabase(database, about(['CREATE TABLE a (y)', 'CREATE TABLE b (x)']))).toThrow(
      /another text of step 1 .* nothing was changed/,
    );
    expect(tables(database)).toEqual(['a', 'migration_log']);
  });

  it('that were taken before there was a memory are taken on trust', () => {
    const database = new Database(':memory:');
    database.exec('CREATE TABLE a (x); PRAGMA user_version = 1');
    migrateDatabase(database, about(['CREATE TABLE a (x)']));
    expect(database.prepare('SELECT number FROM migration_log').pluck().all()).toEqual([1]);
  });
});

describe.each([
  ['leads.db', (file: string) => openLeadDatabase(file)],
  ['inventory.db', (file: string) => openDatabase(file, { readonly: false })],
])('%s', (name, open) => {
  it('of a newer program is refused in words and left as it is', () => {
    const file = join(temporaryFolder(), name);
    open(file).close();
    const raw = new Database(file);
    raw.pragma('user_version = 99');
    raw.close();
    const opening = (): unknown => open(file);
    expect(opening).toThrow(OperatorFault);
    expect(opening).toThrow(`${file} was written by a newer dealer-bridge (its form is 99`);
    const after = new Database(file, { readonly: true });
    expect(after.pragma('user_version', { simple: true })).toBe(99);
    after.close();
  });

  it('whose memory tells of another text is refused', () => {
    const file = join(temporaryFolder(), name);
    open(file).close();
    const raw = new Database(file);
    raw.exec("UPDATE migration_log SET checksum = 'other' WHERE number = 2");
    raw.close();
    expect(() => open(file)).toThrow('another text of step 2');
  });
});

it('no released step has changed', () => {
  // The number grows with each release.
  const pinned = (steps: readonly Migration[]) =>
    steps.slice(0, 5).map((step) => migrationChecksum(step).slice(0, 12));
  expect(pinned(LEAD_MIGRATIONS)).toMatchInlineSnapshot(`
    [
      "faa45945e24c",
      "d58d1f375836",
      "fd810d7d6403",
      "67895f192bcb",
      "95edaefd9452",
    ]
  `);
  expect(pinned(MIGRATIONS)).toMatchInlineSnapshot(`
    [
      "11add42255a7",
      "b3e8100949d6",
      "8ad1aba2fe48",
      "572ca213b173",
      "d31239d6b2ce",
    ]
  `);
});
