import { existsSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { PROJECT, type Platform } from './project.ts';

export interface InstalledPackage {
  name: string;
  version: string;
  licence: string;
  /** Below the project and the package alike: `node_modules/ajv`. */
  path: string;
}

interface LockEntry {
  version?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

/** What the program runs on, as the lock file has it. Optional ones need a compiler and only speed ssh2 up. */
export function productionPackages(): InstalledPackage[] {
  const lock = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  return Object.entries(lock.packages)
    .filter(
      ([path, { dev, optional, devOptional }]) => path !== '' && !(dev ?? optional ?? devOptional ?? false),
    )
    .filter(([path]) => existsSync(join(PROJECT, path)))
    .map(([path, { version = '', license = 'see its text' }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
      path,
    }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

const NEVER_NEEDED =
  /^(?:\.github|benchmarks?|docs?|examples?|tests?|__tests__|coverage|\.nyc_output|\.vscode)$/;
/** date-fns lays whole copies of itself there for browsers. */
const FOR_BROWSERS = /^cdn(?:\.min)?\.js$/;
/** Nor languages, nor a second form of each function; we take days and hours from it. */
const PARTS_OF_DATE_FNS = /^(?:fp|locale[\\/](?!_lib|en-US))/;
const NOT_RUN = /\.(?:map|ts|mts|cts|md|markdown|flow|gyp|gypi|tsbuildinfo|cpp|cc|c|h)$/i;

/** Copies what of a package is run: no tests, no types, no sources of what is compiled, no other system's binaries. */
export async function addPackages(
  packages: readonly InstalledPackage[],
  platform: Platform,
  folder: string,
): Promise<void> {
  for (const { name, path } of packages) {
    const source = join(PROJECT, path);
    const binary = `${platform}.node`;
    await cp(source, join(folder, path), {
      recursive: true,
      dereference: false,
      filter: (file) => {
        const steps = relative(source, file).split(sep);
        const last = steps.at(-1) ?? '';
        if (steps[0] === 'node_modules' || NEVER_NEEDED.test(steps[0] ?? '')) return false;
        if (name === 'better-sqlite3' && (steps[0] === 'deps' || steps[0] === 'src')) return false;
        if (name === 'date-fns' && PARTS_OF_DATE_FNS.test(relative(source, file))) return false;
        if (last.endsWith('.node')) return last === binary;
        if (FOR_BROWSERS.test(last)) return false;
        return !NOT_RUN.test(last) && !last.startsWith('.');
      },
    });
  }
}
