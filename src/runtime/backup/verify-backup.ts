import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundBackup } from './backup-folder.ts';
import { checkCopy, type DatabaseChecks } from './check-copy.ts';
import { errorCode } from '../../files/patience.ts';
import { disk } from '../../files/patient-files.ts';
import { PRIVATE_FOLDER } from './durable-files.ts';
import { checkSeal, type StoredFile } from './manifest.ts';
import { readChunks, unpackFile } from './store-files.ts';

/**
 * Goes through a backup as a restore would: every file against its hash, the databases unpacked into `workFolder`
 * (made and removed here) and checked as when the backup was made. Faults in words; none = good.
 */
export async function verifyBackup(
  backup: FoundBackup,
  checks: DatabaseChecks,
  parts: { key?: Buffer | undefined; workFolder: string },
): Promise<string[]> {
  const { manifest } = backup;
  const faults = [...manifest.faults];
  if (manifest.encrypted && parts.key === undefined) {
    faults.push('It is encrypted: the key file is needed (backup.key_file, or --key).');
    return faults;
  }
  const sealFault = await faultOf(async () => {
    if (manifest.encrypted && parts.key !== undefined) checkSeal(manifest, parts.key);
    return Promise.resolve();
  });
  if (sealFault !== undefined) return [...faults, sealFault];
  for (const file of manifest.files) {
    const fault = await hashFault(file, backup);
    if (fault !== undefined) faults.push(`${file.path}: ${fault}`);
  }
  if (faults.length > 0) return faults;
  try {
    await mkdir(parts.workFolder, { recursive: true, mode: PRIVATE_FOLDER });
    return await databaseFaults(backup, checks, parts);
  } finally {
    await disk.removeTree(parts.workFolder);
  }
}

async function databaseFaults(
  backup: FoundBackup,
  checks: DatabaseChecks,
  { key, workFolder }: { key?: Buffer | undefined; workFolder: string },
): Promise<string[]> {
  const faults: string[] = [];
  const { manifest, folder } = backup;
  for (const database of manifest.databases) {
    const { name } = database;
    const file = manifest.files.find(({ kind, path }) => kind === 'database' && path === name);
    if (file === undefined) {
      faults.push(`${name}: the manifest names it, but no file of it`);
      continue;
    }
    const copy = join(workFolder, name);
    const unpacking = { manifest, folder, ...(manifest.encrypted && { key }) };
    const fault = await faultOf(() => unpackFile(file, unpacking, copy));
    if (fault === undefined) faults.push(...(await checkCopy(copy, database, checks[name])));
    else faults.push(`${name}: ${fault}`);
    await disk.removeTree(copy);
  }
  return faults;
}

/** Whether the bytes are those that were written. */
async function hashFault(file: StoredFile, { folder }: FoundBackup): Promise<string | undefined> {
  const path = join(folder, ...file.stored_as.split('/'));
  try {
    const { size } = await stat(path);
    if (size !== file.stored_bytes) return `has ${size} bytes in place of ${file.stored_bytes}`;
    const hash = createHash('sha256');
    for await (const chunk of readChunks(path)) hash.update(chunk);
    return hash.digest('hex') === file.sha256 ? undefined : 'was changed or damaged (SHA-256 differs)';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'is missing' : `cannot be read (${errorCode(error)})`;
  }
}

async function faultOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
