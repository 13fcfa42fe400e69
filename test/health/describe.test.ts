import { expect, it } from 'vitest';
import { describeBridge } from '../../src/bridge/describe.ts';
import { openDealership } from '../agent/dealership.ts';
import type { Config } from '../../src/config/config.ts';

it('prints no path of a CRM that may be its key', () => {
  const { config } = openDealership();
  const addresses = [
    'https://crm.example/hook/T0KEN-4711?k=1',
    'https://crm.example/',
    'sftp://files.example:22/in',
  ];
  const destinations = addresses.map((address, number) => ({
    id: `crm-${number}`,
    adapter: 'adf-http',
    crm: { place: () => ({ address }) },
    options: {},
  }));
  const text = describeBridge({
    config: { ...config, leads: { ...config.leads, destinations } } as unknown as Config,
    version: '1.0.0',
    publicUrl: 'http://127.0.0.1:8080',
    adminPort: 8081,
    status: { vehicles: 0, lotVersion: 1, rooftops: [] },
    strays: [{ kind: 'rooftop', id: 'OLD', vehicles: 5, confirmed_at: '2026-11-30T00:00:00Z' }],
    logFile: 'log',
  });
  expect(text).not.toContain('T0KEN-4711');
  expect(text).toMatch(/crm-0 +https:\/\/crm\.example\/… /);
  expect(text).toMatch(/crm-1 +https:\/\/crm\.example +\(/);
  expect(text).toContain('sftp://files.example:22/in');
  expect(text).toContain('  Not shown       5 of the rooftop OLD, which the settings do not have');
});
