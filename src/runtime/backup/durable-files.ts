import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../files/patience.ts';
import { disk } from '../../files/patient-files.ts';

/** So much goes to the disk at a time: one great flush at the end would make a lead's own commit wait behind it. */
const FLUSH_BYTES = 4 * 1024 * 1024;
/** For the account that runs the bridge alone: it is customer data. */
const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

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
    await disk.remove(path);
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Replaces a small file at once or not at all. */
export async function replaceText(path: string, text: string): Promise<void> {
  const unfinished = `${path}.part`;
  await disk.remove(unfinished);
  await writeNewFile(unfinished, oneChunk(text));
  await disk.rename(unfinished, path);
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

/** A text as `writeNewFile` takes it. */
export async function* oneChunk(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}
