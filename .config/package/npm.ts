import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PROJECT } from './project.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs the npm that runs us, or the one on the PATH, with the registry that the user has configured. */
export async function npm(words: readonly string[]): Promise<string> {
  const program = process.env.npm_execpath;
  const options = { cwd: PROJECT, maxBuffer: MAX_OUTPUT_BYTES };
  const { stdout } =
    program?.endsWith('.js') === true
      ? await run(process.execPath, [program, ...words], options)
      : // On Windows npm is a batch file, which only a shell runs; none of the words comes from outside.
        await run('npm', [...words], { ...options, shell: process.platform === 'win32' });
  return stdout;
}
