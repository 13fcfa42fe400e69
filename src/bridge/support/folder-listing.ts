import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const MAX_DEPTH = 4;
/** Of one folder, the newest. */
const MAX_NAMES = 200;

interface Entry {
  name: string;
  isFolder: boolean;
  bytes: number;
  changed: number;
}

/**
 * Names, sizes and dates of a folder and those below. @param countOnly folders of which names are nobody's business,
 * such as where leads are picked up: absolute.
 */
export async function folderListing(folder: string, countOnly: readonly string[]): Promise<string> {
  return (await linesOf(resolve(folder), new Set(countOnly), 0)).join('\n') + '\n';
}

async function linesOf(folder: string, countOnly: ReadonlySet<string>, depth: number): Promise<string[]> {
  const indent = '  '.repeat(depth);
  const heading = depth === 0 ? [folder] : [];
  let entries: Entry[];
  try {
    entries = await entriesOf(folder);
  } catch (fault) {
    return [...heading, `${indent}  (${(fault as NodeJS.ErrnoException).code ?? 'cannot be read'})`];
  }
  if (countOnly.has(folder)) {
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    return [...heading, `${indent}  ${entries.length} entries, ${bytes} bytes; names left out`];
  }
  const shown = entries.sort((one, other) => other.changed - one.changed).slice(0, MAX_NAMES);
  const lines = [...heading];
  for (const { name, isFolder, bytes, changed } of shown.sort((one, other) =>
    one.name < other.name ? -1 : 1,
  )) {
    const date = new Date(changed).toISOString();
    lines.push(`${indent}  ${date}  ${isFolder ? 'folder' : String(bytes).padStart(12)}  ${printable(name)}`);
    if (isFolder && depth < MAX_DEPTH)
      lines.push(...(await linesOf(join(folder, name), countOnly, depth + 1)));
  }
  if (entries.length > shown.length) lines.push(`${indent}  and ${entries.length - shown.length} older ones`);
  return lines;
}

async function entriesOf(folder: string): Promise<Entry[]> {
  const found = await readdir(folder, { withFileTypes: true });
  return Promise.all(
    found.map(async (entry) => {
      const facts = await stat(join(folder, entry.name)).catch(() => undefined);
      return {
        name: entry.name,
        isFolder: entry.isDirectory(),
        bytes: facts?.size ?? 0,
        changed: facts?.mtimeMs ?? 0,
      };
    }),
  );
}

/** One line, whatever somebody has called a file. */
function printable(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?');
}
