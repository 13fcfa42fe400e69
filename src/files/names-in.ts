import { readdir } from 'node:fs/promises';
import { errorCode } from './patience.ts';

/** What lies in a folder, by name; nothing in one that is not there. Rejects when it may not be looked into. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
