import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { BridgeProcess, eventually, payloadOf } from './bridge-process.ts';
import { writeDealership } from './dealership.ts';

const CARS =
  'vin,stock,year,make,model,condition,status,list_price\n' +
  ',T1,2020,Ford,F-150,used,available,30000\n,T2,2021,Ford,F-150,used,available,31000\n';

let bridge: BridgeProcess;
let text: string;
beforeEach(async () => {
  const configFile = writeDealership('    - { id: crm, adapter: adf-file, options: { folder: out } }');
  text = readFileSync(configFile, 'utf8');
  bridge = new BridgeProcess({ configFile });
  await bridge.start();
  writeFileSync(bridge.path('inbox', 'stock', 'cars.csv'), CARS);
  await shown(2);
});
afterEach(() => bridge.dispose());

function change(settings: string): void {
  writeFileSync(`${bridge.configFile}~`, settings);
  renameSync(`${bridge.configFile}~`, bridge.configFile);
}

const shown = (vehicles: number) =>
  eventually(`${vehicles} vehicles`, async () => {
    const reply = await bridge.ask({ type: 'inventory.search.request' });
    return reply.error === undefined && (payloadOf(reply).data.vehicles as unknown[]).length === vehicles
      ? true
      : undefined;
  });

async function strays(): Promise<{ key: string; status: string; text: string }[]> {
  const report = (await (await fetch(`${bridge.adminUrl}/health`)).json()) as {
    checks: { key: string; status: string; text: string }[];
  };
  return report.checks.filter(({ key }) => key.startsWith('lot-stray'));
}

const command = (...words: string[]) =>
  runCommand([...words, '--config', bridge.configFile, '--data', bridge.dataFolder]);

it('vehicles of a feed that is renamed are not shown, are told, and are shown again when it comes back', async () => {
  change(text.replace('id: stock', 'id: website'));
  await shown(0);
  const one = await bridge.ask({ type: 'inventory.vehicle.request', stock: 'T1' });
  expect(one.error).toBeDefined();
  expect(await strays()).toMatchObject([
    {
      key: 'lot-stray:feed:stock',
      status: 'warn',
      text: expect.stringMatching(/^2 vehicles of the feed stock are kept and not shown: /) as string,
    },
  ]);
  const probed = await command('check', '--probe', '--json');
  const { checks } = JSON.parse(probed.out) as { checks: { key: string }[] };
  expect(checks.map(({ key }) => key)).toContain('lot-stray:feed:stock');
  await bridge.stop();
  await bridge.start();
  expect(bridge.output).toContain('Not shown       2 of the feed stock, which the settings do not have');
  change(text);
  await shown(2);
  expect(await strays()).toEqual([]);
});

it('vehicles of a rooftop that is renamed are not shown until the feed brings them for the new one', async () => {
  change(text.replaceAll('ONE', 'TWO'));
  await shown(0);
  expect(await strays()).toMatchObject([{ key: 'lot-stray:rooftop:ONE', status: 'warn' }]);
  writeFileSync(bridge.path('inbox', 'stock', 'again.csv'), CARS.replace('31000', '31500'));
  await shown(2);
  const one = await bridge.ask({ type: 'inventory.vehicle.request', stock: 'T1' });
  expect(one.error).toBeUndefined();
  expect((await command('feed', 'forget', 'ONE')).out).toBe(
    '2 vehicles of the rooftop ONE are off the lot.\n',
  );
  await eventually('no warning', async () => ((await strays()).length === 0 ? true : undefined));
  await shown(2);
});

it('feed forget takes them off the lot for good, and refuses what the settings have', async () => {
  const known = await command('feed', 'forget', 'stock');
  expect(known).toMatchObject({
    code: 1,
    err: expect.stringContaining('stock stands in the settings') as string,
  });
  change(text.replace('id: stock', 'id: website'));
  await shown(0);
  expect(await command('feed', 'forget', 'stck')).toMatchObject({
    code: 1,
    err: 'No vehicles are kept of stck. Not shown are those of the feed stock.\n',
  });
  expect(await command('feed', 'forget', 'stock')).toMatchObject({
    code: 0,
    out: '2 vehicles of the feed stock are off the lot.\n',
  });
  await eventually('no warning', async () => ((await strays()).length === 0 ? true : undefined));
  change(text);
  await eventually('the settings of before', async () =>
    (await bridge.log()).split('the feeds go by the new settings').length === 3 ? true : undefined,
  );
  await shown(0);
});
