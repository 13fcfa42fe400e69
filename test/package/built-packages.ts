import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { buildPackages } from '../../.config/package/build-package.ts';
import { NodeNotFetched } from '../../.config/package/node-runtime.ts';
import { PLATFORMS, type Platform } from '../../.config/package/project.ts';
import { PROJECT } from '../e2e/bridge-process.ts';

export interface TestedPackage {
  /** The installation that the archive holds. */
  folder: string;
  archive: string;
}

const CACHE = join(PROJECT, 'node_modules', '.cache', 'dealer-bridge-package');
const MADE_FROM = [
  '.config/package',
  'adapters',
  'bin',
  'config',
  'docs',
  'samples',
  'schemas',
  'src',
  'package-lock.json',
  'package.json',
];
/** A test file that comes second waits for the first to build. */
const BUILD_LIMIT_MS = 300_000;
const FAST = 1;
/** Another run may be at work with it, of a project that was a little different. */
const KEPT_MS = 30 * 60_000;

/**
 * The packages of what lies in the project now, built once for all test files and runs, quickly rather than small;
 * undefined, and said so, where the registry cannot be had. Nobody may write into them.
 */
export async function builtPackages(
  version: string,
): Promise<Record<'linux' | 'windows', TestedPackage> | undefined> {
  const folder = join(CACHE, `tested-${stateOfProject()}`);
  mkdirSync(CACHE, { recursive: true });
  const lock = new Database(join(CACHE, 'tested.lock'), { timeout: BUILD_LIMIT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    if (!existsSync(folder)) await build(folder);
  } catch (fault) {
    if (!(fault instanceof NodeNotFetched)) throw fault;
    process.stderr.write(`The packages are not tested: ${fault.message}.\n`);
    return undefined;
  } finally {
    lock.close();
  }
  const packageOf = (platform: Platform, ending: string): TestedPackage => ({
    folder: join(folder, `dealer-bridge-${version}-${platform}`, 'dealer-bridge'),
    archive: join(folder, `dealer-bridge-${version}-${platform}${ending}`),
  });
  return { linux: packageOf('linux-x64', '.tar.gz'), windows: packageOf('win32-x64', '.zip') };
}

async function build(folder: string): Promise<void> {
  for (const name of readdirSync(CACHE)) {
    const isOld = /^tested-[0-9a-f]/.test(name) && Date.now() - statSync(join(CACHE, name)).mtimeMs > KEPT_MS;
    if (isOld) rmSync(join(CACHE, name), { recursive: true, force: true });
  }
  const unfinished = join(CACHE, 'tested-unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  await buildPackages(PLATFORMS, unfinished, FAST);
  renameSync(unfinished, folder);
}

/** Changes with each file that goes into a package. */
function stateOfProject(): string {
  const hash = createHash('sha256');
  for (const part of MADE_FROM) {
    const place = join(PROJECT, part);
    const entries = statSync(place).isDirectory()
      ? readdirSync(place, { recursive: true, encoding: 'utf8' })
      : [''];
    for (const entry of entries.sort()) {
      const { mtimeMs, size } = statSync(join(place, entry));
      hash.update(`${part}/${entry} ${mtimeMs} ${size}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}
