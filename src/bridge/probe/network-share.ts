import { realpath as realpathOfSystem } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What Linux calls file systems that lie on another machine, or on the host of this one. */
const NETWORK_TYPES =
  /^(?:nfs\d?|cifs|smb\d?|smbfs|9p|ceph|afs|glusterfs|fuse\.(?:sshfs|rclone|glusterfs|smb.*|davfs.*))$/;

export type Place =
  | { kind: 'local' }
  | { kind: 'share' }
  /** A letter that Windows knows in the session of one person; services have others. */
  | { kind: 'mapped-drive'; share: string };

/** Whether a folder that exists lies on this machine. What the system does not tell counts as local. */
export async function placeOf(folder: string): Promise<Place> {
  if (process.platform === 'win32') {
    // The system resolves the letter of a mapped drive to the share behind it.
    const resolved = await promisify(realpathOfSystem.native)(folder).catch(() => folder);
    return windowsPlace(folder, resolved);
  }
  try {
    return linuxPlace(await realpath(folder), await readFile('/proc/self/mountinfo', 'utf8'));
  } catch {
    return { kind: 'local' };
  }
}

/** @param mounts as in /proc/self/mountinfo (proc(5)). */
export function linuxPlace(folder: string, mounts: string): Place {
  let longest = '';
  let type = '';
  for (const line of mounts.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const written = before.split(' ')[4] ?? '';
    const point = written.replaceAll(/\\(\d{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const isAbove = point === '/' || folder === point || folder.startsWith(`${point}/`);
    // The last of two on one place hides the other.
    if (point === '' || !isAbove || point.length < longest.length) continue;
    longest = point;
    type = after.split(' ')[0] ?? '';
  }
  return NETWORK_TYPES.test(type) ? { kind: 'share' } : { kind: 'local' };
}

/** @param resolved the same folder as the system itself names it. */
export function windowsPlace(folder: string, resolved: string): Place {
  const isShare = (path: string): boolean =>
    /^[\\/]{2}(?![?.][\\/])/.test(path) || /^\\\\\?\\UNC\\/i.test(path);
  if (isShare(folder)) return { kind: 'share' };
  return isShare(resolved) ? { kind: 'mapped-drive', share: resolved } : { kind: 'local' };
}
