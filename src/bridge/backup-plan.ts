import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Config } from '../config/config.ts';
import { secretFiles } from '../config/secrets.ts';
import type { BackupPlan, PlannedDatabase, PlannedFile } from '../runtime/backup/backup-plan.ts';

/** Up to here inventory.db goes along unless the settings say otherwise. */
const SMALL_BYTES = 512 * 1024 * 1024;
/** An adapter with more files than this has a tree of packages, which is to be installed and not backed up. */
const MAX_ADAPTER_FILES = 5000;

/** What a backup of this dealership holds and where it goes. */
export async function backupPlan(config: Config, programVersion: string): Promise<BackupPlan> {
  const { backup, data_folder: dataFolder } = config;
  return {
    dataFolder,
    folder: backup.folder,
    ...(backup.copy_to === undefined ? {} : { copyTo: backup.copy_to }),
    keep: { daily: backup.keep_daily, weekly: backup.keep_weekly },
    ...(backup.key_file === undefined ? {} : { keyFile: backup.key_file }),
    programVersion,
    databases: [{ name: 'leads.db' }, ...inventory(backup.inventory)],
    files: [...(await settingsFiles(config)), ...(await adapterFiles(dataFolder))],
  };
}

function inventory(wanted: Config['backup']['inventory']): PlannedDatabase[] {
  if (wanted === 'never') return [];
  return [{ name: 'inventory.db', ...(wanted === 'when_small' && { maxBytes: SMALL_BYTES }) }];
}

/** bridge.yaml and what it names; files that hold secrets are marked as such. */
async function settingsFiles({ file, server, access, feeds }: Config): Promise<PlannedFile[]> {
  const folder = dirname(file);
  const secrets = [
    ...secretFiles(await readFile(file, 'utf8'), folder),
    ...(server.tls ? [server.tls.key] : []),
  ];
  const settings = [
    file,
    ...(access.tokens_file === undefined ? [] : [access.tokens_file]),
    ...(server.tls ? [server.tls.cert] : []),
    ...feeds.map(({ profile }) => profile).filter((profile) => isAbsolute(profile)),
  ];
  return [
    ...planned(
      'settings',
      settings.filter((path) => !secrets.includes(path)),
      folder,
    ),
    ...planned('secret', secrets, folder),
  ].filter(({ from }) => existsSync(from));
}

/** As they lie beside bridge.yaml, so that relative paths hold when they are put back; others by number. */
function planned(kind: PlannedFile['kind'], files: readonly string[], folder: string): PlannedFile[] {
  return [...new Set(files)].map((from, index) => {
    const inside = relative(folder, from);
    const isInside = !inside.startsWith('..') && !isAbsolute(inside);
    const path = isInside ? inside.split(sep).join('/') : `elsewhere/${kind}-${index}-${basename(from)}`;
    return { kind, from, path: `settings/${path.replaceAll(/[\\:]/g, '_')}` };
  });
}

/** The dealer's own adapters and profiles. */
async function adapterFiles(dataFolder: string): Promise<PlannedFile[]> {
  const folder = join(dataFolder, 'adapters');
  const files: PlannedFile[] = [];
  const walk = async (path: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (files.length >= MAX_ADAPTER_FILES) return;
      const from = join(path, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules') await walk(from);
      // A backslash or colon in a name could not be put back on Windows.
      else if (entry.isFile() && !/[\\:]/.test(entry.name)) {
        files.push({ kind: 'adapter', from, path: relative(dataFolder, from).split(sep).join('/') });
      }
    }
  };
  if (existsSync(folder)) await walk(folder);
  return files;
}
