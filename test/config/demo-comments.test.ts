import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDealership, SMALL, type Dealership } from './dealership.ts';

let dealer: Dealership;
beforeAll(async () => {
  dealer = await openDealership();
});
afterAll(() => dealer.remove());

/** The commented destinations of the demo, as they are once an operator takes the # away. */
async function commentedDestinations(): Promise<string> {
  const demo = await readFile(fileURLToPath(new URL('../../config/bridge.yaml', import.meta.url)), 'utf8');
  const lines = demo.split('\n').filter((line) => /^ {4}# {0,1}(- id: crm| {2})/.test(line));
  return lines.map((line) => line.replace(/^ {4}# /, '    ')).join('\n');
}

/** The commented feed of the demo, likewise. */
async function commentedFeed(): Promise<string> {
  const demo = await readFile(fileURLToPath(new URL('../../config/bridge.yaml', import.meta.url)), 'utf8');
  const lines = demo.split('\n').filter((line) => /^ {2}# (- id: vendor| {2}\S| {4}\S)/.test(line));
  return lines.map((line) => line.replace(/^ {2}# /, '  ')).join('\n');
}

it('the commented feed of the demo is right', async () => {
  const yaml = `${SMALL}feeds:\n${(await commentedFeed()).replace('HPM01', 'ONE')}\n`;
  const loaded = await dealer.load(yaml, { environment: { SFTP_PASSWORD: 'p' } });
  expect(loaded.ok ? [] : loaded.problems).toEqual([]);
  if (!loaded.ok) return;
  expect(loaded.value.feeds).toMatchObject([
    { id: 'vendor-sftp', source: { kind: 'sftp', password: 'p', folder: '/outgoing', every_ms: 1_800_000 } },
  ]);
});

it('the commented examples of the demo are right', async () => {
  const destinations = await commentedDestinations();
  const yaml = SMALL.replace(/ {4}- id: crm[\s\S]*$/, `${destinations.replace(/rooftops: .*/, '')}\n`);
  const environment = { SMTP_PASSWORD: 'p', CRM_TOKEN: 't' };
  const dataFolder = join(tmpdir(), 'no-such-data-folder');
  const loaded = await dealer.load(yaml, { environment, dataFolder });
  expect(loaded.ok ? [] : loaded.problems).toEqual([]);
  if (!loaded.ok) return;
  expect(loaded.value.leads.destinations).toMatchObject([
    { id: 'crm-by-email', adapter: 'adf-email', options: { smtp: { password: 'p', security: 'starttls' } } },
    { id: 'crm-by-http', adapter: 'adf-http', options: { auth: { kind: 'bearer', token: 't' } } },
  ]);
});
