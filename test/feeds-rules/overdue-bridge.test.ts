import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BridgeProcess, eventually, payloadOf } from '../e2e/bridge-process.ts';
import { writeDealership } from '../e2e/dealership.ts';

// A feed that is expected every two seconds or so: long enough to be seen, short enough to wait for.
const bridge = new BridgeProcess({
  configFile: writeDealership(
    '    - { id: crm, adapter: adf-file, options: { folder: out } }',
    '  - { id: often, profile: aap, rooftop: ONE, settle_ms: 50, expect_every_hours: 0.0006, when_overdue: hide }',
  ),
});
const CAR = 'stock,year,make,model,condition,list_price\nT1,2020,Honda,Civic,used,20000\n';

beforeAll(async () => {
  await bridge.start();
});
afterAll(async () => {
  await bridge.dispose();
});

async function total(): Promise<number> {
  return payloadOf(await bridge.ask({ type: 'inventory.search.request' })).data.total as number;
}

async function overdue(): Promise<string[]> {
  const response = await fetch(`${bridge.adminUrl}/health`);
  return ((await response.json()) as { feeds: { overdue: string[] } }).feeds.overdue;
}

it('a feed that stays away loses its place on the lot until it comes again', async () => {
  const drop = (name: string): void => writeFileSync(bridge.path('inbox', 'often', name), CAR);
  drop('first.csv');
  await eventually('the car is for sale', async () => ((await total()) === 1 ? true : undefined));
  await eventually('the feed is overdue', async () => ((await overdue()).length > 0 ? true : undefined));
  expect(await overdue()).toEqual(['often']);
  await eventually('the car is hidden', async () => ((await total()) === 0 ? true : undefined));
  const hidden = await bridge.ask({ type: 'inventory.vehicle.request', stock: 'T1' });
  expect(hidden.error?.data.code).toBe('VEHICLE_UNAVAILABLE');

  drop('second.csv');
  await eventually('the car is back', async () => ((await total()) === 1 ? true : undefined));
  const log = await bridge.log();
  expect(log).toContain('feed is overdue');
  expect(log).toContain('the feed that was overdue has come again');
});
