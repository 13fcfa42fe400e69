import { createHash } from 'node:crypto';
import { posix } from 'node:path';

/**
 * The name by which systemd hands the content of a file to the service ($CREDENTIALS_DIRECTORY): of the file's own name
 * and a hash of its absolute path, so that files of one name in two folders stay apart.
 */
export function credentialName(file: string): string {
  const name = posix
    .basename(file)
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .slice(0, 60);
  return `${name}-${createHash('sha256').update(file).digest('hex').slice(0, 12)}`;
}
