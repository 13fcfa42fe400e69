import { join } from 'node:path';
import { databaseFault } from '../model/database-fault.ts';
import { asPromise } from './as-promise.ts';
import { groupCommit } from './group-commit.ts';
import type { LeadStore } from './lead-store.ts';
import { openLogOnDisk } from './log-on-disk.ts';
import { alertOperations } from './store-alerts.ts';
import { acceptingOperations } from './store-accepting.ts';
import { IF_LEADS_DAMAGED, openLeadDatabase } from './store-database.ts';
import { deliveringOperations } from './store-delivering.ts';
import { auditOperations } from './store-ledger.ts';
import { operatingOperations } from './store-operating.ts';
import { operationsByHand } from './store-operations.ts';
import { retentionOperations } from './store-retention.ts';

/** Where the leads of a bridge lie. */
export function leadsDatabaseFile(dataFolder: string): string {
  return join(dataFolder, 'leads.db');
}

/**
 * Opens leads.db, creating it when it is not there. Several processes may have it open at once. Throws when the
 * file is damaged, cannot be made durable, or was written by a newer bridge.
 */
export function openLeadStore(file: string): LeadStore {
  const database = openOrExplain(file);
  const log = openLogOnDisk(database);
  const group = groupCommit(database, log);
  return {
    ...acceptingOperations(database, group),
    ...deliveringOperations(database, group.commit),
    ...operatingOperations(database),
    ...operationsByHand(database),
    ...retentionOperations(database),
    ...alertOperations(database),
    ...auditOperations(database),
    close: () =>
      asPromise(() => {
        // SQLite deletes the log when it closes it, which Windows refuses while somebody has it open.
        log.close();
        database.close();
      }),
  };
}

function openOrExplain(file: string): ReturnType<typeof openLeadDatabase> {
  try {
    return openLeadDatabase(file);
  } catch (fault) {
    throw databaseFault(fault, file, IF_LEADS_DAMAGED);
  }
}
