import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Config } from '../../config/config.ts';
import { MIGRATIONS } from '../../inventory/schema.ts';
import { LEAD_MIGRATIONS } from '../../leads/store-schema.ts';
import { leadCopyFaults } from '../../leads/store-copy-check.ts';
import { databaseFault } from '../../model/database-fault.ts';
import { databaseForm, refuseForeignForm, type Migration } from '../../model/database-migrations.ts';
import type { Finding } from '../../model/finding.ts';
import { wayBackFrom } from './newer-database.ts';

interface KnownDatabase {
  name: 'leads.db' | 'inventory.db';
  migrations: readonly Migration[];
  ifDamaged: string;
}

const DATABASES: readonly KnownDatabase[] = [
  {
    name: 'leads.db',
    migrations: LEAD_MIGRATIONS,
    ifDamaged:
      'Stop the bridge, keep a copy of the file, and restore the last backup: dealer-bridge backup list',
  },
  {
    name: 'inventory.db',
    migrations: MIGRATIONS,
    ifDamaged:
      'Stop the bridge, move the file away with its -wal and -shm files, start, and drop the last file of each feed ' +
      'into its inbox again (they lie in done).',
  },
];
/** A page of these is read once; the largest take a minute on an old disk. */
const BUSY_TIMEOUT_MS = 10_000;

export interface CheckedDatabases {
  findings: Finding[];
  /** When the last lead came in, ms since 1970. */
  lastLead?: number;
}

/** Goes through both databases page by page, and through the consent ledger link by link. Reads only. */
export async function checkDatabases({
  data_folder: dataFolder,
  backup,
}: Pick<Config, 'data_folder' | 'backup'>): Promise<CheckedDatabases> {
  const findings: Finding[] = [];
  let lastLead: number | undefined;
  for (const known of DATABASES) {
    const file = join(dataFolder, known.name);
    const checked = await checkDatabase(file, known, backup);
    findings.push(checked.finding);
    lastLead ??= checked.lastLead;
  }
  return { findings, ...(lastLead !== undefined && { lastLead }) };
}

async function checkDatabase(
  file: string,
  { name, migrations, ifDamaged }: KnownDatabase,
  backup: Config['backup'],
): Promise<{ finding: Finding; lastLead?: number | undefined }> {
  const key = `database:${name.replace('.db', '')}`;
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (!isThere)
    return { finding: { key, status: 'ok', text: `${name} is not there yet; the first start makes it.` } };
  const trouble = (text: string, remedy = ifDamaged): { finding: Finding } => ({
    finding: { key, status: 'fail', text, remedy },
  });
  let database: Database.Database | undefined;
  try {
    await access(file, constants.R_OK | constants.W_OK);
    database = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    const damage = pageFaults(database);
    if (damage !== undefined) return trouble(`${name} is damaged: ${damage}`);
    const form = databaseForm(database);
    if (form > migrations.length) {
      const text =
        `${name} was written by a newer dealer-bridge (its form is ${form}, this program knows ` +
        `${migrations.length}).`;
      return trouble(text, await wayBackFrom({ name, readable: migrations.length }, backup));
    }
    refuseForeignForm(database, { file, migrations, ifNewer: '' });
    if (form < migrations.length) {
      const text = `${name} is whole; the next start brings it to the form of this program, after a backup.`;
      return { finding: { key, status: 'ok', text } };
    }
    if (name === 'inventory.db') return { finding: { key, status: 'ok', text: `${name} is whole.` } };
    const [fault] = await leadCopyFaults(database);
    const lastLead =
      database.prepare<[], number>('SELECT MAX(received_at) FROM leads').pluck().get() ?? undefined;
    if (fault === undefined) {
      return { finding: { key, status: 'ok', text: `${name} and its consent ledger are whole.` }, lastLead };
    }
    const remedy = 'Keep a copy of the file, see "dealer-bridge leads audit", and ask who has worked on it.';
    return { ...trouble(`${name}: ${fault}`, remedy), lastLead };
  } catch (fault) {
    const told = databaseFault(fault, file, '');
    const code = (fault as NodeJS.ErrnoException).code ?? '';
    if (code === 'EACCES' || code === 'EPERM') {
      const remedy = `Give the account of the service the right to read and write ${file}, its -wal and -shm files.`;
      return trouble(`${name} may not be read and written by this account.`, remedy);
    }
    return trouble(told instanceof Error ? told.message.trim() : String(told));
  } finally {
    database?.close();
  }
}

/** The first thing that is wrong with its pages. */
function pageFaults(database: Database.Database): string | undefined {
  const [first] = database.pragma('quick_check(1)') as { quick_check: string }[];
  return first === undefined || first.quick_check === 'ok' ? undefined : first.quick_check;
}
