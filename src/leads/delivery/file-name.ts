import { basename } from 'node:path';
import { unfitName } from '../../files/portable-name.ts';

/** No folder, no drive, no hidden file, nothing that a file system trips over. */
export function isPlainName(name: string): boolean {
  return (
    unfitName(name) === undefined && !name.startsWith('.') && name.length <= 200 && name === basename(name)
  );
}
