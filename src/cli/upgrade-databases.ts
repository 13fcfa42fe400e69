import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BACKUP_CHECKS } from '../bridge/backup-checks.ts';
import { FORMS, formOf } from '../bridge/backup-before-migration.ts';
import type { Config } from '../config/config.ts';
import { adoptLaterLeads } from '../leads/store-adopt-later.ts';
import { laterLeads } from '../leads/store-later.ts';
import { settleRestoredLeads } from '../leads/store-restore.ts';
import { OperatorFault } from '../model/operator-fault.ts';
import { type FoundBackup, isGood, listBackups, takenAt } from '../runtime/backup/backup-folder.ts';
import { dropStaged, putInPlace, stageRestore, undoUnfinishedRestore } from '../runtime/backup/restore.ts';
import { verifyBackup } from '../runtime/backup/verify-backup.ts';
import { keyFor } from './chosen-backup.ts';

type DatabaseName = keyof typeof FORMS;

/** What belongs to inventory.db, and what its sources fetched: older now, so that it is fetched again. */
const INVENTORY_FILES = ['inventory.db', 'inventory.db-wal', 'inventory.db-shm', 'sources'];

/**
 * Brings databases that a newer version has written back to a form that this one reads: from the newest backup before
 * the change. What stands in the data folder moves aside and is never deleted. No lead is lost: those that came since are
 * taken over with what became of them. Where the newer form does not allow that, nothing is changed and it is told; with
 * `mayLeaveLeads` they stay in the database that was moved aside, and it is told where. Databases that this version reads
 * stay as they are, with everything in them.
 */
export async function bringDatabasesBack(
  config: Config,
  tell: (text: string) => void,
  { mayLeaveLeads }: { mayLeaveLeads: boolean },
): Promise<void> {
  const dataFolder = config.data_folder;
  await undoUnfinishedRestore(dataFolder);
  const newer = (Object.keys(FORMS) as DatabaseName[]).filter(
    (name) => (formOf(join(dataFolder, name)) ?? 0) > FORMS[name],
  );
  try {
    for (const name of newer) {
      if (name === 'leads.db') await bringLeadsBack(config, tell, mayLeaveLeads);
      else await bringInventoryBack(config, tell);
    }
  } finally {
    await dropStaged(dataFolder);
  }
}

async function bringLeadsBack(
  config: Config,
  tell: (text: string) => void,
  mayLeaveLeads: boolean,
): Promise<void> {
  const dataFolder = config.data_folder;
  const present = join(dataFolder, 'leads.db');
  const found = await backupFor('leads.db', config);
  if (found === undefined) {
    throw new OperatorFault(
      'A newer version has changed the form of leads.db, and there is no good backup from before that. Stay with ' +
        'the newer version. Nothing was changed.',
    );
  }
  const { backup, key } = found;
  const stage = (): ReturnType<typeof stageRestore> =>
    stageRestore(backup, BACKUP_CHECKS, { dataFolder, key, only: 'leads' });
  let staged = await stage();
  const copy = join(staged.folder, 'leads.db');
  const adoption = await adoptLaterLeads(copy, present);
  if (!adoption.ok) staged = await stage();
  const left = adoption.ok ? [] : (laterLeads(present, copy)?.missing ?? []);
  if (!adoption.ok && !mayLeaveLeads) {
    throw new OperatorFault(
      `${left.length} leads have come since the backup ${backup.name}, and they cannot be taken over: ` +
        `${adoption.reason}. Stay with the newer version, or add --leave-leads: they stay in a database of their ` +
        'own then, which the newer version reads. Nothing was changed.',
    );
  }
  const now = Date.now();
  const report = await settleRestoredLeads(copy, {
    present,
    takenAt: takenAt(backup),
    now,
    mayRetry: (id) =>
      config.leads.destinations.find((destination) => destination.id === id)?.on_uncertain === 'retry',
  });
  const aside = await putInPlace(staged, { dataFolder, alsoAside: [], now });
  tell(
    `leads.db is from the backup ${backup.name} again; what the newer version had written lies in ${aside}.` +
      (adoption.ok ? ` ${leadCount(adoption.leads)} since then taken over, with what became of them.` : ''),
  );
  if (!adoption.ok) {
    tell(
      `NOT taken over: ${leadCount(left.length)} since then, as ${adoption.reason}. They lie in ${join(aside, 'leads.db')}: ` +
        `${left.map(({ lead_id: id }) => id).join(', ')}. The newer version shows them: leads list --data ${aside}`,
    );
  }
  if (report.held > 0) tell(`${report.held} deliveries wait for a person: "leads list --state uncertain".`);
}

async function bringInventoryBack(config: Config, tell: (text: string) => void): Promise<void> {
  const dataFolder = config.data_folder;
  const found = await backupFor('inventory.db', config);
  const staged =
    found === undefined
      ? { folder: join(dataFolder, 'restoring'), names: [] }
      : await stageRestore(found.backup, BACKUP_CHECKS, { dataFolder, key: found.key, only: 'inventory' });
  const alsoAside = found === undefined ? INVENTORY_FILES : ['sources'];
  await putInPlace(staged, { dataFolder, alsoAside, now: Date.now() });
  tell(
    found === undefined
      ? 'inventory.db begins anew: drop the newest file of each feed, in <data>/done, into its inbox again.'
      : `inventory.db is from the backup ${found.backup.name} again. Files that came in since lie in <data>/done: drop ` +
          'the newest of each feed into its inbox again.',
  );
}

/** The newest good backup that has the database in a form that we read, gone through as a restore does. */
async function backupFor(
  name: DatabaseName,
  { backup: { folder, copy_to: second, key_file: keyFile }, data_folder: dataFolder }: Config,
): Promise<{ backup: FoundBackup; key: Buffer | undefined } | undefined> {
  for (const place of [folder, ...(second === undefined || !existsSync(second) ? [] : [second])]) {
    for (const backup of await listBackups(place)) {
      const stored = backup.manifest.databases.find((database) => database.name === name);
      if (!isGood(backup) || stored === undefined || stored.form > FORMS[name]) continue;
      const key = await keyFor(backup, keyFile);
      const workFolder = join(dataFolder, `verifying-${process.pid}`);
      if ((await verifyBackup(backup, BACKUP_CHECKS, { key, workFolder })).length === 0)
        return { backup, key };
    }
  }
  return undefined;
}

function leadCount(leads: number): string {
  return leads === 1 ? '1 lead' : `${leads} leads`;
}
