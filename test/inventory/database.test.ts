import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/inventory/database.ts';
import { MIGRATIONS } from '../../src/inventory/schema.ts';
import { openInventoryStore } from '../../src/inventory/store.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inventory-database-'));
  file = join(folder, 'inventory.db');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a new file is set up as the inventory needs it', () => {
  const database = openDatabase(file, { readonly: false });
  const pragma = (name: string): unknown => database.pragma(name, { simple: true });
  expect(pragma('journal_mode')).toBe('wal');
  expect(pragma('synchronous')).toBe(1);
  expect(pragma('foreign_keys')).toBe(1);
  expect(pragma('busy_timeout')).toBe(10_000);
  expect(pragma('temp_store')).toBe(1);
  expect(pragma('user_version')).toBe(MIGRATIONS.length);
  database.close();
});

test('a file of a newer program is refused and left as it is', () => {
  const database = openDatabase(file, { readonly: false });
  database.pragma('user_version = 99');
  database.close();
  expect(() => openInventoryStore(file)).toThrow(/newer dealer-bridge \(its form is 99/);
  expect(() => openInventoryStore(file, { readonly: true })).toThrow(/newer dealer-bridge/);
});

test('a reader refuses a file without tables, and one that is not there', () => {
  expect(() => openInventoryStore(file, { readonly: true })).toThrow();
  const database = openDatabase(file, { readonly: false });
  database.pragma('user_version = 0');
  database.close();
  expect(() => openInventoryStore(file, { readonly: true })).toThrow(/must be opened for writing once/);
});

test('a store in memory works alone', () => {
  const store = openInventoryStore(':memory:');
  expect([...store.readAllForLot()]).toEqual([]);
  store.close();
});

// The writer puts 300 cars of one colour on the lot and then 300 others of another colour, again and again.
const WRITER = `
  import { openInventoryStore } from ${JSON.stringify(new URL('../../src/inventory/store.ts', import.meta.url).href)};
  const store = openInventoryStore(process.argv[1]);
  for (let round = 0; ; round++) {
    const run = await store.beginRun({ runId: 'r', feedId: 'f', mode: 'full', confirmedAt: round * 1000 });
    const colour = round % 2 === 0 ? 'Red' : 'Blue';
    await run.stage(Array.from({ length: 300 }, (_, row) => ({
      row, line: row, key: '', rooftopId: 'HPM01', identity: 'stock:' + colour + row, contentHash: String(round),
      vehicle: { stock: colour + row, exterior_color: colour, status: 'available', mileage: round },
    })));
    await run.apply({ removeAbsent: true });
    process.stdout.write('applied\\n');
  }`;

test('a process that is killed while importing leaves the lot of one file, whole', async () => {
  for (const applied of [1, 2, 5]) {
    const writer = spawn(process.execPath, ['--input-type=module', '--eval', WRITER, file]);
    let seen = 0;
    for await (const chunk of writer.stdout) {
      seen += String(chunk).split('\n').length - 1;
      if (seen >= applied) break;
    }
    writer.kill('SIGKILL');
    await once(writer, 'close');
    const store = openInventoryStore(file);
    const cars = [...store.readAllForLot()].map(
      ({ vehicle }) => `${vehicle.exterior_color ?? ''} ${vehicle.mileage ?? ''}`,
    );
    expect(cars).toHaveLength(300);
    expect(new Set(cars).size).toBe(1);
    store.close();
  }
});
