import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fillInventory, startBridgeProcess } from './http/bridge-process.ts';
import { callText, postText, startLoadClient } from './http/load.ts';
import { generateVehicles } from './lot-generator.ts';
import { atMost, rounded, type Row } from './report.ts';

const MEGABYTE = 2 ** 20;
/** Above the same program with an empty lot. */
const MOST_ABOVE_EMPTY: Record<number, number> = { 10_000: 40, 100_000: 150 };
const SERVED_MS = 2_000;
/** After the load: what it has left is collected. */
const REST_MS = 2_000;

/** Memory of the real program that has served searches for a while, against its vehicles' JSON. */
export async function benchMemory(): Promise<Row[]> {
  const empty = await residentMegabytes(0);
  const rows: Row[] = [{ name: 'memory, empty lot', values: { 'MB in all': rounded(empty) }, goals: [] }];
  for (const [size, most] of Object.entries(MOST_ABOVE_EMPTY)) {
    const resident = await residentMegabytes(Number(size));
    const above = rounded(resident - empty);
    rows.push({
      name: `memory, ${size}`,
      values: {
        'MB in all': rounded(resident),
        'MB above empty': above,
        'MB of JSON': rounded(jsonMegabytes(Number(size))),
      },
      goals: [atMost('MB above empty', above, most)],
    });
  }
  return rows;
}

async function residentMegabytes(size: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'));
  await fillInventory(folder, size);
  const bridge = await startBridgeProcess(folder);
  const client = startLoadClient();
  try {
    const request = postText('/a2a', callText('inventory.search', { filters: { condition: ['used'] } }));
    await client.run(bridge, { requests: [request], clients: 4, ms: SERVED_MS });
    await pause(REST_MS);
    return (await bridge.look()).rssBytes / MEGABYTE;
  } finally {
    client.stop();
    await bridge.stop();
    rmSync(folder, { recursive: true });
  }
}

function jsonMegabytes(size: number): number {
  let bytes = 0;
  for (const { vehicle } of generateVehicles(size)) bytes += JSON.stringify(vehicle).length;
  return bytes / MEGABYTE;
}
