import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, FeedConfig } from '../config/config.ts';
import { priceTerms, repriced } from '../feeds/checking/price-terms.ts';
import { vehicleFeeds } from '../feeds/supplement-rules.ts';
import type { IngestServices } from '../feeds/ingest-services.ts';
import { openInventoryStore, type InventoryStore } from '../inventory/store.ts';
import { systemClock } from '../model/clock.ts';
import { silentLog } from '../model/log.ts';
import { didYouMean } from '../model/suggestion.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** Looks into the inventory of a data folder in which a bridge has run; makes none. */
export async function withExistingInventory<T>(
  config: Config,
  work: (store: InventoryStore) => Promise<T>,
): Promise<T> {
  const file = join(config.data_folder, 'inventory.db');
  if (!existsSync(file)) {
    // Opening would create it, and a mistyped --data would look like a dealership without files.
    console.error(`There is no ${file}: no bridge has run with this data folder.`);
    throw new CommandStopped(EXIT_CODES.problems);
  }
  return withInventory(config, work);
}

/**
 * Works on the inventory of the data folder. A bridge that runs at the same time sees what was changed and serves
 * it a second later.
 */
export async function withInventory<T>(
  config: Config,
  work: (store: InventoryStore) => Promise<T>,
): Promise<T> {
  await mkdir(config.data_folder, { recursive: true });
  await bringUpToDate(config);
  const store = openInventoryStore(join(config.data_folder, 'inventory.db'));
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** As the running bridge does when it takes settings up, so that a file never comes to vehicles priced otherwise. */
export function bringPricesInLine({ feeds, dealer }: Config, store: InventoryStore): void {
  store.bringPricesInLine(priceTerms(feeds, dealer.rooftops), repriced);
}

/** For a person at the command line, who reads the report and not the log. */
export function ingestServices(config: Config, intake: InventoryStore): IngestServices {
  return {
    intake,
    dataFolder: config.data_folder,
    rooftops: config.dealer.rooftops,
    vehicleFeeds: vehicleFeeds(config.feeds),
    clock: systemClock,
    log: silentLog,
  };
}

export function feedNamed(id: string, config: Config): FeedConfig {
  const feed = config.feeds.find((known) => known.id === id);
  if (feed !== undefined) return feed;
  const ids = config.feeds.map((known) => known.id);
  console.error(`there is no feed "${id}"${didYouMean(id, ids)}; the settings name ${ids.join(', ')}`);
  throw new CommandStopped(EXIT_CODES.problems);
}
