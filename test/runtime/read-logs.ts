import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of all log files of a data folder, the oldest first. */
export function readLogs(dataFolder: string): string {
  const folder = join(dataFolder, 'logs');
  const names = readdirSync(folder).sort();
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
}
