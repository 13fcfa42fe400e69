// Runs under Windows' Node, in wine or on Windows: what of the package only shows there. Says what it tried, ends with 1
// at the first thing that is not so.
//
//   node.exe windows-binaries.mjs FOLDER      FOLDER: of one version in an unpacked package
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers';
import { pathToFileURL } from 'node:url';

const program = resolve(process.argv[2] ?? '.');
const folder = mkdtempSync(join(tmpdir(), 'windows-'));
const load = (name) => import(pathToFileURL(join(program, 'src', ...name.split('/'))).href);

async function tried(what, step) {
  await step();
  console.log(`ok: ${what}`);
}

try {
  await tried('a database in WAL with synchronous=FULL keeps what was committed', () => {
    const Database = createRequire(join(program, 'package.json'))('better-sqlite3');
    const file = join(folder, 'leads.db');
    const database = new Database(file);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    assert.equal(database.pragma('synchronous', { simple: true }), 2);
    database.exec("CREATE TABLE lead (id TEXT); INSERT INTO lead VALUES ('one')");
    database.close();
    const again = new Database(file, { readonly: true });
    assert.deepEqual(again.prepare('SELECT id FROM lead').all(), [{ id: 'one' }]);
    again.close();
  });

  await tried('a file takes the name of another, and waits for whoever has that one open', async () => {
    const { disk } = await load('files/patient-files.js');
    const [from, to] = [join(folder, 'new.txt'), join(folder, 'old.txt')];
    writeFileSync(to, 'old');
    writeFileSync(from, 'new');
    const held = openSync(to, 'r');
    setTimeout(() => closeSync(held), 300);
    await disk.rename(from, to);
    assert.equal(readFileSync(to, 'utf8'), 'new');
  });

  await tried('names of one file in two spellings have one key', async () => {
    const { nameKey } = await load('files/portable-name.js');
    writeFileSync(join(folder, 'Export.csv'), '');
    if (process.platform === 'win32') assert.ok(existsSync(join(folder, 'EXPORT.CSV')));
    assert.equal(nameKey('Export.csv'), nameKey('EXPORT.CSV'));
  });

  await tried('paths of more than 260 characters', () => {
    const deep = join(folder, ...Array(6).fill('x'.repeat(60)));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, 'report.txt'), 'deep');
    assert.equal(readFileSync(join(deep, 'report.txt'), 'utf8'), 'deep');
  });

  await tried('one bridge holds the data folder', async () => {
    const { isBridgeRunning, lockDataFolder } = await load('runtime/data-folder-lock.js');
    const release = lockDataFolder(folder);
    assert.equal(isBridgeRunning(folder), true);
    release();
    assert.equal(isBridgeRunning(folder), false);
  });

  await tried('the program finds no fault in the demo', () => {
    const words = [join(program, 'bin', 'dealer-bridge.mjs'), 'check', '--data', join(folder, 'data')];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.match(stdout, /No problems found/);
  });
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
