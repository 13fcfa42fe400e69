import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { adapterRoots, type Folders } from './review.ts';

/** A profile is named (`homenet`) or given by its path: with a slash in it, or ending in .yaml. */
export function isProfilePath(profile: string): boolean {
  return /[/\\]/.test(profile) || /\.ya?ml$/i.test(profile) || isAbsolute(profile);
}

export function profilePath(profile: string, folders: Folders): string {
  return resolve(folders.config, profile);
}

/** Names of the profiles of the program and of the data folder. */
export async function profileNames(folders: Folders): Promise<string[]> {
  return yamlNames(adapterRoots(folders).map((root) => join(root, 'feeds', 'profiles')));
}

/** Base names without .yaml of the YAML files in those folders; a folder that is not there holds none. */
export async function yamlNames(parents: readonly string[]): Promise<string[]> {
  const names = new Set<string>();
  for (const parent of parents) {
    for (const file of await filesIn(parent)) {
      if (/^[a-z0-9][a-z0-9-]{0,63}\.yaml$/.test(file)) names.add(file.slice(0, -'.yaml'.length));
    }
  }
  return [...names].sort();
}

export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
