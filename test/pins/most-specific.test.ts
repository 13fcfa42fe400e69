import { afterAll, beforeAll, expect, it } from 'vitest';
import { openInventoryStore } from '../../src/inventory/store.ts';
import type { InventoryStore } from '../../src/inventory/store.ts';
import type { Vehicle } from '../../src/model/vehicle.ts';
import { stagedVehicle } from '../inventory/case-files.ts';

const CIVIC = '19XFL2H81TEA90104';
const CAMRY = '4T1G11AK1LUA90109';

let store: InventoryStore;
beforeAll(async () => {
  store = openInventoryStore(':memory:');
  const run = await store.beginRun({
    runId: 'run',
    feedId: 'main',
    mode: 'full',
    confirmedAt: Date.UTC(2026, 8, 14),
  });
  const vehicles: Vehicle[] = [
    { vin: CIVIC, stock: 'C-1', vehicle_id: 'veh_1' },
    { vin: CAMRY, stock: 'C-2', vehicle_id: 'veh_2' },
    { stock: 'C-3', vehicle_id: 'veh_3' },
  ];
  const staged = vehicles.map((vehicle, row) =>
    stagedVehicle({ status: 'available', ...vehicle }, { row, rooftopId: 'HPM01' }),
  );
  await run.stage(staged);
  await run.apply({ removeAbsent: true });
});
afterAll(() => store.close());

const stockOf = (reference: Parameters<InventoryStore['findVehicle']>[0]): string | undefined => {
  const found = store.findVehicle(reference);
  return found === undefined ? undefined : (JSON.parse(found.json) as Vehicle).stock;
};

it('of several identifiers the vin counts, then the stock number, then the vehicle_id', () => {
  expect(stockOf({ vin: CIVIC, stock: 'C-2', vehicle_id: 'veh_3' })).toBe('C-1');
  expect(stockOf({ stock: 'C-2', vehicle_id: 'veh_3' })).toBe('C-2');
  expect(stockOf({ vehicle_id: 'veh_3' })).toBe('C-3');
  // A VIN of nobody is not helped out by the others.
  expect(stockOf({ vin: '1HGCY2F57RA999999', stock: 'C-2' })).toBeUndefined();
});
