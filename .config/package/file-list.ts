import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const LONGEST_PATH = 200;
/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[<>:"|?*\\\u0000-\u001f]|[. ]$/;

/** All files below the folder, sorted, with `/` between the steps, the same on each system. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort((one, other) => (one < other ? -1 : 1));
}

/** What a Windows machine could not unpack. `root`: the folder that all paths begin with in the archive. */
export function unfitForWindows(root: string, files: readonly string[]): string[] {
  const seen = new Map<string, string>();
  return files.flatMap((file) => {
    const twin = seen.get(file.toLowerCase());
    seen.set(file.toLowerCase(), file);
    const steps = file.split('/');
    if (twin !== undefined) return [`${file} and ${twin} differ by case only`];
    if (`${root}/${file}`.length > LONGEST_PATH) return [`${file} is too long`];
    return steps.some((step) => FORBIDDEN.test(step) || DEVICE.test(step))
      ? [`${file} is no name there`]
      : [];
  });
}

/** In the form that sha256sum --check reads. */
export async function checksums(folder: string, files: readonly string[]): Promise<string> {
  const lines = [];
  for (const file of files) lines.push(`${await sha256(join(folder, file))}  ${file}\n`);
  return lines.join('');
}

export async function sha256(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
