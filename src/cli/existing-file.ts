import { existsSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';

/** For commander: the path of a file that is there; a mistyped name is told before anything else is tried. */
export function parseExistingFile(path: string): string {
  if (existsSync(path)) return path;
  throw new InvalidArgumentError('There is no such file.');
}
