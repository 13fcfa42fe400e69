import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { FeedConfig } from '../../config/config.ts';
import { safeFileName, stampedName, unstampedName } from './file-name.ts';
import { errorCode } from '../../files/patience.ts';
import { disk, writeWhole } from '../../files/patient-files.ts';
import { copyWhole, moveFile } from './move-file.ts';
import { freePath, type Places } from './places.ts';

const STALE_COPY_MS = 24 * 3600 * 1000;

/** A file that is ours alone: no uploader and no second look at the inbox finds it under its old name. */
export interface ClaimedFile {
  path: string;
  /** As the dealer named it, made safe to print. */
  name: string;
  /** Where it goes back to when it turns out to be unfinished. */
  origin: string;
}

/**
 * Takes a file out of the inbox by renaming it into the work folder. Undefined when it is gone or still held by
 * its uploader (Windows): then the next look decides again.
 */
export async function claim(
  file: string,
  feed: FeedConfig,
  places: Places,
  now: number,
): Promise<ClaimedFile | undefined> {
  const name = path.basename(file);
  const target = await freePath(places.work, stampedName(name, now));
  try {
    await moveFile(file, target);
  } catch (error) {
    if (['ENOENT', 'EBUSY', 'EPERM', 'EACCES'].includes(errorCode(error))) return undefined;
    throw error;
  }
  if (feed.done_marker !== undefined) await disk.remove(`${file}${feed.done_marker}`);
  return { path: target, name: safeFileName(name), origin: file };
}

/** For a file taken in by hand: works on a copy, the original stays where it is. */
export async function claimCopy(file: string, places: Places, now: number): Promise<ClaimedFile> {
  const name = path.basename(file);
  const target = await freePath(places.byHand, stampedName(name, now));
  await sweep(places.byHand, now);
  await copyWhole(file, target);
  return { path: target, name: safeFileName(name), origin: file };
}

/** A file found in the work folder, left there by a bridge that was stopped in the middle of it. */
export function claimLeftover(file: string, feed: FeedConfig): ClaimedFile {
  const name = unstampedName(path.basename(file));
  return { path: file, name, origin: path.join(feed.folder, name) };
}

/** Puts a file that its uploader is still writing back, unless a newer one has taken its name meanwhile. */
export async function giveBack(claimed: ClaimedFile, feed: FeedConfig): Promise<boolean> {
  if (await exists(claimed.origin)) return false;
  await moveFile(claimed.path, claimed.origin);
  if (feed.done_marker !== undefined) await writeWhole(`${claimed.origin}${feed.done_marker}`, '');
  return true;
}

/** Copies left by a command that was killed; their originals are still where they were. */
async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const copy = path.join(folder, name);
    const { ctimeMs } = await lstat(copy);
    if (now - ctimeMs > STALE_COPY_MS) await disk.removeTree(copy);
  }
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
