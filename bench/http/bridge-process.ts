import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { openInventoryStore } from '../../src/inventory/store.ts';
import { inventoryFile } from '../feed-import.ts';
import { CONFIRMED_AT, generateVehicles, ROOFTOPS } from '../lot-generator.ts';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ANNOUNCEMENT = /Agent endpoint +http:\/\/[^ ]*:(\d+)\/a2a/;
const PIECE = 1_000;

/**
 * The real program as its users run it: settings like the demo's, limits, validation and log lines as they are by
 * default; its calls come from this machine and are not counted.
 * @param nodeOptions for node itself, such as --cpu-prof
 */
export function startBridgeProcess(
  dataFolder: string,
  nodeOptions: readonly string[] = [],
): Promise<MeasuredProcess> {
  const config = writeGroupConfig(dataFolder);
  const words = ['start', '--config', config, '--data', dataFolder, '--port', '0', '--admin-port', '0'];
  return startMeasured(join(ROOT, 'src/main.ts'), words, ANNOUNCEMENT, nodeOptions);
}

/** Settings that fit what `fillInventory` fills in; answers their file. */
export function writeGroupConfig(folder: string): string {
  const config = join(folder, 'bench.yaml');
  writeFileSync(config, JSON.stringify(groupConfig()));
  return config;
}

/** Puts generated vehicles on the lot of a data folder that no bridge uses. */
export async function fillInventory(dataFolder: string, size: number): Promise<void> {
  mkdirSync(dataFolder, { recursive: true });
  const store = openInventoryStore(inventoryFile(dataFolder));
  const run = await store.beginRun({
    runId: 'bench',
    feedId: 'bench',
    mode: 'full',
    confirmedAt: CONFIRMED_AT,
  });
  let piece = [];
  for (const vehicle of generateVehicles(size)) {
    piece.push(vehicle);
    if (piece.length < PIECE) continue;
    await run.stage(piece);
    piece = [];
  }
  await run.stage(piece);
  await run.apply({ removeAbsent: true });
  store.close();
}

/** The demo's settings, with the generated group's rooftops and one feed. */
function groupConfig(): object {
  const demo = parse(readFileSync(join(ROOT, 'config/bridge.yaml'), 'utf8')) as {
    dealer: { rooftops: object[] };
    leads: object;
  };
  const [profile] = demo.dealer.rooftops;
  const rooftops = ROOFTOPS.map(({ id, name }) => ({ ...profile, id, feed_ids: [id], name }));
  return {
    ...demo,
    dealer: { ...demo.dealer, rooftops },
    leads: { ...demo.leads, default_rooftop: rooftops[0]?.id },
    feeds: [{ id: 'bench', profile: 'homenet', rooftop: { from: 'column' } }],
  };
}
