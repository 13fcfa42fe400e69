import { join } from 'node:path';
import type { FeedConfig } from '../src/config/config.ts';
import { ingestCopy } from '../src/feeds/ingest.ts';
import { DEFAULT_FEED_LIMITS } from '../src/feeds/limits.ts';
import { buildLot } from '../src/inventory/lot/build-lot.ts';
import type { LotData } from '../src/inventory/lot/lot-data.ts';
import { openInventoryStore } from '../src/inventory/store.ts';
import { systemClock } from '../src/model/clock.ts';
import { ROOFTOPS } from './lot-generator.ts';

export function inventoryFile(dataFolder: string): string {
  return join(dataFolder, 'inventory.db');
}

/** A million rows are 1.4 GB, which the bridge refuses unless its settings allow it. */
const MAX_FILE_MEGABYTES = 4096;

export interface Imported {
  lot: LotData;
  lotMs: number;
  /** How much memory the process has had at most until the file was on the lot, and nothing was indexed yet. */
  intakeRssBytes: number;
}

/** Takes a file in from its bytes to the lot as the worker does. Throws unless every row was right. */
export async function importFile(path: string, profile: string, dataFolder: string): Promise<Imported> {
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
  const store = openInventoryStore(inventoryFile(dataFolder));
  const report = await ingestCopy(path, feed, {
    intake: store,
    dataFolder,
    rooftops: ROOFTOPS.map(({ id, name }) => ({ id, feed_ids: [], profile: { name } })),
    clock: systemClock,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  if (report.status !== 'ok') throw new Error(`${report.status}: ${JSON.stringify(report.problem)}`);
  const intakeRssBytes = process.resourceUsage().maxRSS * 1_024;
  const lotStarted = performance.now();
  const lot = buildLot(store);
  const lotMs = performance.now() - lotStarted;
  store.close();
  return { lot, lotMs, intakeRssBytes };
}

function ignore(): void {
  // The bench prints its own table.
}
