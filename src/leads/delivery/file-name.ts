import { basename } from 'node:path';

/** No folder, no drive, no hidden file, nothing that a file system trips over. */
export function isPlainName(name: string): boolean {
  const forbidden = /[\\/:*?"<>|\p{Cc}]|^\./u;
  return name !== '' && name.length <= 200 && name === basename(name) && !forbidden.test(name);
}
