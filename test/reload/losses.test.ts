import { expect, it } from 'vitest';
import { settingsFindings } from '../../src/bridge/findings/settings-findings.ts';
import { lossesOf } from '../../src/bridge/reload/losses.ts';
import { SettingsStanding } from '../../src/bridge/reload/settings-standing.ts';
import type { Config } from '../../src/config/config.ts';
import { type Log, silentLog } from '../../src/model/log.ts';
import { openDealership } from '../config/dealership.ts';

const DEALER = `dealer:
  id: group
  name: Group
  rooftops: [{ id: AAA1, name: First }, { id: BBB2, name: Second }]
`;
const FEEDS = `feeds:
  - { id: one, profile: plainlist, rooftop: AAA1 }
  - { id: two, profile: plainlist, rooftop: BBB2 }
`;
const LEADS = `leads:
  default_rooftop: AAA1
  destinations:
    - { id: crm, adapter: pickup, options: { folder: leads } }
`;
const SECOND = '    - { id: spare, adapter: pickup, options: { folder: spare } }\n';
const WEBHOOK = 'webhook: { url: "https://hooks.example/a" }';

async function configOf(yaml: string): Promise<Config> {
  const dealer = await openDealership();
  const loaded = await dealer.load(yaml);
  await dealer.remove();
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.value;
}

const FULL = DEALER + FEEDS + LEADS + SECOND + `alerts: { ${WEBHOOK} }\nbackup: { copy_to: /mnt/nas }\n`;

it.each([
  ['nothing', FULL, []],
  [
    'a file that was cut off, and is sound',
    DEALER + FEEDS + LEADS,
    ['the destination spare', 'all alerts', 'the second place of backups'],
  ],
  [
    'a rooftop and its feed',
    FULL.replace(', { id: BBB2, name: Second }', '').replace(/ {2}- { id: two.*\n/, ''),
    ['the rooftop BBB2', 'the feed two'],
  ],
  ['a skill', `${FULL}skills: { lead.submit: false }\n`, ['the skill lead.submit']],
  ['the backups', FULL.replace('copy_to', 'enabled: false, copy_to'), ['the backups']],
  ['a feed by another name', FULL.replace('id: two', 'id: three'), ['the feed two']],
])('a change takes away: %s', async (_, after, lost) => {
  expect(lossesOf(await configOf(FULL), await configOf(after))).toEqual(lost);
});

it('what was added is no loss', async () => {
  expect(lossesOf(await configOf(DEALER + FEEDS + LEADS), await configOf(FULL))).toEqual([]);
});

it('is told in the log and to the console at once, and in health for a day', async () => {
  let now = Date.parse('2026-11-30T10:00:00Z');
  const warned: unknown[] = [];
  const log: Log = { ...silentLog, warn: (facts, message) => warned.push({ ...facts, message }) };
  const standing = new SettingsStanding({ now: () => now }, log);
  const config = await configOf(FULL);
  standing.noteInUse(config, ['leads'], ['the destination spare']);
  expect(warned).toEqual([
    { file: 'bridge.yaml', lost: ['the destination spare'], message: 'the change of the settings took away' },
  ]);
  expect(settingsFindings(standing.health())).toMatchObject([
    { key: 'settings-refused', status: 'ok' },
    {
      key: 'settings-lost',
      status: 'warn',
      text: 'The change of the settings at 2026-11-30T10:00:00Z took away: the destination spare.',
    },
  ]);
  now += 23 * 3_600_000;
  expect(standing.health().lost).toBeDefined();
  now += 3_600_000;
  expect(standing.health().lost).toBeUndefined();
  standing.noteInUse(config, ['leads'], ['the destination spare']);
  standing.noteInUse(config, ['leads'], []);
  expect(standing.health().lost).toBeUndefined();
});

it('the end of a refusal is told to the console, as the refusal was', async () => {
  const warned: string[] = [];
  const log: Log = { ...silentLog, warn: (_, message) => warned.push(message) };
  const standing = new SettingsStanding({ now: () => 0 }, log);
  const config = await configOf(FULL);
  standing.noteInUse(config, ['leads'], []);
  expect(warned).toEqual([]);
  standing.noteRefused([{ code: 'X', message: 'no' }]);
  standing.noteInUse(config, ['leads'], []);
  standing.noteRefused([{ code: 'X', message: 'no' }]);
  standing.noteInUse(config, [], []);
  expect(warned).toEqual(['changed settings are in use', 'the settings are again those in use']);
});
