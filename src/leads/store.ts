import { join } from 'node:path';
import { databaseFault } from '../model/database-fault.ts';
import { asPromise } from './as-promise.ts';
import type { LeadStore } from './lead-store.ts';
import { acceptingOperations } from './store-accepting.ts';
import { openLeadDatabase } from './store-database.ts';
import { deliveringOperations } from './store-delivering.ts';
import { operatingOperations } from './store-operating.ts';

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
  return {
    ...acceptingOperations(database),
    ...deliveringOperations(database),
    ...operatingOperations(database),
    close: () => asPromise(() => void database.close()),
  };
}

function openOrExplain(file: string): ReturnType<typeof openLeadDatabase> {
  try {
    return openLeadDatabase(file);
  } catch (fault) {
    throw databaseFault(fault, file, 'It holds the leads: restore it from a backup; nothing was changed.');
  }
}
