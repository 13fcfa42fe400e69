import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorFault } from '../../model/operator-fault.ts';
import { backupName, type FoundBackup } from './backup-folder.ts';
import { checkCopy, type DatabaseChecks } from './check-copy.ts';
import { disk } from '../../files/patient-files.ts';
import { oneChunk, PRIVATE_FOLDER, syncFolder, writeNewFile } from './durable-files.ts';
import type { StoredFile } from './manifest.ts';
import { unpackFile } from './store-files.ts';

/** Where a restore puts together what is to take the place of the present state. */
const STAGING = 'restoring';
/** There while the present state is being exchanged: a start in between would make an empty leads.db. */
const UNFINISHED = 'restore-unfinished';
const ASIDE = 'before-restore-';
/** What belongs to a database beside its file. */
const COMPANIONS = ['', '-wal', '-shm'];

/** A part of a backup that can be put back by itself. */
export type RestoredPart = 'leads' | 'inventory' | 'adapters';

export interface Staged {
  folder: string;
  /** Names in the data folder that it replaces, such as leads.db. */
  names: string[];
}

/** Throws when a restore was cut off in the middle of the exchange. */
export function refuseUnfinishedRestore(dataFolder: string): void {
  if (!existsSync(join(dataFolder, UNFINISHED))) return;
  throw new OperatorFault(
    `A restore into ${dataFolder} was cut off. Run "dealer-bridge backup restore NAME --yes" again ` +
      '(or, if it was that, "dealer-bridge upgrade --rollback --yes"): nothing was deleted, what was there lies in backups/before-restore-….',
  );
}

/** Unpacks a backup beside the present state and checks it there. Call it with the bridge stopped and its lock held. */
export async function stageRestore(
  { manifest, folder }: FoundBackup,
  checks: DatabaseChecks,
  options: { dataFolder: string; key?: Buffer | undefined; only?: RestoredPart | undefined },
): Promise<Staged> {
  const staging = join(options.dataFolder, STAGING);
  await disk.removeTree(staging);
  await mkdir(staging, { recursive: true, mode: PRIVATE_FOLDER });
  const files = manifest.files.filter((file) => isWanted(file, options.only));
  const names = new Set<string>();
  for (const file of files) {
    const unpacking = { manifest, folder, ...(manifest.encrypted && { key: options.key }) };
    await unpackFile(file, unpacking, join(staging, ...file.path.split('/')));
    names.add(file.path.split('/')[0] ?? file.path);
  }
  if (names.size === 0) throw new OperatorFault(`The backup ${manifest.name} holds nothing of that.`);
  for (const database of manifest.databases.filter(({ name }) => names.has(name))) {
    const faults = await checkCopy(join(staging, database.name), database, checks[database.name]);
    if (faults.length > 0) throw new OperatorFault(`Nothing was restored: ${faults.join('; ')}.`);
  }
  return { folder: staging, names: [...names] };
}

export async function dropStaged(dataFolder: string): Promise<void> {
  await disk.removeTree(join(dataFolder, STAGING));
}

/**
 * Exchanges the present state for the staged one, by renaming alone: what was there is moved aside and never deleted.
 * Cut off at any point it can be run again, and until then no bridge starts. Answers where the old state lies.
 */
export async function putInPlace(
  staged: Staged,
  { dataFolder, alsoAside, now }: { dataFolder: string; alsoAside: readonly string[]; now: number },
): Promise<string> {
  const aside = await freeFolder(join(dataFolder, 'backups', `${ASIDE}${backupName(now)}`));
  await mkdir(aside, { recursive: true, mode: PRIVATE_FOLDER });
  const mark = join(dataFolder, UNFINISHED);
  await disk.removeTree(mark);
  await writeNewFile(mark, oneChunk(`${aside}\n`));
  await syncFolder(dataFolder);
  const leaving = staged.names.flatMap((name) => COMPANIONS.map((companion) => `${name}${companion}`));
  for (const name of [...leaving, ...alsoAside]) {
    const present = join(dataFolder, name);
    if (existsSync(present)) await disk.rename(present, join(aside, name));
  }
  for (const name of staged.names) await disk.rename(join(staged.folder, name), join(dataFolder, name));
  for (const folder of [aside, dataFolder]) await syncFolder(folder);
  await disk.removeTree(mark);
  await syncFolder(dataFolder);
  await disk.removeTree(staged.folder);
  return aside;
}

/**
 * Takes an exchange that was cut off back: what was moved aside returns to its place. Does nothing where none was. It
 * can be cut off itself and run again.
 */
export async function undoUnfinishedRestore(dataFolder: string): Promise<void> {
  const mark = join(dataFolder, UNFINISHED);
  if (!existsSync(mark)) return;
  const aside = (await readFile(mark, 'utf8')).trim();
  if (existsSync(aside)) {
    for (const name of await readdir(aside)) {
      // What stands in its place came from the backup, which still has it.
      await disk.removeTree(join(dataFolder, name));
      await disk.rename(join(aside, name), join(dataFolder, name));
    }
    await syncFolder(dataFolder);
    await disk.removeTree(aside);
  }
  await disk.removeTree(mark);
}

/** Writes the settings and secrets of a backup into a folder of their own; files that are there are left alone. */
export async function unpackSettings(
  { manifest, folder }: FoundBackup,
  key: Buffer | undefined,
  target: string,
): Promise<string[]> {
  const written: string[] = [];
  for (const file of manifest.files.filter(({ kind }) => kind === 'settings' || kind === 'secret')) {
    const place = join(target, ...file.path.split('/'));
    if (existsSync(place)) throw new OperatorFault(`${place} is there already. Give an empty folder.`);
    await unpackFile(file, { manifest, folder, ...(manifest.encrypted && { key }) }, place);
    written.push(place);
  }
  return written;
}

function isWanted({ kind, path }: StoredFile, only: RestoredPart | undefined): boolean {
  if (kind === 'adapter') return only === undefined || only === 'adapters';
  return kind === 'database' && (only === undefined || path === `${only}.db`);
}

async function freeFolder(path: string): Promise<string> {
  for (let number = 2, free = path; ; number += 1) {
    if (!existsSync(free)) return Promise.resolve(free);
    free = `${path}-${number}`;
  }
}
