import type { Command } from 'commander';
import { formatInstant } from '../model/clock.ts';
import { isGood, listBackups, takenAt, type FoundBackup } from '../runtime/backup/backup-folder.ts';
import { bytesOf, megabytes } from './backup-text.ts';
import { type ConfigOptions, loadConfigOrExit, withConfigOptions } from './config-options.ts';
import { textTable, type Column } from './text-table.ts';

type ListOptions = ConfigOptions & { json?: boolean };

const COLUMNS: readonly Column[] = [
  { title: 'name', whole: true },
  { title: 'taken' },
  { title: 'why' },
  { title: 'leads', align: 'right' },
  { title: 'size', align: 'right' },
  { title: 'state' },
];

export function addBackupListCommand(backup: Command): void {
  withConfigOptions(backup.command('list'))
    .summary('list the backups')
    .description('Lists the backups, newest first, and those at the second place (backup.copy_to).')
    .option('--json', 'as JSON, for programs')
    .action(async (options: ListOptions) => {
      const { backup: settings } = await loadConfigOrExit(options);
      const places = [settings.folder, ...(settings.copy_to === undefined ? [] : [settings.copy_to])];
      for (const place of places) print(place, await listBackups(place), options.json === true);
    });
}

function print(place: string, found: readonly FoundBackup[], isJson: boolean): void {
  if (isJson) {
    for (const { manifest, folder } of found) {
      const { files, ...rest } = manifest;
      console.log(JSON.stringify({ folder, ...rest, bytes: bytesOf({ ...rest, files }) }));
    }
    return;
  }
  if (found.length === 0) console.log(`There is no backup in ${place}.`);
  else console.log(`${place}\n${textTable(COLUMNS, found.map(row))}`);
}

function row(backup: FoundBackup): string[] {
  const { manifest, name } = backup;
  const leads = manifest.databases.find((database) => database.name === 'leads.db')?.tables.leads;
  const state = isGood(backup) ? 'good' : 'FAULTY';
  return [
    name,
    formatInstant(takenAt(backup)),
    manifest.reason,
    leads === undefined ? '' : String(leads),
    megabytes(bytesOf(manifest)),
    manifest.encrypted ? `${state}, encrypted` : state,
  ];
}
