import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBridge } from '../cli/bridge-command.ts';
import { BridgeProcess, PROJECT, eventually, filesIn, payloadOf } from './bridge-process.ts';
import { writeDealership } from './dealership.ts';

const CIVIC = '1HGCY2F57RA000001';
let folder: string;
let bridge: BridgeProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'changes-'));
  const configFile = writeDealership(
    '    - { id: crm, adapter: adf-file, options: { folder: out } }',
    '  - { id: changes, profile: ./changes.yaml, rooftop: ONE, mode: delta, settle_ms: 200 }',
  );
  const profile = readFileSync(join(PROJECT, 'adapters', 'feeds', 'profiles', 'aap.yaml'), 'utf8');
  writeFileSync(join(configFile, '..', 'changes.yaml'), `${profile}\naction: action\n`);
  bridge = new BridgeProcess({ configFile });
  await bridge.start();
});
afterAll(async () => {
  await bridge.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function takeIn(text: string, feed: string): ReturnType<typeof runBridge> {
  const file = join(folder, `${feed}.csv`);
  writeFileSync(file, text);
  return runBridge([
    ...['feed', 'run', file, '--feed', feed],
    ...['--config', bridge.configFile, '--data', bridge.dataFolder],
  ]);
}

async function onTheLot(): Promise<Record<string, unknown>[]> {
  const reply = await bridge.ask({
    type: 'inventory.search.request',
    sort: { field: 'stock', order: 'asc' },
  });
  return payloadOf(reply).data.vehicles as Record<string, unknown>[];
}

describe('files taken in by another process while the bridge runs', () => {
  it('change what is served: new cars, a change, and one that left is told as gone', async () => {
    const header = 'vin,stock,year,make,model,condition,status,list_price,inventory_date\n';
    const civic = `${CIVIC},T1,2024,Honda,Civic,used,available`;
    await takeIn(`${header}${civic},21000,2026-03-01\n,T2,2020,Ford,F-150,used,available,30000,\n`, 'stock');
    const first = await eventually('two vehicles', async () => {
      const vehicles = await onTheLot();
      return vehicles.length === 2 ? vehicles : undefined;
    });
    expect(first[0]).toMatchObject({ stock: 'T1', list_price: 21000, inventory_date: '2026-03-01' });

    await takeIn(`${header}${civic},20500,\n`, 'stock');
    const second = await eventually('one vehicle', async () => {
      const vehicles = await onTheLot();
      return vehicles.length === 1 ? vehicles : undefined;
    });
    // The date once known stays, although the second file does not tell it.
    expect(second[0]).toMatchObject({ stock: 'T1', list_price: 20500, inventory_date: '2026-03-01' });
    expect(String(second[0]?.updated_at) >= String(first[0]?.updated_at)).toBe(true);
    const gone = await bridge.ask({ type: 'inventory.vehicle.request', stock: 'T2' });
    expect(gone.error?.data.code).toBe('VEHICLE_UNAVAILABLE');
  });

  it('a delta row that gives only the stock number takes off the car that is kept under its VIN', async () => {
    const report = await takeIn('action,vin,stock,year,make,model,condition\nD,,T1,,,,\n', 'changes');
    expect(report).toMatchObject({ code: 0, err: '' });
    await eventually('an empty lot', async () => ((await onTheLot()).length === 0 ? true : undefined));
    const gone = await bridge.ask({ type: 'inventory.vehicle.request', vin: CIVIC });
    expect(gone.error?.data.code).toBe('VEHICLE_UNAVAILABLE');
    expect(await filesIn(bridge.path('work', 'changes', 'by-hand'))).toEqual([]);
  });
});
