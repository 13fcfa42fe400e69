import { copyFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { CHECKPOINT_PAGES } from '../../src/leads/store-database.ts';
import { openLogWriteBack } from '../../src/leads/log-write-back.ts';
import { openDesk, openStore, leadOf, leadsConfig, temporaryFolder } from './lead-harness.ts';

/** How many leads the file holds without its log. */
function leadsWithoutLog(file: string): unknown {
  const alone = join(temporaryFolder(), 'alone.db');
  copyFileSync(file, alone);
  const database = new Database(alone);
  onTestFinished(() => void database.close());
  return database.prepare('SELECT COUNT(*) FROM leads').pluck().get();
}

it('brings what was committed into the file, so that the log begins anew and does not grow', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const desk = openDesk(openStore(file), { leads: leadsConfig({ destinations: [] }) });
  const log = openLogWriteBack(file)!;
  onTestFinished(() => log.close());
  const sizes: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (let buyer = 0; buyer < 20; buyer += 1) await desk.submit(leadOf(round * 20 + buyer));
    expect(log.writeBack()).toEqual({ isHalfFull: false });
    sizes.push(statSync(`${file}-wal`).size);
  }
  expect(leadsWithoutLog(file)).toBe(100);
  expect(sizes.at(-1)).toBeLessThan(1.5 * sizes[1]!);
});

it('waits for nobody who reads just now, and brings the rest the next time', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const desk = openDesk(openStore(file), { leads: leadsConfig({ destinations: [] }) });
  const log = openLogWriteBack(file)!;
  onTestFinished(() => log.close());
  await desk.submit(leadOf(1));
  const reader = new Database(file, { readonly: true });
  onTestFinished(() => void reader.close());
  reader.exec('BEGIN; SELECT COUNT(*) FROM leads');
  await desk.submit(leadOf(2));
  log.writeBack();
  expect(reader.prepare('SELECT COUNT(*) FROM leads').pluck().get()).toBe(1);
  reader.exec('COMMIT');
  await desk.submit(leadOf(3));
  log.writeBack();
  expect(leadsWithoutLog(file)).toBe(3);
});

it('tells when the log is half full', () => {
  const file = join(temporaryFolder(), 'leads.db');
  openStore(file);
  const writer = new Database(file);
  onTestFinished(() => void writer.close());
  writer.pragma('wal_autocheckpoint = 0');
  const log = openLogWriteBack(file)!;
  onTestFinished(() => log.close());
  writer.exec('CREATE TABLE filler (page BLOB)');
  const fill = writer.prepare('INSERT INTO filler VALUES (zeroblob(?))');
  const half = (CHECKPOINT_PAGES / 2) * 4096;
  fill.run(half / 2);
  expect(log.writeBack()).toEqual({ isHalfFull: false });
  // A reader keeps the log from beginning anew.
  const reader = new Database(file, { readonly: true });
  onTestFinished(() => void reader.close());
  reader.exec('BEGIN; SELECT COUNT(*) FROM filler');
  fill.run(half);
  expect(log.writeBack()).toEqual({ isHalfFull: true });
});

it('waits for a database that is not there yet, and makes none', () => {
  const file = join(temporaryFolder(), 'leads.db');
  expect(openLogWriteBack(file)).toBeUndefined();
  expect(existsSync(file)).toBe(false);
});
