import { linkSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FeedConfig } from '../src/config/config.ts';
import { ingestFile } from '../src/feeds/ingest.ts';
import { KeptFeeds } from '../src/feeds/kept-feeds.ts';
import { DEFAULT_FEED_LIMITS } from '../src/feeds/limits.ts';
import { buildLot } from '../src/inventory/lot/build-lot.ts';
import type { LotData } from '../src/inventory/lot/lot-data.ts';
import { openInventoryStore } from '../src/inventory/store.ts';
import { systemClock } from '../src/model/clock.ts';
import { ROOFTOPS } from './lot-generator.ts';

/** A million rows are 1.4 GB, which the bridge refuses unless its settings allow it. */
const MAX_FILE_MEGABYTES = 4096;

export function inventoryFile(dataFolder: string): string {
  return join(dataFolder, 'inventory.db');
}

export interface Imported {
  lot: LotData;
  lotMs: number;
  /** How much memory the process has had at most until the file was in the store, and no lot was built yet. */
  intakeRssBytes: number;
}

/**
 * Makes ready what the worker has ready when a file comes: the database is open, the feed's profile and reader are
 * loaded, the file lies in the inbox. What is returned takes it in, from its bytes to the lot, and throws unless every
 * row was right.
 */
export async function prepareImport(
  path: string,
  profile: string,
  dataFolder: string,
): Promise<() => Promise<Imported>> {
  const feed: FeedConfig = {
    id: 'bench',
    profile,
    folder: join(dataFolder, 'inbox'),
    files: '*',
    mode: 'full',
    rooftop: { kind: 'column' },
    settle_ms: 0,
    guard: { max_removed_percent: 20, max_removed_vehicles: 10 },
    limits: { ...DEFAULT_FEED_LIMITS, max_file_mb: MAX_FILE_MEGABYTES },
  };
  mkdirSync(feed.folder, { recursive: true });
  const file = join(feed.folder, basename(path));
  linkSync(path, file);
  const keptFeeds = new KeptFeeds(dataFolder);
  await keptFeeds.renew([feed]);
  const store = openInventoryStore(inventoryFile(dataFolder));
  return async () => {
    const report = await ingestFile(file, feed, {
      intake: store,
      dataFolder,
      rooftops: ROOFTOPS.map(({ id, name }) => ({ id, feed_ids: [], profile: { name } })),
      clock: systemClock,
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      keptFeeds,
    });
    if (report?.status !== 'ok')
      throw new Error(`${String(report?.status)}: ${JSON.stringify(report?.problem)}`);
    const intakeRssBytes = process.resourceUsage().maxRSS * 1_024;
    const lotStarted = performance.now();
    const lot = buildLot(store);
    const lotMs = performance.now() - lotStarted;
    store.close();
    return { lot, lotMs, intakeRssBytes };
  };
}

function ignore(): void {
  // The bench prints its own table.
}
