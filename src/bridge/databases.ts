import { join } from 'node:path';
import { openInventoryStore, type InventoryStore } from '../inventory/store.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import { leadsDatabaseFile, openLeadStore } from '../leads/store.ts';
import type { StartedParts } from '../runtime/started-parts.ts';

export interface Databases {
  leadStore: LeadStore;
  /** For reading: the thread writes. */
  inventoryStore: InventoryStore;
  inventoryFile: string;
}

export function openDatabases(dataFolder: string, parts: StartedParts): Databases {
  const leadStore = openLeadStore(leadsDatabaseFile(dataFolder));
  parts.add(() => leadStore.close());
  const inventoryFile = join(dataFolder, 'inventory.db');
  // Opened once for writing, so that the file exists when the reading connection below looks for it.
  openInventoryStore(inventoryFile).close();
  const inventoryStore = openInventoryStore(inventoryFile, { readonly: true });
  parts.add(() => inventoryStore.close());
  return { leadStore, inventoryStore, inventoryFile };
}

/** The latest time at which a bridge with these databases is known to have run, ms since 1970. */
export async function lastKnownTime(
  leadStore: Pick<LeadStore, 'lastActivity'>,
  inventoryStore: Pick<InventoryStore, 'listRuns'>,
): Promise<number | undefined> {
  const [run] = await inventoryStore.listRuns({ limit: 1 });
  const times = [await leadStore.lastActivity(), run === undefined ? undefined : Date.parse(run.finishedAt)];
  const known = times.filter((time) => time !== undefined && Number.isFinite(time)) as number[];
  return known.length === 0 ? undefined : Math.max(...known);
}
