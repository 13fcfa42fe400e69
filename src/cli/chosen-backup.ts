import { basename, join, resolve } from 'node:path';
import { isGood, listBackups, type FoundBackup } from '../runtime/backup/backup-folder.ts';
import { readKey } from '../runtime/backup/backup-key.ts';
import { readManifest } from '../runtime/backup/manifest.ts';
import { stop } from './held-run.ts';

/** The backup of this name in the first of the folders that has it, or at this path; without a name the newest good one. */
export async function chosenBackup(
  name: string | undefined,
  folders: readonly string[],
): Promise<FoundBackup> {
  if (name === undefined) {
    for (const folder of folders) {
      const newest = (await listBackups(folder)).find(isGood);
      if (newest !== undefined) return newest;
    }
    return stop(`There is no backup in ${folders.join(' or ')}.`);
  }
  const isPath = /[/\\]/.test(name);
  const places = isPath ? [resolve(name)] : folders.map((folder) => join(folder, name));
  for (const folder of places) {
    const manifest = await readManifest(folder);
    if (manifest !== undefined) return { name: basename(folder), folder, manifest };
  }
  return stop(
    `There is no backup ${name}${isPath ? '' : ` in ${folders.join(' or ')}`}. "backup list" shows all.`,
  );
}

/** The key, when the backup needs one and one is given. */
export async function keyFor(
  { manifest }: FoundBackup,
  keyFile: string | undefined,
): Promise<Buffer | undefined> {
  return manifest.encrypted && keyFile !== undefined ? readKey(keyFile) : undefined;
}
