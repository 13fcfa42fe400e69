import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { writeDealership } from '../e2e/dealership.ts';

async function load(mcp: string) {
  const file = writeDealership(`    - { id: pickup, adapter: adf-file, options: { folder: pickup } }`);
  writeFileSync(file, `${readFileSync(file, 'utf8')}${mcp}\n`);
  return loadConfig({ file, environment: {}, dataFolder: mkdtempSync(join(tmpdir(), 'settings-')) });
}

it('the tools are served unless the settings say otherwise', async () => {
  expect(await load('')).toMatchObject({
    value: { mcp: { enabled: true, allowed_hosts: [], allowed_origins: [] } },
  });
  expect(await load('mcp: { enabled: false }')).toMatchObject({ value: { mcp: { enabled: false } } });
});

it.each([
  ['allowed_hosts', 'bridge.lan'],
  ['allowed_hosts', 'bridge.lan:8080'],
  ['allowed_hosts', '[fd00::1]:8080'],
  ['allowed_origins', 'https://chat.example'],
  ['allowed_origins', 'http://localhost:6274'],
  ['allowed_origins', '*'],
])('%s may hold %s', async (setting, value) => {
  expect(await load(`mcp: { ${setting}: ["${value}"] }`)).toMatchObject({
    value: { mcp: { [setting]: [value] } },
  });
});

it.each([
  ['allowed_hosts', 'https://bridge.lan', 'a host name, with or without a port'],
  ['allowed_hosts', 'bridge.lan/mcp', 'a host name, with or without a port'],
  ['allowed_hosts', '*', 'a host name, with or without a port'],
  ['allowed_origins', 'chat.example', 'an origin such as'],
  ['allowed_origins', 'https://chat.example/', 'an origin such as'],
  ['allowed_origins', 'null', 'an origin such as'],
])('%s may not hold %s', async (setting, value, reason) => {
  const loaded = await load(`mcp: { ${setting}: ["${value}"] }`);
  if (loaded.ok) throw new Error('it was taken');
  expect(loaded.problems).toHaveLength(1);
  expect(JSON.stringify(loaded.problems)).toContain(reason);
});
