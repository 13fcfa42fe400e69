import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BACKUP_CHECKS } from '../../src/bridge/backup-checks.ts';
import { LEAD_MIGRATIONS } from '../../src/leads/store-schema.ts';
import { lookAtBackups } from '../../src/runtime/backup/backup-health.ts';
import { readKey, writeNewKey } from '../../src/runtime/backup/backup-key.ts';
import { lockBackups } from '../../src/runtime/backup/backup-lock.ts';
import { listBackups } from '../../src/runtime/backup/backup-folder.ts';
import { requireSpace } from '../../src/runtime/backup/free-space.ts';
import { verifyBackup } from '../../src/runtime/backup/verify-backup.ts';
import { HOUR, NOON, temporaryFolder } from '../leads/lead-harness.ts';
import { backupAt, dataFolderWithLeads, subfolder } from './backup-bench.ts';

const NAME = '20261130T120000Z';
const verify = async (folder: string, key?: Buffer): Promise<string[]> =>
  verifyBackup(await backupAt(folder), BACKUP_CHECKS, { key, workFolder: join(temporaryFolder(), 'work') });

describe('a backup', () => {
  it('holds both databases as single files, with counts, forms and hashes', async () => {
    const bench = dataFolderWithLeads();
    for (const buyer of [1, 2, 3]) await bench.submit(buyer);
    const { manifest, failure } = await bench.backUp();
    expect(failure).toBeUndefined();
    const folder = join(bench.plan.folder, NAME);
    expect(readdirSync(folder).sort()).toEqual(['inventory.db', 'leads.db', 'manifest.json']);
    expect(manifest).toMatchObject({
      name: NAME,
      reason: 'by hand',
      encrypted: false,
      faults: [],
      databases: [
        { name: 'leads.db', form: LEAD_MIGRATIONS.length, tables: { leads: 3, consent_ledger: 3 } },
        { name: 'inventory.db', tables: { vehicle: 0 } },
      ],
    });
    const copy = new Database(join(folder, 'leads.db'), { readonly: true });
    expect(copy.prepare('SELECT COUNT(*) FROM leads').pluck().get()).toBe(3);
    copy.close();
    expect(await verify(folder)).toEqual([]);
    expect(readdirSync(bench.dataFolder)).not.toContain('backup-work');
  });

  it('is of one instant while another process writes without a pause', async () => {
    const bench = dataFolderWithLeads();
    await bench.submit(1);
    const writer = `
      import Database from ${JSON.stringify(import.meta.resolve('better-sqlite3'))};
      const database = new Database(process.argv[1], { timeout: 10000 });
      database.pragma('synchronous = OFF');
      const insert = database.prepare("INSERT INTO destination_pauses (destination, until, reason) VALUES (?, 1, 'x')");
      for (let number = 0; ; number++) {
        insert.run(number + '-' + 'y'.repeat(2000));
        if (number === 300) console.log('go');
      }`;
    const child = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      writer,
      join(bench.dataFolder, 'leads.db'),
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    const { failure, manifest } = await bench.backUp();
    child.kill('SIGKILL');
    expect(failure).toBeUndefined();
    expect(manifest?.databases[0]?.tables.destination_pauses).toBeGreaterThan(300);
  });

  it('of a damaged database is kept as faulty, counts for nothing and is told', async () => {
    const bench = dataFolderWithLeads();
    await bench.submit(1);
    await bench.backUp(NOON - HOUR);
    const raw = new Database(join(bench.dataFolder, 'leads.db'));
    raw.exec('DROP TRIGGER consent_records_never_change');
    raw.exec("UPDATE consent_records SET record = '{}'");
    raw.close();
    const { failure } = await bench.backUp();
    expect(failure?.reason).toContain('the consent ledger is broken at record 1');
    const health = await lookAtBackups({ enabled: true, ...bench.plan }, NOON);
    expect(health.lastGood?.name).toBe('20261130T110000Z');
    expect(health.lastFailure).toEqual({ at: NOON, reason: failure?.reason });
    expect(await verify(join(bench.plan.folder, NAME))).toContainEqual(
      expect.stringContaining('consent ledger is broken'),
    );
  });

  it('whose failure is mended is told no more', async () => {
    const bench = dataFolderWithLeads({ keyFile: '/no/such/key' });
    const failed = await bench.backUp();
    expect(failed.failure?.reason).toContain('The key file /no/such/key cannot be read (ENOENT)');
    expect(existsSync(bench.plan.folder)).toBe(false);
    delete bench.plan.keyFile;
    await bench.backUp();
    const health = await lookAtBackups({ enabled: true, ...bench.plan }, NOON);
    expect(health.lastFailure).toBeUndefined();
    expect(health.lastGood).toEqual({ at: NOON, name: NAME });
  });

  it('that was cut off is no backup, and is cleared away by the next', async () => {
    const bench = dataFolderWithLeads();
    const unfinished = subfolder(bench.plan.folder, '20261129T120000Z.partial');
    writeFileSync(join(unfinished, 'leads.db'), 'half');
    writeFileSync(join(subfolder(bench.dataFolder, 'backup-work'), 'leads.db'), 'half');
    expect(await listBackups(bench.plan.folder)).toEqual([]);
    await bench.backUp();
    expect(readdirSync(bench.plan.folder)).toEqual([NAME]);
  });

  it('is made by one process at a time', async () => {
    const bench = dataFolderWithLeads();
    const unlock = lockBackups(bench.dataFolder);
    await expect(bench.backUp()).rejects.toThrow('Another backup of this data folder is under way');
    unlock();
    expect((await bench.backUp()).failure).toBeUndefined();
  });

  it('leaves a large inventory out, and says so', async () => {
    const bench = dataFolderWithLeads({
      databases: [{ name: 'leads.db' }, { name: 'inventory.db', maxBytes: 1000 }],
    });
    const { manifest } = await bench.backUp();
    expect(manifest?.databases.map(({ name }) => name)).toEqual(['leads.db']);
    expect(manifest?.left_out[0]).toMatch(/^inventory.db: larger than/);
  });

  it('is not begun without room for it', async () => {
    await expect(requireSpace(temporaryFolder(), 2 ** 60)).rejects.toThrow(/Make room, or set backup.folder/);
  });

  it('takes away what the rule does not keep', async () => {
    const bench = dataFolderWithLeads({ keep: { daily: 2, weekly: 0 } });
    for (const day of [4, 3, 2, 1, 0]) await bench.backUp(NOON - day * 24 * HOUR, 'nightly');
    expect(readdirSync(bench.plan.folder)).toEqual(['20261129T120000Z', NAME]);
  });
});

describe('the second place', () => {
  it('gets each good backup, and keeps by the same rule', async () => {
    const copyTo = subfolder(temporaryFolder(), 'nas');
    const bench = dataFolderWithLeads({ copyTo, keep: { daily: 1, weekly: 0 } });
    await bench.backUp(NOON - 24 * HOUR, 'nightly');
    await bench.backUp(NOON, 'nightly');
    expect(readdirSync(copyTo)).toEqual([NAME]);
    expect(await verify(join(copyTo, NAME))).toEqual([]);
    const health = await lookAtBackups({ enabled: true, ...bench.plan, copyTo }, NOON);
    expect(health.copy).toEqual({ lastGood: { at: NOON, name: NAME } });
  });

  it('is never made: a share that is not mounted would fill this disk; when it is back, copies go on', async () => {
    const copyTo = join(temporaryFolder(), 'not-mounted');
    const bench = dataFolderWithLeads({ copyTo });
    const { failure, copyFailure } = await bench.backUp(NOON - HOUR);
    expect(failure).toBeUndefined();
    expect(copyFailure?.reason).toContain('this folder is not there. Mount the share or disk');
    expect(existsSync(copyTo)).toBe(false);
    const where = { enabled: true, ...bench.plan, copyTo };
    expect((await lookAtBackups(where, NOON)).copy?.lastFailure?.at).toBe(NOON - HOUR);

    subfolder(copyTo);
    expect((await bench.backUp()).copyFailure).toBeUndefined();
    expect(readdirSync(copyTo)).toEqual([NAME]);
    expect((await lookAtBackups(where, NOON)).copy).toEqual({ lastGood: { at: NOON, name: NAME } });
  });

  it('that cannot be reached fails softly: the backup is good, and the trouble is told', async () => {
    const copyTo = join(temporaryFolder(), 'file');
    writeFileSync(copyTo, 'no folder');
    const bench = dataFolderWithLeads({ copyTo });
    const { failure, copyFailure, manifest } = await bench.backUp();
    expect(failure).toBeUndefined();
    expect(manifest?.faults).toEqual([]);
    expect(copyFailure?.reason).toContain(`The backup is not copied to ${copyTo}`);
    const health = await lookAtBackups({ enabled: true, ...bench.plan, copyTo }, NOON);
    expect(health.lastGood?.name).toBe(NAME);
    expect(health.copy?.lastFailure?.at).toBe(NOON);
  });
});

describe('verifying', () => {
  it('tells of a changed, a shortened and a missing file', async () => {
    const bench = dataFolderWithLeads();
    await bench.submit(1);
    await bench.backUp();
    const folder = join(bench.plan.folder, NAME);
    const file = join(folder, 'leads.db');
    const bytes = readFileSync(file);
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(9000) ^ 1, 9000);
    writeFileSync(file, changed);
    expect(await verify(folder)).toEqual(['leads.db: was changed or damaged (SHA-256 differs)']);
    writeFileSync(file, bytes.subarray(0, -1));
    expect(await verify(folder)).toEqual([
      `leads.db: has ${bytes.length - 1} bytes in place of ${bytes.length}`,
    ]);
    rmSync(file);
    expect(await verify(folder)).toEqual(['leads.db: is missing']);
  });

  it.each(['../leads.db', '/etc/passwd', 'C:\\leads.db', 'a/../../b', ''])(
    'refuses a manifest that leads to %j',
    async (path) => {
      const bench = dataFolderWithLeads();
      await bench.backUp();
      const file = join(bench.plan.folder, NAME, 'manifest.json');
      const manifest = JSON.parse(readFileSync(file, 'utf8')) as { files: { path: string }[] };
      manifest.files[0]!.path = path;
      writeFileSync(file, JSON.stringify(manifest));
      await expect(backupAt(join(bench.plan.folder, NAME))).rejects.toThrow('is damaged or was changed');
    },
  );
});

describe('secrets and encryption', () => {
  async function withSecret(keyFile?: string) {
    const settings = temporaryFolder();
    writeFileSync(join(settings, 'bridge.yaml'), 'dealer: x');
    writeFileSync(join(settings, 'smtp-password'), 'open sesame');
    const bench = dataFolderWithLeads({
      ...(keyFile !== undefined && { keyFile }),
      files: [
        { kind: 'settings', path: 'settings/bridge.yaml', from: join(settings, 'bridge.yaml') },
        { kind: 'secret', path: 'settings/smtp-password', from: join(settings, 'smtp-password') },
        { kind: 'settings', path: 'settings/gone.yaml', from: join(settings, 'gone.yaml') },
      ],
    });
    await bench.submit(1);
    const { manifest } = await bench.backUp();
    return { bench, manifest, folder: join(bench.plan.folder, NAME), settings };
  }

  it('leaves secrets out of a backup in the clear and says so', async () => {
    const { manifest, folder, settings } = await withSecret();
    expect(readdirSync(join(folder, 'settings'))).toEqual(['bridge.yaml']);
    expect(manifest?.left_out).toEqual([
      `${join(settings, 'smtp-password')}: a secret, and the backup is not encrypted (backup.key_file)`,
      `${join(settings, 'gone.yaml')}: cannot be read (ENOENT)`,
    ]);
  });

  it('takes them along encrypted, and nothing can be read without the key', async () => {
    const keyFile = join(temporaryFolder(), 'backup.key');
    await writeNewKey(keyFile);
    const { folder } = await withSecret(keyFile);
    expect(readdirSync(folder).sort()).toEqual([
      'inventory.db.enc',
      'leads.db.enc',
      'manifest.json',
      'settings',
    ]);
    for (const name of ['leads.db.enc', 'settings/smtp-password.enc']) {
      const bytes = readFileSync(join(folder, name));
      expect(bytes.includes('buyer1@example.com') || bytes.includes('sesame')).toBe(false);
    }
    expect(await verify(folder, await readKey(keyFile))).toEqual([]);
    expect(await verify(folder)).toEqual([expect.stringContaining('the key file is needed')]);
    expect(await verify(folder, Buffer.alloc(32, 1))).toEqual([
      expect.stringContaining('does not go with this key'),
    ]);
  });

  it('does not believe a manifest that was written anew around changed files', async () => {
    const keyFile = join(temporaryFolder(), 'backup.key');
    await writeNewKey(keyFile);
    const { folder } = await withSecret(keyFile);
    const file = join(folder, 'manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"by hand"', '"nightly"'));
    expect(await verify(folder, await readKey(keyFile))).toEqual([
      expect.stringContaining('the manifest was changed'),
    ]);
  });

  it('makes a key of 32 bytes for the account alone, once', async () => {
    const file = join(temporaryFolder(), 'keys', 'backup.key');
    await writeNewKey(file);
    expect(await readKey(file)).toHaveLength(32);
    expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
    await expect(writeNewKey(file)).rejects.toThrow('is there already');
    mkdirSync(`${file}.d`);
    writeFileSync(`${file}.short`, 'abc');
    await expect(readKey(`${file}.short`)).rejects.toThrow('is no key file');
  });
});
