import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FeedConfig, PriceBasis } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { previewFile, type Preview } from '../../src/feeds/preview.ts';
import { openInventoryStore } from '../../src/inventory/store.ts';
import { describeProblem } from '../../src/model/problem.ts';

const ROOT = path.join(import.meta.dirname, '../..');

export const SAMPLES = path.join(ROOT, 'samples/feeds/formats');
export const CASES = path.join(ROOT, 'test/cases/feeds');

const config = await loadConfig({
  file: path.join(ROOT, 'config/bridge.yaml'),
  environment: {},
  dataFolder: path.join(tmpdir(), 'no-such-data-folder'),
});
if (!config.ok) throw new Error(config.problems.map(describeProblem).join('\n'));
const { rooftops } = config.value.dealer;

/** A file as the demo dealership would take it in with a shipped profile; rows without a dealer go to one rooftop. */
export async function preview(
  file: string,
  profile: string,
  otherwise = 'HPM01',
  basis?: PriceBasis,
): Promise<Preview> {
  const intake = openInventoryStore(':memory:');
  const feed: FeedConfig = {
    id: 'format',
    profile,
    folder: path.join(tmpdir(), 'no-such-inbox'),
    files: '*',
    mode: 'full',
    rooftop: { kind: 'column', otherwise },
    settle_ms: 0,
    ...(basis === undefined ? {} : { price_basis: basis }),
    guard: { max_removed_percent: 20, max_removed_vehicles: 10 },
  };
  try {
    const { preview: result } = await previewFile(file, feed, {
      intake,
      dataFolder: path.join(tmpdir(), 'no-such-data-folder'),
      rooftops,
      clock: { now: () => Date.UTC(2026, 10, 30) },
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    });
    return result;
  } finally {
    intake.close();
  }
}

/** Row, code, column as the file spells it, what stands there. */
export type Told = [row: number, code: string, column?: string, text?: string];

export function told({ row, code, field, value }: Preview['warnings'][number]): Told {
  return [row, code, field, value].filter((part) => part !== undefined) as Told;
}

function ignore(): void {
  // What the log says is tested elsewhere.
}
