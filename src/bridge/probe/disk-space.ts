import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Finding } from '../../model/finding.ts';

const MEBIBYTE = 1024 * 1024;

/** The room on the disks of the data and of the backups. */
export async function diskFindings({ data_folder: data, backup, alerts }: Config): Promise<Finding[]> {
  const folders = [
    { key: 'disk:data', name: 'the data folder', path: data },
    ...(backup.enabled ? [{ key: 'disk:backups', name: 'the backups', path: backup.folder }] : []),
  ];
  const found = await Promise.all(
    folders.map(async ({ key, name, path }): Promise<Finding[]> => {
      const free = await freeMegabytes(path);
      return free === undefined ? [] : [spaceFinding(key, name, free, alerts.disk_free_mb)];
    }),
  );
  return found.flat();
}

/** @param leastMb from where on health and alerts speak of it, too. */
export function spaceFinding(key: string, name: string, freeMb: number, leastMb: number): Finding {
  const text = `The disk of ${name} has ${Math.floor(freeMb).toLocaleString('en-US')} MB free`;
  if (freeMb >= leastMb) return { key, status: 'ok', text: `${text}.` };
  return {
    key,
    status: freeMb < leastMb / 10 ? 'fail' : 'warn',
    text: `${text}, less than ${leastMb} (alerts.disk_free_mb).`,
    remedy: 'Make room: a full disk takes no leads and no inventory files.',
  };
}

/** Of what this account may use, where the folder is or would be. */
async function freeMegabytes(folder: string): Promise<number | undefined> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  if (!exists) return dirname(folder) === folder ? undefined : freeMegabytes(dirname(folder));
  try {
    const { bavail, bsize } = await statfs(folder);
    return (bavail * bsize) / MEBIBYTE;
  } catch {
    return undefined;
  }
}
