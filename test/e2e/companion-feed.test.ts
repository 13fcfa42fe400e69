import { writeFileSync } from 'node:fs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBridge } from '../cli/bridge-command.ts';
import { BridgeProcess, eventually, payloadOf } from './bridge-process.ts';
import { writeDealership } from './dealership.ts';

const OUTBACK = '4S4BTACCXM3062002';
let bridge: BridgeProcess;
let configFile: string;

const COMPANION =
  '  - { id: prices, profile: ./prices.yaml, settle_ms: 200, supplements: { feeds: [stock], fields: [prices] } }';

beforeAll(async () => {
  configFile = writeDealership('    - { id: crm, adapter: adf-file, options: { folder: out } }', COMPANION);
  writeFileSync(
    join(configFile, '..', 'prices.yaml'),
    'reader: csv\ncompanion: true\nmap: { vin: VIN, list_price: Asking }\n',
  );
  bridge = new BridgeProcess({ configFile });
  await bridge.start();
});
afterAll(async () => {
  await bridge.dispose();
});

async function priced(price: number): Promise<Record<string, unknown>> {
  return eventually(`a price of ${price}`, async () => {
    const reply = await bridge.ask({ type: 'inventory.search.request' });
    const [vehicle] = payloadOf(reply).data.vehicles as Record<string, unknown>[];
    return vehicle?.list_price === price ? vehicle : undefined;
  });
}

describe('a companion feed of a bridge that runs', () => {
  it('adds to the vehicles of the other feed, until it is taken out of the settings', async () => {
    const header = 'vin,stock,year,make,model,condition,list_price\n';
    writeFileSync(
      bridge.path('inbox', 'stock', 'lot.csv'),
      `${header}${OUTBACK},A1,2021,Subaru,Outback,used,25000\n`,
    );
    await priced(25000);
    writeFileSync(bridge.path('inbox', 'prices', 'prices.csv'), `VIN,Asking\n${OUTBACK},23900\n`);
    expect(await priced(23900)).toMatchObject({ vin: OUTBACK, stock: 'A1', make: 'Subaru' });
    const one = await bridge.ask({ type: 'inventory.vehicle.request', stock: 'A1' });
    expect(JSON.stringify(payloadOf(one))).toContain('"list_price":23900');

    const args = ['--config', configFile, '--data', bridge.dataFolder];
    const { out } = await runBridge(['feed', 'explain', OUTBACK, ...args]);
    expect(out).toContain('Brought by feed stock');
    expect(out).toContain('Feed prices brings for it: list_price');

    await bridge.stop();
    writeFileSync(configFile, readFileSync(configFile, 'utf8').replace(COMPANION, ''));
    await bridge.start();
    await priced(25000);
  });
});
