import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import yauzl, { type Entry, type ZipFile } from 'yauzl';

export interface ZipEntry {
  /** Empty for those that were not asked for. */
  bytes: Buffer;
}

/** All entries by their path below the one folder of the archive; the bytes of those that are wanted. */
export async function readZip(file: string, wanted: readonly string[]): Promise<Map<string, ZipEntry>> {
  const open = promisify<string, yauzl.Options, ZipFile>(yauzl.open);
  const zip = await open(file, { lazyEntries: true });
  const entries = new Map<string, ZipEntry>();
  await new Promise<void>((resolve, reject) => {
    const take = async (entry: Entry): Promise<void> => {
      const path = entry.fileName.slice(entry.fileName.indexOf('/') + 1);
      const bytes = wanted.includes(path) ? await bytesOf(zip, entry) : Buffer.alloc(0);
      entries.set(path, { bytes });
      zip.readEntry();
    };
    zip.on('entry', (entry: Entry) => void take(entry).catch(reject));
    zip.on('end', resolve).on('error', reject);
    zip.readEntry();
  });
  return entries;
}

async function bytesOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const openReadStream = promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip));
  return buffer(await openReadStream(entry));
}
