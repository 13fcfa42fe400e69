import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT, type ProjectManifest } from './project.ts';

const COMPILER = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
const COPIED = ['config', 'docs', 'samples', 'schemas', 'README.md', 'CHANGELOG.md', 'LICENSE'];
/** `adapter new` copies from here, so these stay what a person writes. */
const TEMPLATES = join(PROJECT, 'adapters', 'templates');

/** JavaScript of src/ and adapters/, in the same places below `folder`; the same for all platforms. */
export async function compileProgram(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const project = join(PROJECT, '.config', 'package', 'tsconfig.json');
  await promisify(execFile)(process.execPath, [COMPILER, '-p', project, '--outDir', folder]);
}

/** What was compiled, and everything that the program reads or a person wants. */
export async function addProgram(folder: string, manifest: ProjectManifest, compiled: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await cp(compiled, folder, { recursive: true });
  for (const name of COPIED.filter((one) => existsSync(join(PROJECT, one)))) {
    await cp(join(PROJECT, name), join(folder, name), { recursive: true });
  }
  await cp(join(PROJECT, 'adapters'), join(folder, 'adapters'), { recursive: true, filter: isKept });
  await cp(join(PROJECT, 'bin', 'dealer-bridge.mjs'), join(folder, 'bin', 'dealer-bridge.mjs'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(runnable(manifest), null, 2)}\n`);
}

/** Of an adapter the code is there as JavaScript already. */
function isKept(path: string): boolean {
  const isTemplate = !relative(TEMPLATES, path).startsWith(`..`);
  return isTemplate || !basename(path).endsWith('.ts') || path.split(sep).includes('fixtures');
}

/** What Node asks package.json for: how to read the files, and where an adapter finds the contract. */
function runnable({ name, version, description, license, engines }: ProjectManifest): object {
  return {
    name,
    version,
    description,
    license,
    private: true,
    type: 'module',
    engines,
    exports: { './adapter': './src/adapters/index.js' },
  };
}
