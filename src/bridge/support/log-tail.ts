import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { logFilesAmong } from '../../runtime/log-file-names.ts';

const MAX_BYTES = 2 * 1024 * 1024;

/** The last two megabytes of the log, in whole lines, the oldest first; empty when there is none. */
export async function logTail(dataFolder: string, maxBytes = MAX_BYTES): Promise<string> {
  const folder = join(dataFolder, 'logs');
  const names = logFilesAmong(await readdir(folder).catch(() => []));
  const parts: string[] = [];
  let left = maxBytes;
  for (const name of names.reverse()) {
    const part = await endOf(join(folder, name), left);
    parts.unshift(part);
    left -= Buffer.byteLength(part);
    if (left <= 0) break;
  }
  return parts.join('');
}

async function endOf(file: string, maxBytes: number): Promise<string> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, maxBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString('utf8', 0, bytesRead);
    // Half a line is none.
    return length < size ? text.slice(text.indexOf('\n') + 1) : text;
  } finally {
    await handle.close();
  }
}
