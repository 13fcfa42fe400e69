import { join } from 'node:path';
import type { BackupManifest } from '../runtime/backup/manifest.ts';

/** What a backup holds, for a person. */
export function describeBackup(manifest: BackupManifest, folder: string): string {
  const { name, files, left_out: leftOut, databases, encrypted } = manifest;
  const held = [
    ...databases.map((database) => `${database.name} (${describeRows(database.tables)})`),
    ...['settings', 'secret', 'adapter'].flatMap((kind) => {
      const number = files.filter((file) => file.kind === kind).length;
      const noun = kind === 'settings' ? 'file of settings' : `${kind} file`;
      return number === 0 ? [] : [`${number} ${number === 1 ? noun : plural(noun)}`];
    }),
  ];
  return [
    `Backup ${name} is made and verified${encrypted ? ', encrypted' : ''}: ${join(folder, name)}, ${megabytes(bytesOf(manifest))}.`,
    `It holds ${held.join(', ')}.`,
    ...leftOut.map((left) => `Not in it: ${left}.`),
  ].join('\n');
}

export function bytesOf({ files }: BackupManifest): number {
  return files.reduce((sum, { stored_bytes: bytes }) => sum + bytes, 0);
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

/** The tables that a person knows. */
function describeRows(tables: Record<string, number>): string {
  const [noun, rows] = tables.leads === undefined ? ['vehicle', tables.vehicle ?? 0] : ['lead', tables.leads];
  return `${rows} ${rows === 1 ? noun : `${noun}s`}`;
}

function plural(noun: string): string {
  return noun.replace('file', 'files');
}
