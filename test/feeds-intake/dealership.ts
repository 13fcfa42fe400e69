import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FeedConfig } from '../../src/config/config.ts';
import type { IngestServices } from '../../src/feeds/ingest-services.ts';
import { openInventoryStore, type InventoryStore } from '../../src/inventory/store.ts';
import type { Clock } from '../../src/model/clock.ts';
import type { Log } from '../../src/model/log.ts';
import type { Rooftop } from '../../src/model/rooftop.ts';

/** A group of three rooftops with a data folder, a real store, a clock that is set by hand and a log that is kept. */

const ROOFTOPS: Rooftop[] = [
  rooftop('HPM01', 'Harbor Point Motors', []),
  rooftop('CRA02', 'Cedar Ridge Auto Center', ['DVD00002', 'CR-2002']),
  rooftop('LPO03', 'Lakeview Pre-Owned', ['LPS04']),
];

function rooftop(id: string, name: string, feedIds: string[]): Rooftop {
  return { id, feed_ids: feedIds, profile: { name, legal_name: `${name}, LLC` } };
}

export interface LogLine {
  level: string;
  facts: Record<string, unknown>;
  message: string;
}

export class Dealership {
  readonly folder: string;
  readonly store: InventoryStore;
  readonly log: LogLine[] = [];
  now = Date.now();

  private constructor(folder: string) {
    this.folder = folder;
    this.store = openInventoryStore(path.join(folder, 'inventory.db'));
  }

  static async open(): Promise<Dealership> {
    return new Dealership(await mkdtemp(path.join(tmpdir(), 'intake-')));
  }

  async close(): Promise<void> {
    this.store.close();
    await rm(this.folder, { recursive: true });
  }

  services(over: Partial<IngestServices> = {}): IngestServices {
    const clock: Clock = { now: () => this.now };
    return {
      intake: this.store,
      dataFolder: this.folder,
      rooftops: ROOFTOPS,
      clock,
      log: this.#log(),
      ...over,
    };
  }

  feed(profile: string, over: Partial<FeedConfig> = {}): FeedConfig {
    return {
      id: 'lot',
      profile,
      folder: path.join(this.folder, 'inbox', over.id ?? 'lot'),
      files: '*',
      mode: 'full',
      rooftop: { kind: 'column', otherwise: 'HPM01' },
      settle_ms: 5000,
      guard: { max_removed_percent: 20, max_removed_vehicles: 10 },
      ...over,
    };
  }

  /** VINs (or stock numbers) on the lot with their texts as they are served. */
  listed(): Map<string, Record<string, unknown>> {
    const rows = [...this.store.readAllForLot()];
    const texts = this.store.readListingTexts(rows.map(({ rowId }) => rowId));
    return new Map(
      rows.map(({ vehicle }, index) => {
        const listing = JSON.parse(texts[index] ?? '{}') as Record<string, unknown>;
        return [vehicle.vin ?? vehicle.stock ?? '', listing];
      }),
    );
  }

  #log(): Log {
    const keep =
      (level: string) =>
      (facts: object, message: string): void => {
        this.log.push({ level, facts: facts as Record<string, unknown>, message });
      };
    return { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
  }
}
