import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { disk, writeWhole } from '../../files/patient-files.ts';
import { syncFolder } from '../backup/durable-files.ts';
import { compareVersions, isVersion } from './version-order.ts';

/**
 * An unpacked package: a launcher, the file `current`, which names a version, and `versions/<version>/…`. Versions
 * stand beside each other, so that one is exchanged for another by writing one small file. No link: Windows lets only
 * some accounts make one.
 */
export interface Installation {
  /** Absolute. */
  folder: string;
  /** Of the program that asks, which need not be the current one. */
  version: string;
}

const PROGRAM_FOLDER = fileURLToPath(new URL('../../../', import.meta.url));
const CURRENT = 'current';
const VERSIONS = 'versions';
/** What is not whole yet, or not any more. */
const UNFINISHED = '.unfinished';
const LEAVING = '.leaving';

/** Undefined in a clone of the repository. `programFolder`: default: that of this program. */
export function findInstallation(programFolder = PROGRAM_FOLDER): Installation | undefined {
  const program = join(programFolder, '.');
  const versions = dirname(program);
  const folder = dirname(versions);
  const version = basename(program);
  if (basename(versions) !== VERSIONS || !isVersion(version)) return undefined;
  return existsSync(join(folder, CURRENT)) ? { folder, version } : undefined;
}

/** What services and scripts start: it stays, whatever versions come and go. */
export function launcherOf({ folder }: Pick<Installation, 'folder'>): string {
  return join(folder, process.platform === 'win32' ? 'dealer-bridge.cmd' : 'dealer-bridge');
}

export function versionFolder({ folder }: Pick<Installation, 'folder'>, version: string): string {
  return join(folder, VERSIONS, version);
}

/** Where a version is put together before it gets its name. */
export function unfinishedFolder({ folder }: Pick<Installation, 'folder'>): string {
  return join(folder, VERSIONS, UNFINISHED);
}

export function currentVersion({ folder }: Pick<Installation, 'folder'>): string {
  return readFileSync(join(folder, CURRENT), 'utf8').trim();
}

/** At once or not at all: what starts from now on is this version. */
export async function switchTo(installation: Installation, version: string): Promise<void> {
  await readableByAll(() => writeWhole(join(installation.folder, CURRENT), `${version}\n`));
  await syncFolder(installation.folder);
}

/** Newest first. */
export async function installedVersions({ folder }: Pick<Installation, 'folder'>): Promise<string[]> {
  const names = await readdir(join(folder, VERSIONS));
  return names.filter(isVersion).sort((one, other) => compareVersions(other, one));
}

/** Under another name first: a version that is half gone must not look like one. One that is not there is no fault. */
export async function removeVersion(installation: Installation, version: string): Promise<void> {
  if (!existsSync(versionFolder(installation, version))) return;
  const leaving = join(installation.folder, VERSIONS, LEAVING);
  await disk.removeTree(leaving);
  await disk.rename(versionFolder(installation, version), leaving);
  await disk.removeTree(leaving);
}

/** A program is for the account of the service, too, however private the files are that its installer makes else. */
export async function readableByAll<T>(work: () => Promise<T>): Promise<T> {
  const before = process.umask(0o022);
  try {
    return await work();
  } finally {
    process.umask(before);
  }
}
