import { statfs, stat } from 'node:fs/promises';
import { OperatorFault } from '../../model/operator-fault.ts';

/** Left free for the leads that come in meanwhile. */
const RESERVE_BYTES = 200 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** Throws an OperatorFault when the disk of the folder has not so much room beside a reserve for the bridge itself. */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const free = await freeBytes(folder);
  if (free === undefined || free >= bytes + RESERVE_BYTES) return;
  throw new OperatorFault(
    `The disk of ${folder} has ${megabytes(free)} MB free; the backup needs ${megabytes(bytes)} MB and leaves ` +
      `${megabytes(RESERVE_BYTES)} MB for the bridge. Make room, or set backup.folder to another disk.`,
  );
}

/** 0 for a file that is not there. */
export async function fileBytes(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Undefined where the file system does not tell. */
async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

function megabytes(bytes: number): string {
  return Math.ceil(bytes / MEGABYTE).toLocaleString('en-US');
}
