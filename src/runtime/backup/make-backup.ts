import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { databaseFault } from '../../model/database-fault.ts';
import { OperatorFault } from '../../model/operator-fault.ts';
import { freeName, isGood, listBackups, PARTIAL, removeLeftovers, takenAt } from './backup-folder.ts';
import { readKey } from './backup-key.ts';
import type { BackupPlan, PlannedFile } from './backup-plan.ts';
import { checkCopy, makeOneFile, type DatabaseChecks } from './check-copy.ts';
import { copyDatabase } from './copy-database.ts';
import { errorCode } from '../../files/patience.ts';
import { disk } from '../../files/patient-files.ts';
import { oneChunk, PRIVATE_FOLDER, syncFolder, writeNewFile } from './durable-files.ts';
import { fileBytes, requireSpace } from './free-space.ts';
import { keptBackups } from './keep-rule.ts';
import {
  MANIFEST,
  manifestText,
  type BackupManifest,
  type BackupReason,
  type StoredFile,
} from './manifest.ts';
import { storeFile } from './store-files.ts';

/** Where databases are copied and checked before they go into a backup: always on the disk of the data folder. */
const WORK_FOLDER = 'backup-work';
const IF_DAMAGED = 'Restore the last good backup: "dealer-bridge backup list", then "backup restore NAME".';

interface Draft {
  manifest: BackupManifest;
  plan: BackupPlan;
  /** Of the backup while it is not whole. */
  folder: string;
  key: Buffer | undefined;
}

/**
 * Makes one backup while others work on the databases: copied, checked, written under another name, flushed, and
 * given its name when it is whole. A copy that does not hold is kept with its faults in the manifest, and counts for
 * nothing. Call it with the lock of the backups held. Throws when there is no backup at all, such as for want of room.
 */
export async function makeBackup(
  plan: BackupPlan,
  checks: DatabaseChecks,
  about: { reason: BackupReason; now: number },
): Promise<BackupManifest> {
  const key = plan.keyFile === undefined ? undefined : await readKey(plan.keyFile);
  await mkdir(plan.folder, { recursive: true, mode: PRIVATE_FOLDER });
  await removeLeftovers(plan.folder);
  const workFolder = join(plan.dataFolder, WORK_FOLDER);
  await disk.removeTree(workFolder);
  await requireRoom(plan);
  const name = await freeName(plan.folder, about.now);
  const draft: Draft = {
    plan,
    key,
    folder: join(plan.folder, `${name}${PARTIAL}`),
    manifest: newManifest(name, about, plan),
  };
  try {
    await mkdir(workFolder, { recursive: true, mode: PRIVATE_FOLDER });
    await mkdir(draft.folder, { mode: PRIVATE_FOLDER });
    await takeDatabases(draft, checks, workFolder);
    await takeFiles(draft);
    await finish(draft, name);
  } catch (error) {
    await disk.removeTree(draft.folder);
    throw error;
  } finally {
    await disk.removeTree(workFolder);
  }
  return draft.manifest;
}

/** Takes away what the rule does not keep. */
export async function pruneBackups(folder: string, keep: BackupPlan['keep']): Promise<string[]> {
  const found = await listBackups(folder);
  const kept = keptBackups(
    found.map((backup) => ({
      name: backup.name,
      takenAt: takenAt(backup),
      reason: backup.manifest.reason,
      isGood: isGood(backup),
    })),
    keep,
  );
  const removed = found.filter(({ name }) => !kept.has(name));
  for (const backup of removed) {
    // Under another name first: one that is half gone must never look like a backup.
    const leaving = `${backup.folder}${PARTIAL}`;
    await disk.rename(backup.folder, leaving);
    await disk.removeTree(leaving);
  }
  return removed.map(({ name }) => name);
}

function newManifest(
  name: string,
  { reason, now }: { reason: BackupReason; now: number },
  plan: BackupPlan,
): BackupManifest {
  return {
    format: 1,
    id: randomUUID(),
    name,
    taken_at: new Date(now).toISOString(),
    reason,
    program_version: plan.programVersion,
    data_folder: plan.dataFolder,
    databases: [],
    files: [],
    left_out: [],
    encrypted: plan.keyFile !== undefined,
    faults: [],
  };
}

/** A database lies twice on the disk for a moment: as the copy that is checked, and in the backup. */
async function requireRoom(plan: BackupPlan): Promise<void> {
  let bytes = 0;
  for (const { name, maxBytes = Infinity } of plan.databases) {
    const size = await databaseBytes(join(plan.dataFolder, name));
    if (size <= maxBytes) bytes += size;
  }
  await requireSpace(plan.dataFolder, bytes * 2);
  await requireSpace(plan.folder, bytes);
}

async function databaseBytes(file: string): Promise<number> {
  return (await fileBytes(file)) + (await fileBytes(`${file}-wal`));
}

async function takeDatabases(draft: Draft, checks: DatabaseChecks, workFolder: string): Promise<void> {
  const { manifest, plan } = draft;
  for (const { name, maxBytes = Infinity } of plan.databases) {
    const file = join(plan.dataFolder, name);
    const size = await fileBytes(file);
    if (size === 0) manifest.left_out.push(`${name}: there is none`);
    else if (size > maxBytes) {
      manifest.left_out.push(
        `${name}: larger than ${Math.round(maxBytes / 1024 ** 2)} MB (backup.inventory)`,
      );
    } else await takeDatabase(name, draft, checks, workFolder);
  }
  if (manifest.databases.length === 0) {
    throw new OperatorFault(
      `There is no database in ${plan.dataFolder}: no bridge has run with this folder.`,
    );
  }
}

async function takeDatabase(
  name: string,
  draft: Draft,
  checks: DatabaseChecks,
  workFolder: string,
): Promise<void> {
  const { manifest, plan } = draft;
  const copy = join(workFolder, name);
  const database = { name, ...(await copyOrExplain(join(plan.dataFolder, name), copy)) };
  makeOneFile(copy);
  manifest.databases.push(database);
  manifest.faults.push(...(await checkCopy(copy, database, checks[name])));
  manifest.files.push(await store({ kind: 'database', path: name, source: copy }, draft));
  await disk.removeTree(copy);
}

async function copyOrExplain(file: string, copy: string): ReturnType<typeof copyDatabase> {
  try {
    return await copyDatabase(file, copy);
  } catch (error) {
    throw databaseFault(error, file, IF_DAMAGED);
  }
}

async function takeFiles(draft: Draft): Promise<void> {
  const { manifest, plan } = draft;
  for (const file of plan.files) {
    if (file.kind === 'secret' && !manifest.encrypted) {
      manifest.left_out.push(`${file.from}: a secret, and the backup is not encrypted (backup.key_file)`);
    } else await takeFile(file, draft);
  }
}

/** Settings are small and may be edited at any time; one that is gone or locked must not cost the leads their backup. */
async function takeFile({ kind, path, from }: PlannedFile, draft: Draft): Promise<void> {
  try {
    draft.manifest.files.push(await store({ kind, path, from, source: from }, draft));
  } catch (error) {
    if (['ENOSPC', 'EIO', 'EROFS'].includes(errorCode(error))) throw error;
    draft.manifest.left_out.push(`${from}: cannot be read (${errorCode(error)})`);
  }
}

function store(file: Parameters<typeof storeFile>[0], { manifest, folder, key }: Draft): Promise<StoredFile> {
  return storeFile(file, { id: manifest.id, folder, key });
}

async function finish({ manifest, folder, key, plan }: Draft, name: string): Promise<void> {
  const text = manifestText(manifest, key);
  await writeNewFile(join(folder, MANIFEST), oneChunk(text));
  const folders = new Set(
    manifest.files.map(({ stored_as }) => dirname(join(folder, ...stored_as.split('/')))),
  );
  for (const each of new Set([...folders, folder])) await syncFolder(each);
  await disk.rename(folder, join(plan.folder, name));
  await syncFolder(plan.folder);
}
