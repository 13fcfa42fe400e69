import { join } from 'node:path';
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
  const database = openLeadDatabase(file);
  return {
    ...acceptingOperations(database),
    ...deliveringOperations(database),
    ...operatingOperations(database),
    close: () => asPromise(() => void database.close()),
  };
}
