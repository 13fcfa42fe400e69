import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';

const FILE = fileURLToPath(new URL('../../config/bridge.yaml', import.meta.url));

it('the demo dealership has no fault and needs nothing from outside', async () => {
  const dataFolder = join(tmpdir(), 'no-such-data-folder');
  const loaded = await loadConfig({ file: FILE, environment: {}, dataFolder });
  expect(loaded.ok ? [] : loaded.problems).toEqual([]);
  if (!loaded.ok) return;
  const { dealer, feeds, leads } = loaded.value;
  expect(dealer.rooftops.map(({ id, profile }) => [id, profile.name, profile.fees])).toEqual([
    ['HPM01', 'Harbor Point Motors', [{ name: 'Documentation fee', amount: 389 }]],
    ['CRA02', 'Cedar Ridge Auto Center', undefined],
    ['LPO03', 'Lakeview Pre-Owned', [{ name: 'Documentation fee', amount: 299 }]],
  ]);
  expect(dealer.rooftops[2]?.profile.capabilities).toContain('motorcycle_sales');
  expect(feeds.map(({ id, profile, rooftop }) => [id, profile, rooftop])).toEqual([
    ['harbor-homenet', 'homenet', { kind: 'fixed', id: 'HPM01' }],
    ['cedar-cdk', 'cdk', { kind: 'fixed', id: 'CRA02' }],
    ['lakeview-aap', 'aap', { kind: 'fixed', id: 'LPO03' }],
    ...['homenet', 'vauto', 'google', 'cdk', 'aap'].map((id) => [
      id,
      id,
      { kind: 'column', otherwise: 'HPM01' },
    ]),
  ]);
  expect(leads.destinations).toMatchObject([
    {
      id: 'demo-crm',
      adapter: 'adf-file',
      options: { folder: 'outgoing-leads' },
      rooftops: ['HPM01', 'CRA02', 'LPO03'],
    },
  ]);
  await expect(access(dataFolder)).rejects.toThrow('ENOENT');
});
