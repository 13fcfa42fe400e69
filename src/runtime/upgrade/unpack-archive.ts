import { mkdir, open } from 'node:fs/promises';
import { extract } from 'tar';
import { disk } from '../../files/patient-files.ts';
import { ArchiveEntries, refuse } from './archive-entries.ts';
import { unpackZip } from './unpack-zip.ts';

/** Unpacks an archive of either form into a new folder, and answers the version whose folder lies in it then. */
export async function unpackArchive(archive: string, folder: string): Promise<string> {
  await disk.removeTree(folder);
  const entries = new ArchiveEntries();
  const begin = await firstBytes(archive);
  if (begin.startsWith('1f8b')) await unpackTar(archive, folder, entries);
  else if (begin.startsWith('504b0304')) await unpackZip(archive, folder, entries);
  else refuse('it is neither a .tar.gz nor a .zip');
  return entries.requireVersion();
}

async function unpackTar(archive: string, folder: string, entries: ArchiveEntries): Promise<void> {
  await mkdir(folder);
  let fault: Error | undefined;
  await extract({
    file: archive,
    cwd: folder,
    strict: true,
    // The names that this account gives them, whoever packed them; and no set-user-id bits.
    preserveOwner: false,
    preservePaths: false,
    filter: (path, entry) => {
      // What a filter throws is lost inside of the parser.
      if (fault !== undefined) return false;
      try {
        if ('type' in entry && entry.type !== 'File') refuse(`${path} is no plain file`);
        const accepted = entries.take(path, entry.size);
        if (accepted === undefined) return false;
        if ('type' in entry) entry.mode = accepted.mode;
        return true;
      } catch (error) {
        fault = error instanceof Error ? error : new Error(String(error));
        return false;
      }
    },
    strip: 2,
  });
  if (fault !== undefined) throw fault;
}

async function firstBytes(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('hex', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
