import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { disk } from '../../files/patient-files.ts';
import { copyDatabase } from '../backup/copy-database.ts';
import { PRIVATE_FOLDER } from '../backup/durable-files.ts';
import { fileBytes, requireSpace } from '../backup/free-space.ts';

const DATABASES = ['leads.db', 'inventory.db'];
/** What else of a data folder the settings build on. */
const FOLDERS = ['adapters'];

/**
 * Copies of what a new version is to show on that it can take it over, in a folder of its own inside the data folder:
 * that is the same disk, readable by the same accounts. The bridge may be at work meanwhile.
 */
export async function copyForTrial(dataFolder: string): Promise<string> {
  const folder = trialFolder(dataFolder);
  await disk.removeTree(folder);
  const present = DATABASES.filter((name) => existsSync(join(dataFolder, name)));
  const sizes = await Promise.all(present.map((name) => fileBytes(join(dataFolder, name))));
  // A migration may build a table anew, which needs its room once more.
  await requireSpace(dataFolder, 2 * sizes.reduce((sum, size) => sum + size, 0));
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  for (const name of present) await copyDatabase(join(dataFolder, name), join(folder, name));
  for (const name of FOLDERS.filter((one) => existsSync(join(dataFolder, one)))) {
    await cp(join(dataFolder, name), join(folder, name), { recursive: true });
  }
  return folder;
}

export async function dropTrialCopy(dataFolder: string): Promise<void> {
  await disk.removeTree(trialFolder(dataFolder));
}

function trialFolder(dataFolder: string): string {
  return join(dataFolder, 'upgrade-trial');
}
