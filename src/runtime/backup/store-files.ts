import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { writeNewFile } from './durable-files.ts';
import { decrypt, encrypt } from './encrypted-file.ts';
import type { BackupManifest, StoredFile } from './manifest.ts';

const READ_BYTES = 1024 * 1024;
const ENCRYPTED = '.enc';

/** Writes one file into the folder of a backup that is being made. */
export async function storeFile(
  file: Pick<StoredFile, 'kind' | 'path' | 'from'> & { source: string },
  backup: { id: string; folder: string; key?: Buffer | undefined },
): Promise<StoredFile> {
  const { source, kind, path, from } = file;
  const { id, folder, key } = backup;
  const plain = { bytes: 0 };
  const content = counted(readChunks(source), plain);
  const storedAs = key === undefined ? path : `${path}${ENCRYPTED}`;
  const written = await writeNewFile(
    join(folder, ...storedAs.split('/')),
    key === undefined ? content : encrypt(content, key, contextOf(id, path)),
  );
  return {
    kind,
    path,
    ...(from === undefined ? {} : { from }),
    bytes: plain.bytes,
    stored_as: storedAs,
    stored_bytes: written.bytes,
    sha256: written.sha256,
  };
}

/** Writes one file of a backup to where it can be used, decrypted where it must be. */
export async function unpackFile(
  file: StoredFile,
  backup: { manifest: BackupManifest; folder: string; key?: Buffer | undefined },
  target: string,
): Promise<void> {
  const { manifest, folder, key } = backup;
  const stored = readChunks(join(folder, ...file.stored_as.split('/')));
  const content = key === undefined ? stored : decrypt(stored, key, contextOf(manifest.id, file.path));
  await writeNewFile(target, content);
}

/** Unlike a stream of Node's, it opens the file when it is read, and whoever reads hears of a fault. */
export async function* readChunks(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r');
  try {
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

function contextOf(id: string, path: string): string {
  return `${id}/${path}`;
}

async function* counted(chunks: AsyncIterable<Buffer>, count: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    count.bytes += chunk.length;
    yield chunk;
  }
}
