import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a package is built for, by the names that Node's own packages in the registry go by. */
export type Platform = 'linux-x64' | 'win32-x64';

export const PLATFORMS: readonly Platform[] = ['linux-x64', 'win32-x64'];

/** Absolute, without a separator at its end. */
export const PROJECT = join(fileURLToPath(new URL('../..', import.meta.url)), '.');

export interface ProjectManifest {
  name: string;
  version: string;
  description: string;
  license: string;
  engines: object;
  devDependencies: { node: string };
}

export function readManifest(): ProjectManifest {
  return JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as ProjectManifest;
}

/**
 * The instant that stands for "built": that of the commit, so that the same commit gives the same bytes on any day.
 * SOURCE_DATE_EPOCH (seconds) takes its place where there is no repository.
 */
export function commitInstant(): Date {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined) return new Date(Number(given) * 1000);
  if (!existsSync(join(PROJECT, '.git'))) {
    throw new Error('this is no clone of the repository: set SOURCE_DATE_EPOCH to the instant of its commit');
  }
  return new Date(Number(git('log', '-1', '--format=%ct')) * 1000);
}

/** Undefined outside of a clone. */
export function commitName(): string | undefined {
  return existsSync(join(PROJECT, '.git')) ? git('rev-parse', 'HEAD') : undefined;
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: PROJECT, encoding: 'utf8' }).trim();
}
