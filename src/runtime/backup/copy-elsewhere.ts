import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorFault } from '../../model/operator-fault.ts';
import { PARTIAL, removeLeftovers, type FoundBackup } from './backup-folder.ts';
import { disk } from '../../files/patient-files.ts';
import { syncFolder, writeNewFile } from './durable-files.ts';
import { requireSpace } from './free-space.ts';
import { MANIFEST } from './manifest.ts';
import { readChunks } from './store-files.ts';

/**
 * Copies a backup, file by file, into a second folder, such as one on another machine; each file is compared with its
 * hash while it is written. The copy gets its name when it is whole. The second folder is never made: where a share or
 * disk is not mounted, a folder of the same name would lie on the disk that the copy is to outlive.
 */
export async function copyElsewhere({ name, folder, manifest }: FoundBackup, target: string): Promise<void> {
  await requireFolder(target);
  await removeLeftovers(target);
  await requireSpace(
    target,
    manifest.files.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0),
  );
  const unfinished = join(target, `${name}${PARTIAL}`);
  try {
    for (const { stored_as: path, sha256 } of manifest.files) {
      const parts = path.split('/');
      const written = await writeNewFile(join(unfinished, ...parts), readChunks(join(folder, ...parts)));
      if (written.sha256 !== sha256) throw new OperatorFault(`${path} of the backup ${name} is damaged.`);
    }
    await writeNewFile(join(unfinished, MANIFEST), readChunks(join(folder, MANIFEST)));
    await disk.rename(unfinished, join(target, name));
    await syncFolder(target);
  } catch (error) {
    await disk.removeTree(unfinished);
    throw error;
  }
}

async function requireFolder(folder: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
  if (isFolder) return;
  throw new OperatorFault(
    'this folder is not there. Mount the share or disk that it lies on, or make it by hand: the bridge never makes the ' +
      'second place itself.',
  );
}
