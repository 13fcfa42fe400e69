import { constants } from 'node:fs';
import { copyFile, lstat, open, rename, rm, utimes } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** Windows answers so while a virus scanner or an uploader still holds the file. */
const LOCKED = new Set(['EBUSY', 'EPERM', 'EACCES']);
const WAITS_MS = [50, 200, 800];

/** Renames, or copies where the target lies on another disk. The time of the last change stays with the file. */
export async function moveFile(from: string, to: string): Promise<void> {
  for (const waitMs of [...WAITS_MS, undefined]) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EXDEV') return moveToOtherDisk(from, to);
      if (!LOCKED.has(code) || waitMs === undefined) throw error;
      await wait(waitMs);
    }
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
    await rename(unfinished, to);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Text, or text in pieces, under its name at once or not at all. */
export async function writeWhole(path: string, text: string | AsyncIterable<string>): Promise<void> {
  const unfinished = `${path}.part`;
  const handle = await open(unfinished, 'w');
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, path);
}

/** Node's code of a failed system call, such as `ENOENT`; empty when it was something else. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

async function moveToOtherDisk(from: string, to: string): Promise<void> {
  await copyWhole(from, to);
  await rm(from);
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
