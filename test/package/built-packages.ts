import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage, type BuiltPackage } from '../../.config/package/build-package.ts';
import { NodeNotFetched } from '../../.config/package/node-runtime.ts';

export interface BuiltPackages {
  linux: BuiltPackage;
  windows: BuiltPackage;
  remove(): void;
}

/** Both packages in a folder of their own; undefined, and said so, where the registry cannot be had. */
export async function builtPackages(): Promise<BuiltPackages | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const [linux, windows] = [
      await buildPackage('linux-x64', folder),
      await buildPackage('win32-x64', folder),
    ];
    return { linux, windows, remove };
  } catch (fault) {
    remove();
    if (!(fault instanceof NodeNotFetched)) throw fault;
    process.stderr.write(`The packages are not tested: ${fault.message}.\n`);
    return undefined;
  }
}
