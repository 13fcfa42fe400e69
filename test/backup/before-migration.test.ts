import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { LEAD_MIGRATIONS } from '../../src/leads/store-schema.ts';
import { lockDataFolder } from '../../src/runtime/data-folder-lock.ts';
import { runCommand } from '../cli/run-command.ts';
import { writeDealership } from '../e2e/dealership.ts';
import { temporaryFolder } from '../leads/lead-harness.ts';
import { backupAt } from './backup-bench.ts';

/** leads.db as the first program made it. */
function olderDataFolder(settings = '') {
  const dataFolder = temporaryFolder();
  const configFile = writeDealership('    - { id: crm, adapter: adf-file, options: { folder: out } }');
  writeFileSync(configFile, `${readFileSync(configFile, 'utf8')}${settings}`);
  const raw = new Database(join(dataFolder, 'leads.db'));
  raw.pragma('journal_mode = WAL');
  raw.exec(readFileSync(new URL('../leads/first-form.sql', import.meta.url), 'utf8'));
  raw.close();
  return { dataFolder, list: ['leads', 'list', '--config', configFile, '--data', dataFolder] };
}

function formOf(dataFolder: string): unknown {
  const raw = new Database(join(dataFolder, 'leads.db'), { readonly: true });
  const form: unknown = raw.pragma('user_version', { simple: true });
  raw.close();
  return form;
}

it('a database of an older program is backed up before its form is changed, also by a command', async () => {
  const { dataFolder, list } = olderDataFolder();
  const { code, err } = await runCommand(list);
  expect(code).toBe(0);
  const [name = ''] = readdirSync(join(dataFolder, 'backups'));
  expect(err).toBe(`Backup ${name} made first.\n`);
  const { manifest } = await backupAt(join(dataFolder, 'backups', name));
  expect(manifest).toMatchObject({
    reason: 'before a migration',
    faults: [],
    databases: [{ name: 'leads.db', form: 1 }],
  });
  expect(formOf(dataFolder)).toBe(LEAD_MIGRATIONS.length);
  await runCommand(list);
  expect(readdirSync(join(dataFolder, 'backups'))).toEqual([name]);
});

it('without a backup that holds nothing is changed', async () => {
  const { dataFolder, list } = olderDataFolder('backup: { key_file: not-there.key }\n');
  const { code, err } = await runCommand(list);
  expect(code).toBe(3);
  expect(err).toMatch(
    /the backup before it failed: The key file .*not-there.key cannot be read .* Nothing was changed/,
  );
  expect(formOf(dataFolder)).toBe(1);
});

it('who takes care of backups in another way switches them off', async () => {
  const { dataFolder, list } = olderDataFolder('backup: { enabled: false }\n');
  expect((await runCommand(list)).code).toBe(0);
  expect(formOf(dataFolder)).toBe(LEAD_MIGRATIONS.length);
  expect(readdirSync(dataFolder)).not.toContain('backups');
});

it('no command changes the form under a bridge that is at work', async () => {
  const { dataFolder, list } = olderDataFolder();
  const unlock = lockDataFolder(dataFolder);
  const { code, err } = await runCommand(list);
  unlock();
  expect(code).toBe(1);
  expect(err).toContain('is of an older program than this command');
  expect(formOf(dataFolder)).toBe(1);
});

it('a restore that was cut off lets no bridge start', async () => {
  const { dataFolder, list } = olderDataFolder();
  writeFileSync(join(dataFolder, 'restore-unfinished'), '');
  mkdirSync(join(dataFolder, 'restoring'));
  const start = ['start', ...list.slice(2), '--port', '0', '--admin-port', '0'];
  const { code, err } = await runCommand(start);
  expect(code).toBe(3);
  expect(err).toContain('was cut off. Run "dealer-bridge backup restore NAME --yes" again');
});
