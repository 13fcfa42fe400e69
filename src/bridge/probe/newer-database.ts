import type { Config } from '../../config/config.ts';
import { isGood, listBackups, type FoundBackup } from '../../runtime/backup/backup-folder.ts';

/**
 * What to do about a database that a newer program has written: that program first, as it keeps every lead; else the
 * newest good backup that this program can read, which is not the newest one when the newer program has made some.
 */
export async function wayBackFrom(
  { name, readable }: { name: string; readable: number },
  { folder, copy_to: second }: Config['backup'],
): Promise<string> {
  const places = [folder, ...(second === undefined ? [] : [second])];
  const found = (await Promise.all(places.map((place) => listBackups(place).catch(() => [])))).flat();
  const formIn = ({ manifest }: FoundBackup): number | undefined =>
    manifest.databases.find((database) => database.name === name)?.form;
  const writer = found.find((backup) => (formIn(backup) ?? 0) > readable)?.manifest.program_version;
  const before = found
    .filter(isGood)
    .filter((backup) => (formIn(backup) ?? Infinity) <= readable)
    .sort((one, other) => Date.parse(other.manifest.taken_at) - Date.parse(one.manifest.taken_at))[0];
  const install = `Install the program that wrote it${writer === undefined ? '' : `, ${writer},`} again`;
  if (before === undefined) return `${install}; there is no good backup from before its start.`;
  const { name: backup, manifest } = before;
  return (
    `${install}, or go back to the newest backup that this program reads, of ${manifest.taken_at} ` +
    `(program ${manifest.program_version}): dealer-bridge backup restore ${backup}. Leads that came since are not in it.`
  );
}
