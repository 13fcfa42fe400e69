import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BACKUP_CHECKS } from '../../src/bridge/backup-checks.ts';
import { openInventoryStore } from '../../src/inventory/store.ts';
import type { FoundBackup } from '../../src/runtime/backup/backup-folder.ts';
import type { BackupPlan } from '../../src/runtime/backup/backup-plan.ts';
import { type BackupReason, readManifest } from '../../src/runtime/backup/manifest.ts';
import { runBackup } from '../../src/runtime/backup/run-backup.ts';
import {
  answered,
  leadOf,
  NOON,
  openDesk,
  openStore,
  setClock,
  temporaryFolder,
} from '../leads/lead-harness.ts';

/** A data folder with real databases, and a plan to back it up. */
export function dataFolderWithLeads(changes: Partial<BackupPlan> = {}) {
  const dataFolder = temporaryFolder();
  const store = openStore(join(dataFolder, 'leads.db'));
  openInventoryStore(join(dataFolder, 'inventory.db')).close();
  const desk = openDesk(store, { clock: setClock() });
  const plan: BackupPlan = {
    dataFolder,
    folder: join(dataFolder, 'backups'),
    keep: { daily: 7, weekly: 4 },
    programVersion: '0.1.0',
    databases: [{ name: 'leads.db' }, { name: 'inventory.db' }],
    files: [],
    ...changes,
  };
  return {
    dataFolder,
    store,
    plan,
    submit: async (buyer: number): Promise<string> =>
      answered(await desk.submit(leadOf(buyer))).answer.lead_id,
    backUp: (now = NOON, reason: BackupReason = 'by hand') =>
      runBackup(plan, BACKUP_CHECKS, reason, () => now),
  };
}

export async function backupAt(folder: string): Promise<FoundBackup> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) throw new Error(`no backup in ${folder}`);
  return { name: manifest.name, folder, manifest };
}

/** A folder that is there. */
export function subfolder(...parts: string[]): string {
  const path = join(...parts);
  if (!existsSync(path)) mkdirSync(path, { recursive: true });
  return path;
}
