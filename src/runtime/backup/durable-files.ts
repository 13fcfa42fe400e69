import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Windows answers so while a virus scanner or an indexer still holds the file or a file of the folder. */
const LOCKED = new Set(['EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY']);
const WAITS_MS = [50, 200, 800, 2000];
/** So much goes to the disk at a time: one great flush at the end would make a lead's own commit wait behind it. */
const FLUSH_BYTES = 4 * 1024 * 1024;
/** For the account that runs the bridge alone: it is customer data. */
const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Renames a file or a folder, with patience for whoever has a hand on it. */
export async function renamePatiently(from: string, to: string): Promise<void> {
  for (const waitMs of [...WAITS_MS, undefined]) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (!LOCKED.has(errorCode(error)) || waitMs === undefined) throw error;
      await wait(waitMs);
    }
  }
}

/** What is gone already is no fault. */
export async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 4, retryDelay: 200 });
}

/** Writes a new file, on disk when this resolves; nothing of it stays when this rejects. `sha256` is that of the bytes written, in hex. */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<Buffer>,
): Promise<{ bytes: number; sha256: string }> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const hash = createHash('sha256');
  const handle = await open(path, 'wx', PRIVATE_FILE);
  let bytes = 0;
  let unflushed = 0;
  try {
    for await (const chunk of chunks) {
      await handle.writeFile(chunk);
      hash.update(chunk);
      bytes += chunk.length;
      unflushed += chunk.length;
      if (unflushed >= FLUSH_BYTES) {
        await handle.datasync();
        unflushed = 0;
      }
    }
    await handle.sync();
    await handle.close();
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Replaces a small file at once or not at all. */
export async function replaceText(path: string, text: string): Promise<void> {
  const unfinished = `${path}.part`;
  await rm(unfinished, { force: true });
  await writeNewFile(unfinished, oneChunk(text));
  await renamePatiently(unfinished, path);
  await syncFolder(dirname(path));
}

/** Puts the names in a folder on disk, too. Windows cannot, and need not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network drives know no such thing.
    if (!['EINVAL', 'ENOTSUP', 'EIO'].includes(errorCode(error))) throw error;
  } finally {
    await handle.close();
  }
}

/** Node's code of a failed system call, such as `ENOENT`; empty when it was something else. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A text as `writeNewFile` takes it. */
export async function* oneChunk(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}
