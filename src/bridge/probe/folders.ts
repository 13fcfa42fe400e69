import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { placesOf } from '../../feeds/inbox/places.ts';
import type { Finding } from '../../model/finding.ts';
import { placeOf } from './network-share.ts';
import { tryFolder, type TriedFolder } from './try-folder.ts';
import { within } from './within.ts';

interface UsedFolder {
  key: string;
  path: string;
  /** For a person, as the subject of a sentence. */
  name: string;
  /** Where the path is written. */
  setting: string;
  /** `disk`: databases lie in it, which no network share keeps safe. */
  needs: 'disk' | 'anything';
  /** What the bridge can do without for a while. */
  isSecond?: true;
}

/** Every folder that the bridge reads from and writes to, tried with the account of this process. */
export async function folderFindings(config: Config): Promise<Finding[]> {
  const found = await Promise.all([
    ...usedFolders(config).map((folder) =>
      within(folder.key, `${folder.name} ${folder.path}`, () => look(folder, config.data_folder)),
    ),
    within('folder:work', 'The folders of the files taken in', () => workFolders(config)),
  ]);
  return found.flat();
}

function usedFolders(config: Config): UsedFolder[] {
  const { data_folder: data, feeds, backup, leads } = config;
  return [
    { key: 'folder:data', path: data, name: 'The data folder', setting: '--data', needs: 'disk' },
    {
      key: 'folder:logs',
      path: join(data, 'logs'),
      name: 'The log folder',
      setting: '--data',
      needs: 'anything',
    },
    ...feeds.map(({ id, folder }): UsedFolder => ({
      key: `folder:inbox:${id}`,
      path: folder,
      name: `The inbox of feed ${id}`,
      setting: 'folder of the feed',
      needs: 'anything',
    })),
    ...leads.destinations.flatMap(({ id, crm, options }): UsedFolder[] => {
      const place = crm.place?.(options);
      if (place === undefined || !('folder' in place)) return [];
      const path = resolve(data, place.folder);
      const name = `The folder of destination ${id}`;
      return [{ key: `folder:destination:${id}`, path, name, setting: 'options.folder', needs: 'anything' }];
    }),
    ...(backup.enabled ? backupFolders(backup) : []),
  ];
}

function backupFolders({ folder, copy_to: copy }: Config['backup']): UsedFolder[] {
  const first = { key: 'folder:backups', path: folder, name: 'The backup folder', setting: 'backup.folder' };
  const second = {
    key: 'folder:backup-copy',
    name: 'The second place of backups',
    setting: 'backup.copy_to',
  };
  return [
    { ...first, needs: 'anything' },
    ...(copy === undefined
      ? []
      : [{ ...second, path: copy, needs: 'anything', isSecond: true } satisfies UsedFolder]),
  ];
}

async function look(folder: UsedFolder, data: string): Promise<Finding[]> {
  const { key, name, path, needs } = folder;
  const tried = await tryFolder(path);
  if (!tried.ok) return [refusal(folder, tried)];
  if (folder.isSecond === true && tried.missing) return [missingSecond(folder)];
  const place = await placeOf(tried.existing);
  if (place.kind === 'mapped-drive') {
    const text = `${name} ${path} is on a mapped drive, which a service does not see.`;
    return [{ key, status: 'fail', text, remedy: `Write ${place.share} in its place (${folder.setting}).` }];
  }
  if (place.kind === 'share' && needs === 'disk') {
    const text = `${name} ${path} is on a network share, where databases get damaged.`;
    return [{ key, status: 'fail', text, remedy: 'Put it on a disk of this machine (--data).' }];
  }
  if (folder.isSecond === true && (await areOnOneDisk(path, data))) {
    const text = `${name} ${path} is on the disk of the data folder, and would be lost with it.`;
    return [{ key, status: 'warn', text, remedy: 'Name a folder on another disk or machine, or mount it.' }];
  }
  const where = place.kind === 'share' ? ', on a network share' : '';
  const made = tried.missing ? ', and will be made' : '';
  return [{ key, status: 'ok', text: `${name} ${path} can be read and written${where}${made}.` }];
}

/** Also where the second place is an empty folder whose disk is not mounted. The data folder may not be there yet. */
async function areOnOneDisk(path: string, data: string): Promise<boolean> {
  const [device, other] = await Promise.all([deviceOf(path), deviceOf(data)]);
  return device !== undefined && device === other;
}

async function deviceOf(folder: string): Promise<number | undefined> {
  try {
    return (await stat(folder)).dev;
  } catch {
    return dirname(folder) === folder ? undefined : deviceOf(dirname(folder));
  }
}

/** A folder that the bridge must not make: it would hide that the disk or share of that name is not there. */
function missingSecond({ key, name, path }: UsedFolder): Finding {
  return {
    key,
    status: 'warn',
    text: `${name} ${path} is not there, so no backup is copied.`,
    remedy: 'Mount the share or disk that it lies on, or make the folder by hand: the bridge never makes it.',
  };
}

type RefusedFolder = Extract<TriedFolder, { ok: false }>;

const STEPS = {
  find: 'cannot be reached',
  read: 'cannot be read',
  write: 'cannot be written to',
  rename: 'lets no file be renamed',
  delete: 'lets no file be taken away',
} as const;

function refusal(folder: UsedFolder, { step, code, existing = folder.path }: RefusedFolder): Finding {
  const { key, name, path, setting, isSecond } = folder;
  const what = existing === path ? STEPS[step] : `is not there and cannot be made in ${existing}`;
  return {
    key,
    status: isSecond === true ? 'warn' : 'fail',
    text: `${name} ${path} ${what} (${code}).`,
    remedy:
      REMEDIES[code] ??
      `Give the account of the service the right to do so, or name another folder (${setting}).`,
  };
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'Make room on the disk.',
  EROFS: 'The disk is mounted for reading only; under systemd name the folder in ReadWritePaths.',
  ENOTDIR: 'A file stands where the folder should be: move it away, or name another folder.',
  EHOSTDOWN: 'The machine with the share does not answer: start it, or connect the share again.',
  ESTALE: 'The share was taken away and not connected again: connect it.',
};

/** What was once started by another account, such as the administrator's, leaves folders that the service cannot use. */
async function workFolders({ data_folder: data, feeds }: Config): Promise<Finding[]> {
  const paths = feeds.flatMap(({ id }) => {
    const { work, done, failed, held } = placesOf(data, id);
    return [work, done, failed, held];
  });
  const key = 'folder:work';
  const refused: Finding[] = [];
  for (const path of paths) {
    const tried = await tryFolder(path);
    // What the data folder itself lacks has been told already.
    if (tried.ok || tried.existing === data) continue;
    const name = 'The folder';
    refused.push(refusal({ key, path, name, setting: '--data', needs: 'anything' }, tried));
  }
  if (refused.length > 0) return refused;
  return [{ key, status: 'ok', text: 'Files that were taken in can be put away.' }];
}
