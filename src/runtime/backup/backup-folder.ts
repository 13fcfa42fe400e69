import { join } from 'node:path';
import { namesIn } from '../../files/names-in.ts';
import { disk } from '../../files/patient-files.ts';
import { readManifest, type BackupManifest } from './manifest.ts';

/** What a backup is named while it is not whole. */
export const PARTIAL = '.partial';
/** `20261130T023000Z`, and a number where two fall into one second. No colons: Windows knows no such names. */
const NAME = /^\d{8}T\d{6}Z(-\d+)?$/;

export interface FoundBackup {
  name: string;
  folder: string;
  manifest: BackupManifest;
}

export function backupName(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Those with a manifest that can be read, newest first. A folder that is not there has none. */
export async function listBackups(folder: string): Promise<FoundBackup[]> {
  const found: FoundBackup[] = [];
  for (const name of await namesIn(folder)) {
    if (!NAME.test(name)) continue;
    const place = join(folder, name);
    // One that was spoilt must not hide the others; `backup verify NAME` says what is wrong with it.
    const manifest = await readManifest(place).catch(() => undefined);
    if (manifest !== undefined) found.push({ name, folder: place, manifest });
  }
  return found.sort((left, right) => takenAt(right) - takenAt(left) || (left.name < right.name ? 1 : -1));
}

export function takenAt({ manifest }: FoundBackup): number {
  return Date.parse(manifest.taken_at);
}

export function isGood({ manifest }: FoundBackup): boolean {
  return manifest.faults.length === 0;
}

/** A name that nobody has in this folder yet. */
export async function freeName(folder: string, time: number): Promise<string> {
  const taken = new Set((await namesIn(folder)).map((name) => name.replace(PARTIAL, '')));
  const name = backupName(time);
  for (let number = 2, free = name; ; number += 1) {
    if (!taken.has(free)) return free;
    free = `${name}-${number}`;
  }
}

/** What a backup that was cut off has left behind; call it with the lock held. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const isOurs = name.endsWith(PARTIAL) && NAME.test(name.slice(0, -PARTIAL.length));
    if (isOurs) await disk.removeTree(join(folder, name));
  }
}
