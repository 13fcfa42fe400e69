import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import yauzl, { type Entry, type Options, type ZipFile } from 'yauzl';
import { type ArchiveEntries, refuse } from './archive-entries.ts';

const FILE_TYPE_BITS = 0o170000;
const PLAIN_FILE = 0o100000;

/** Entry by entry; yauzl sees to it that none is longer than it says. */
export async function unpackZip(archive: string, folder: string, entries: ArchiveEntries): Promise<void> {
  const zip = await promisify<string, Options, ZipFile>(yauzl.open)(archive, { lazyEntries: true });
  try {
    await new Promise<void>((resolve, reject) => {
      zip.on('entry', (entry: Entry) => {
        unpackEntry(zip, entry, { folder, entries }).then(() => zip.readEntry(), reject);
      });
      zip.on('end', resolve).on('error', reject);
      zip.readEntry();
    });
  } finally {
    zip.close();
  }
}

async function unpackEntry(
  zip: ZipFile,
  entry: Entry,
  { folder, entries }: { folder: string; entries: ArchiveEntries },
): Promise<void> {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE_BITS;
  if (type !== 0 && type !== PLAIN_FILE) refuse(`${entry.fileName} is no plain file`);
  const accepted = entries.take(entry.fileName, entry.uncompressedSize);
  if (accepted === undefined) return;
  const target = join(folder, ...accepted.path.split('/'));
  await mkdir(dirname(target), { recursive: true });
  const openStream = promisify<Entry, Readable>(zip.openReadStream.bind(zip));
  await pipeline(await openStream(entry), createWriteStream(target, { flags: 'wx', mode: accepted.mode }));
}
