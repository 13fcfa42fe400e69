import { constants } from 'node:fs';
import { copyFile, lstat, open, utimes } from 'node:fs/promises';
import { errorCode } from '../../files/patience.ts';
import { disk } from '../../files/patient-files.ts';

/** Renames, or copies where the target lies on another disk. The time of the last change stays with the file. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await disk.rename(from, to);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    await copyWhole(from, to);
    await disk.remove(from);
  }
}

/** The copy is whole and on disk before it carries its name, whenever the power goes. */
export async function copyWhole(from: string, to: string): Promise<void> {
  const stat = await lstat(from);
  if (!stat.isFile()) throw new Error(`${from} is no regular file`);
  const unfinished = `${to}.part`;
  try {
    await copyFile(from, unfinished, constants.COPYFILE_FICLONE);
    await utimes(unfinished, stat.atime, stat.mtime);
    await flush(unfinished);
    await disk.rename(unfinished, to);
  } catch (error) {
    await disk.remove(unfinished);
    throw error;
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
