import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type TriedFolder =
  /** `missing`: the program will make it, and may. */
  | { ok: true; missing: boolean; existing: string }
  | { ok: false; step: 'find' | 'read' | 'write' | 'rename' | 'delete'; code: string; existing?: string };

/**
 * What the bridge does in a folder: lists it, writes a file, renames it, takes it away. Of a folder that is not there
 * the nearest one above it is tried, in which it would be made. Leaves nothing behind.
 */
export async function tryFolder(folder: string): Promise<TriedFolder> {
  let step: Extract<TriedFolder, { ok: false }>['step'] = 'find';
  let existing: string | undefined;
  // A running bridge watches some of these folders: such names its inboxes and work folders pass over, and so does
  // what picks up leads.
  const names = [randomUUID(), randomUUID()].map((id) => `.dealer-bridge-check-${id}.tmp`);
  const [written, renamed] = names as [string, string];
  try {
    existing = await nearestFolder(folder);
    step = 'read';
    await readdir(existing);
    step = 'write';
    await writeFile(join(existing, written), 'dealer-bridge looks whether it may write here\n', {
      flag: 'wx',
    });
    step = 'rename';
    await rename(join(existing, written), join(existing, renamed));
    step = 'delete';
    await rm(join(existing, renamed));
    return { ok: true, missing: existing !== folder, existing };
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code ?? String(fault);
    return { ok: false, step, code, ...(existing !== undefined && { existing }) };
  } finally {
    if (existing !== undefined) {
      for (const name of names) await rm(join(existing, name), { force: true }).catch(() => undefined);
    }
  }
}

async function nearestFolder(folder: string): Promise<string> {
  try {
    if ((await stat(folder)).isDirectory()) return folder;
    throw Object.assign(new Error(`${folder} is no folder`), { code: 'ENOTDIR' });
  } catch (fault) {
    const above = dirname(folder);
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw fault;
    return nearestFolder(above);
  }
}
