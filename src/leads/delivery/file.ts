import { mkdir, open, readFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { AttemptOutcome, FileDelivery } from '../../adapters/crm-adapter.ts';
import { nameKey } from '../../files/portable-name.ts';
import { disk } from '../../files/patient-files.ts';
import { faultText } from '../fault-text.ts';
import { isPlainName } from './file-name.ts';

type FileOutcome = Extract<AttemptOutcome, { kind: 'file' }>;

/** Hidden files being written at this moment: two destinations may have been given the same folder and name. */
const underWay = new Set<string>();

/**
 * Puts the lead into a pick-up folder: under a hidden name first, then renamed, so that whoever watches the folder
 * never sees half a lead. On disk when it answers `yes`. A name that is already there gets the content anew.
 */
export async function deliverFile(delivery: FileDelivery, dataFolder: string): Promise<FileOutcome> {
  const folder = resolveFolder(delivery.folder, dataFolder);
  if (folder === undefined) return refused(`the folder ${delivery.folder} leads out of the data folder`);
  if (!isPlainName(delivery.name)) return refused('the adapter gave a file name that is not a plain name');
  const path = join(folder, delivery.name);
  // The same name on every attempt: what a crash left half written is written over, not left behind.
  const hidden = join(folder, `.${delivery.name}.tmp`);
  const key = nameKey(hidden);
  if (underWay.has(key)) return refused('another delivery is writing this very file');
  underWay.add(key);
  try {
    await mkdir(folder, { recursive: true });
    if (await holds(path, delivery.content)) return { kind: 'file', sent: 'yes', path };
    await writeDurably(hidden, delivery.content);
    await disk.rename(hidden, path);
    await syncFolder(folder);
    return { kind: 'file', sent: 'yes', path };
  } catch (fault) {
    await disk.remove(hidden).catch(() => undefined);
    return refused(faultText(fault));
  } finally {
    underWay.delete(key);
  }
}

/** An absolute folder stands as it is; a relative one must stay inside the data folder. */
function resolveFolder(folder: string, dataFolder: string): string | undefined {
  if (isAbsolute(folder)) return folder;
  const absolute = resolve(dataFolder, folder);
  const way = relative(dataFolder, absolute);
  return way === '..' || /^\.\.[\\/]/.test(way) || isAbsolute(way) ? undefined : absolute;
}

async function holds(path: string, content: string): Promise<boolean> {
  try {
    return (await readFile(path, 'utf8')) === content;
  } catch {
    return false;
  }
}

async function writeDurably(path: string, content: string): Promise<void> {
  const file = await open(path, 'w', 0o640);
  try {
    await file.writeFile(content, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the new name itself survive a power cut. Windows knows no such call and refuses to open a folder. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function refused(error: string): FileOutcome {
  return { kind: 'file', sent: 'no', error };
}
