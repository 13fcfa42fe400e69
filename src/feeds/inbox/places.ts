import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { RunStatus } from '../../model/intake.ts';

/** Where the files of one feed lie from the moment they are claimed. All inside the data folder, so on one disk. */
export interface Places {
  /** Claimed and not finished: whatever is found here at start is taken in again. */
  work: string;
  /** Copies of files taken in by hand; of no worth after a crash, since the original stays where it was. */
  byHand: string;
  done: string;
  failed: string;
  held: string;
}

export function placesOf(dataFolder: string, feedId: string): Places {
  const work = path.join(dataFolder, 'work', feedId);
  return {
    work,
    byHand: path.join(work, 'by-hand'),
    done: path.join(dataFolder, 'done', feedId),
    failed: path.join(dataFolder, 'failed', feedId),
    held: path.join(dataFolder, 'held', feedId),
  };
}

export function placeFor(status: RunStatus, places: Places): string {
  if (status === 'held') return places.held;
  return status === 'failed' ? places.failed : places.done;
}

/** A path in the folder that nothing has yet: `name`, else `name` with a number before its ending. */
export async function freePath(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { name: stem, ext } = path.parse(name);
  for (let count = 1; ; count += 1) {
    const candidate = path.join(folder, count === 1 ? name : `${stem}-${count}${ext}`);
    if (!(await exists(candidate))) return candidate;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch {
    return false;
  }
}
